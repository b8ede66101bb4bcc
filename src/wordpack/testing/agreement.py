"""What is found must be what is right."""


class Differs(Exception):  # noqa: N818  what was found, not an error of a script
    """What wordpack found is not what is right."""


def agree(found: object, right: object, what: str) -> None:
    """Raise Differs if `found` is not what is right."""
    if found != right:
        raise Differs(f"{what}: {found!r:.3000}, expected {right!r:.3000}")
