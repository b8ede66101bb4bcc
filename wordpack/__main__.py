"""`python -m wordpack` is `wordpack`."""

import sys

from wordpack.cli import main

if __name__ == "__main__":
    sys.exit(main())
