"""A racer that follows a script: a list of steps per backend, in a JSON file.

A step is [what, argument]: say (a line), write (without a line end), order (wait for one), exit
(with a status), kill (with a signal), complain (a line on standard error), close (stop talking, but
continue).
"""

import json
import os
import sys
import time
from pathlib import Path

SCRIPTS = "FAKES_SCRIPTS"
"""The environment variable that names the file, which maps backends to their steps."""


def main() -> None:
    """Follow the script."""
    name = json.loads(sys.stdin.readline())["row"]["name"]
    for what, argument in json.loads(Path(os.environ[SCRIPTS]).read_text())[name]:
        if what == "order":
            sys.stdin.readline()
        elif what == "exit":
            os._exit(argument)
        elif what == "kill":
            os.kill(os.getpid(), argument)
        elif what == "complain":
            print(argument, file=sys.stderr, flush=True)  # noqa: T201  as a traceback does
        elif what == "close":
            os.close(1)
            time.sleep(1000)
        else:
            os.write(1, argument.encode() + b"\n" * (what == "say"))
    sys.stdin.readline()


if __name__ == "__main__":
    main()
