"""Who may speak to a cluster: temporary credentials for a local one, certificates for others.

Dask runs whatever code it is sent. Whoever can speak to a scheduler, a nanny or a worker can run
code as the user who started it, so every connection is encrypted and both sides show a certificate.
"""

import ssl
from dataclasses import dataclass
from functools import partial
from ipaddress import IPv6Address, ip_address
from pathlib import Path
from socket import getaddrinfo
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from wordpack.errors import InputError, Unavailable

if TYPE_CHECKING:
    from collections.abc import Callable

    from distributed.security import Security

ENCRYPTED = ("tls", "wss")
"""Dask's protocols that use certificates."""

OPTIONS = ("--tls-ca", "--tls-cert", "--tls-key")

SETTINGS = tuple(
    f"distributed.comm.tls.{name}" for name in ("ca-file", "client.cert", "client.key")
)
"""Dask's own settings for the same files."""


@dataclass(frozen=True)
class Certificates:
    """PEM files: whom this client trusts, and the certificate that it shows."""

    ca: str
    """The authority that signed the certificates of scheduler, workers and client."""
    cert: str
    key: str | None = None
    """The private key of `cert`; None if the file of `cert` holds it."""


def scheme_of(address: str) -> str:
    """Return the protocol of a scheduler's address; Dask takes tcp if there is none."""
    scheme, found, _ = address.partition("://")
    return scheme if found else "tcp"


def check_certificates(address: str, certificates: Certificates) -> None:
    """Raise InputError if `address` cannot use certificates, or a file is not what it should be."""
    if scheme_of(address) not in ENCRYPTED:
        raise InputError(
            f"{OPTIONS[0]} and {OPTIONS[1]} need --cluster tls://HOST:PORT, not {address}: "
            "give the address of a scheduler that was started with certificates"
        )
    _check_files(certificates, OPTIONS)


def temporary() -> "Security":
    """Return credentials that only the processes of a local cluster will know.

    Raises Unavailable without cryptography: a local cluster is never started without credentials.
    """
    from distributed.security import Security

    try:
        return _made(Security.temporary)
    except ImportError:
        raise Unavailable(
            "--cluster local needs cryptography to keep other users of this machine out of its "
            "workers: pip install 'wordpack[dask]'"
        ) from None


def security_for(address: str, certificates: Certificates | None) -> "Security":
    """Return what a client shows the scheduler at `address`: `certificates`, or Dask's settings.

    Raises InputError if the address needs certificates and there are none that can be used.
    """
    from distributed.security import Security

    if certificates is not None:
        return _made(
            partial(
                Security,
                require_encryption=True,
                tls_ca_file=certificates.ca,
                tls_client_cert=certificates.cert,
                tls_client_key=certificates.key,
            )
        )
    security = _made(Security)
    if scheme_of(address) in ENCRYPTED:
        files = security.get_tls_config_for_role("client")
        if not (files["ca_file"] and files["cert"]):
            raise InputError(
                f"--cluster {address} needs certificates: give {OPTIONS[0]} FILE, {OPTIONS[1]} "
                f"FILE and {OPTIONS[2]} FILE, or set distributed.comm.tls in Dask's configuration"
            )
        found = Certificates(str(files["ca_file"]), str(files["cert"]), files["key"])
        # Dask takes the text of a file, too
        if "\n" not in found.ca + found.cert:
            _check_files(found, SETTINGS)
    return security


def _made(make: "Callable[[], Security]") -> "Security":
    """Return what `make` makes of Dask's settings; InputError if it refuses one of them."""
    try:
        return make()
    except (TypeError, ValueError) as error:
        raise InputError(f"Dask's configuration cannot be used: {error}") from None


def is_exposed(address: str) -> bool:
    """Return whether code for the workers leaves this machine without encryption."""
    if scheme_of(address) in ENCRYPTED:
        return False
    host = urlsplit(address if "://" in address else f"tcp://{address}").hostname
    try:
        found = [ip_address(each[4][0]) for each in getaddrinfo(host, None)]
    except OSError:  # whatever name that is, it is not one of this machine
        return True
    plain = [each.ipv4_mapped or each if isinstance(each, IPv6Address) else each for each in found]
    return not all(each.is_loopback for each in plain)


def _check_files(certificates: Certificates, names: tuple[str, ...]) -> None:
    """Raise InputError for a file that is not what its name, of `names`, says."""
    files = (certificates.ca, certificates.cert, certificates.key)
    for name, file in zip(names, files, strict=True):
        if file is not None and not Path(file).is_file():
            raise InputError(f"{name} {file}: there is no such file")
    for name, file in zip(names, files[:2], strict=False):
        try:
            ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(file)
        except OSError as error:
            raise InputError(
                f"{name} {file}: it cannot be read, or holds no certificate in PEM form "
                f"({error.strerror or error})"
            ) from None
    _check_key(certificates, names)


def _check_key(certificates: Certificates, names: tuple[str, ...]) -> None:
    """Raise InputError if the key cannot be read, or does not belong to the certificate."""

    class Encrypted(Exception):  # noqa: N818  what was found, not a fault
        pass

    def passphrase() -> bytes:
        raise Encrypted

    file = certificates.key or certificates.cert
    where = f"{names[2]} {file}" if certificates.key else f"{names[1]} {file} (without {names[2]})"
    try:
        # without a function for the passphrase OpenSSL would ask on the terminal
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.load_cert_chain(certificates.cert, file, passphrase)
    except Encrypted:
        raise InputError(
            f"{where}: the key has a passphrase, and Dask cannot ask for one; "
            "write it without: openssl pkey -in KEY -out NEW"
        ) from None
    except ssl.SSLError as error:
        if error.reason == "KEY_VALUES_MISMATCH":
            raise InputError(
                f"{where}: it is not the key of the certificate {certificates.cert}"
            ) from None
        raise InputError(f"{where}: it holds no private key in PEM form") from None
    except OSError as error:
        raise InputError(f"{where}: it cannot be read ({error.strerror or error})") from None
