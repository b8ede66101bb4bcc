"""Who may connect to a cluster: temporary credentials for a local one, certificates otherwise.

Dask runs any code it is sent. Anyone who can connect to a scheduler, a nanny or a worker can run
code as the user who started it, so every connection is encrypted and both sides show a certificate.
"""

import ssl
from dataclasses import dataclass
from importlib import import_module
from ipaddress import IPv6Address, ip_address
from socket import getaddrinfo
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, urlsplit

from wordpack.errors import InputError
from wordpack.system import paths
from wordpack.system.libraries import loaded, set_up

if TYPE_CHECKING:
    from distributed.security import Security

ENCRYPTED = ("tls", "wss")
"""Dask's protocols that use certificates."""

OPTIONS = ("`tls_ca`", "`tls_cert`", "`tls_key`")

SETTINGS = tuple(
    f"distributed.comm.tls.{name}" for name in ("ca-file", "client.cert", "client.key")
)
"""Dask's own settings for these files."""


@dataclass(frozen=True)
class Certificates:
    """PEM files: the authority that this client trusts, and its own certificate."""

    ca: str
    """The authority that signed the certificates of the scheduler, the workers and the client."""
    cert: str
    key: str | None = None
    """The private key of `cert`; None if the file of `cert` holds it."""


def scheme_of(address: str) -> str:
    """Return the protocol of a scheduler's address; Dask takes tcp if there is none."""
    scheme, found, _ = address.partition("://")
    return scheme if found else "tcp"


def split(address: str) -> SplitResult:
    """Return the parts of a scheduler's address, among them `hostname` and `port`."""
    return urlsplit(address if "://" in address else f"tcp://{address}")


def check_certificates(address: str, certificates: Certificates) -> None:
    """Raise InputError if `address` cannot use certificates, or a file is not what it should be."""
    if scheme_of(address) not in ENCRYPTED:
        raise InputError(
            f"{OPTIONS[0]} and {OPTIONS[1]} need `cluster` tls://HOST:PORT, not {address}: "
            "give the address of a scheduler that was started with certificates"
        )
    _check_files(certificates, OPTIONS)


def temporary() -> "Security":
    """Return credentials that only the processes of a local cluster know.

    Raises InputError without cryptography: a local cluster is never started without credentials.
    """
    from distributed.security import Security

    missing = (
        "`cluster` local needs cryptography to keep other users of this machine out of its "
        "workers: pip install 'wordpack[dask]'"
    )
    # Dask reports any ImportError as a missing package
    with loaded("cryptography", missing, InputError):
        import_module("cryptography")
        import_module("cryptography.x509")
    with set_up("Dask", kind=InputError):
        made: Security = Security.temporary()
    return made


def security_for(address: str, certificates: Certificates | None) -> "Security":
    """Return the client's credentials for `address`, from `certificates` or Dask's settings.

    Raises InputError if the address needs certificates and none can be used.
    """
    from distributed.security import Security

    given: dict[str, bool | str | None] = {}
    if certificates is not None:
        given = {
            "require_encryption": True,
            "tls_ca_file": certificates.ca,
            "tls_client_cert": certificates.cert,
            "tls_client_key": certificates.key,
        }
    with set_up("Dask", kind=InputError):
        security = Security(**given)
    if certificates is not None:
        return security
    if scheme_of(address) in ENCRYPTED:
        files = security.get_tls_config_for_role("client")
        if not (files["ca_file"] and files["cert"]):
            raise InputError(
                f"`cluster` {address} needs certificates: give {OPTIONS[0]} FILE, {OPTIONS[1]} "
                f"FILE and {OPTIONS[2]} FILE, or set distributed.comm.tls in Dask's configuration"
            )
        key = str(files["key"]) if files["key"] else None
        _check_files(Certificates(str(files["ca_file"]), str(files["cert"]), key), SETTINGS)
        _check_context(security)
    return security


def is_exposed(address: str) -> bool:
    """Return whether code for the workers leaves this machine without encryption."""
    if scheme_of(address) in ENCRYPTED:
        return False
    host = split(address).hostname
    try:
        found = [ip_address(each[4][0]) for each in getaddrinfo(host, None)]
    except OSError:  # an unknown name is not this machine's
        return True
    plain = [each.ipv4_mapped or each if isinstance(each, IPv6Address) else each for each in found]
    return not all(each.is_loopback for each in plain)


def _check_files(certificates: Certificates, names: tuple[str, ...]) -> None:
    """Raise InputError for a file that is not what its entry in `names` says.

    In Dask's settings a value may also be the text of a file; `_check_context` checks that.
    """
    values = (certificates.ca, certificates.cert, certificates.key)
    files = {
        name: value
        for name, value in zip(names, values, strict=True)
        if value is not None and not _is_text(value)
    }
    for name, file in files.items():
        if not paths.is_file(file):
            said = "it is not a file" if paths.exists(file) else "there is no such file"
            raise InputError(f"{_named(name, file)}: {said}")
    for name in names[:2]:
        if name not in files:
            continue
        file = files[name]
        try:
            ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(file)
        except OSError as error:
            raise InputError(
                f"{_named(name, file)}: it cannot be read, or holds no certificate in PEM form "
                f"({error.strerror or error})"
            ) from None
    if not any(map(_is_text, (certificates.cert, certificates.key or ""))):
        _check_key(certificates, names)


def _is_text(value: str) -> bool:
    """Return whether Dask takes a value as the text of a file, not its name."""
    return "\n" in value


def _named(name: str, value: str) -> str:
    """Return the name with its value, but without a value that may be a private key."""
    return name if name == SETTINGS[2] or "PRIVATE KEY" in value else f"{name} {value}"


def _check_context(security: "Security") -> None:
    """Raise InputError if Dask cannot use its own settings: files, texts and ciphers together."""
    try:
        security.get_connection_args("client")
    except (OSError, ValueError) as error:
        said = getattr(error, "reason", None) or getattr(error, "strerror", None) or error
        raise InputError(
            f"distributed.comm.tls in Dask's configuration cannot be used ({said}): "
            f"correct {', '.join(SETTINGS)}"
        ) from None


def _check_key(certificates: Certificates, names: tuple[str, ...]) -> None:
    """Raise InputError if the key cannot be read, or does not belong to the certificate."""

    class Encrypted(Exception):  # noqa: N818  what was found, not a fault
        pass

    def passphrase() -> bytes:
        raise Encrypted

    file = certificates.key or certificates.cert
    where = _named(names[2], file)
    if not certificates.key:
        where = f"{_named(names[1], file)} (without {names[2]})"
    try:
        # without a passphrase function OpenSSL would ask on the terminal
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.load_cert_chain(certificates.cert, file, passphrase)
    except Encrypted:
        raise InputError(
            f"{where}: the key has a passphrase, and Dask cannot ask for one; "
            "remove it: openssl pkey -in KEY -out NEW"
        ) from None
    except ssl.SSLError as error:
        if error.reason == "KEY_VALUES_MISMATCH":
            raise InputError(
                f"{where}: it is not the key of the certificate {certificates.cert}"
            ) from None
        raise InputError(f"{where}: it holds no private key in PEM form") from None
    except OSError as error:
        raise InputError(f"{where}: it cannot be read ({error.strerror or error})") from None
