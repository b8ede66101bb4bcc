"""The command line in a fresh process, from its start to its end: what a user waits for."""

from series import verified

CHECKED = """
done = subprocess.run({command!r}, capture_output=True, text=True)
if done.returncode or {known!r} not in done.stdout:
    raise SystemExit('wrong answer: ' + done.stdout[:200] + done.stderr[-2000:])
"""
"""The time includes looking for the digest in the output, which takes microseconds."""


class Command:
    """`wordpack solve` with compiled code cached by an earlier run."""

    params = ("toy", "wordle", "parker")
    param_names = ("instance",)
    version = "1"
    rounds = 2
    number = 1
    repeat = 5
    timeout = 300

    def timeraw_solve(self, instance: str) -> tuple[str, str]:
        """Return the code for a fresh Python: the command, and a check of its answer."""
        import sys

        expected = verified.instance(instance).expected
        if expected is None or expected.digest is None:
            raise verified.wrong(f"no digest is known for {instance}")
        # -P: what lies in the working directory is not the package
        command = [sys.executable, "-P", "-m", "wordpack", "solve", instance, "--format", "json"]
        code = CHECKED.format(command=command, known=expected.digest)
        return code, "import subprocess"
