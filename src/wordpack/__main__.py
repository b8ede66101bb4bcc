"""Run `wordpack` as `python -m wordpack`."""

import sys

from wordpack.commands.main import main

if __name__ == "__main__":
    sys.exit(main())
