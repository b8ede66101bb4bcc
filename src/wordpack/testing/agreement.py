"""Compare a result with the expected one."""


class Differs(Exception):  # noqa: N818  a finding, not an error of a script
    """A result of wordpack differs from the expected one."""


def agree(found: object, right: object, what: str) -> None:
    """Raise Differs unless `found` equals `right`."""
    if found != right:
        raise Differs(f"{what}: {found!r:.3000}, expected {right!r:.3000}")
