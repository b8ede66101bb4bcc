"""Existing clusters over TLS: the how-to works as written, and bad files give one line."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import Command, absent
from distributed.security import Security
from howto import ADDRESS, BLOCKS, at_work, ran
from strangers import get_nothing, listening

from clusters import Cluster
from wordpack.cluster import connection, security
from wordpack.cluster.connection import connected
from wordpack.cluster.security import is_exposed
from wordpack.errors import InputError
from wordpack.solving.instances import instance

pytestmark = pytest.mark.slow

TLS = ("--tls-ca", "--tls-cert", "--tls-key")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make the certificates of the page, in a folder."""
    if shutil.which("openssl") is None:
        absent("there is no openssl: apt install openssl", "WORDPACK_REQUIRE_NETWORK")
    folder = tmp_path_factory.mktemp("certificates")
    done = ran("make", folder)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def at_page(made: Path) -> Iterator[tuple[str, list[int]]]:
    """Run the page's scheduler and a worker; give host and port, and both processes."""
    with at_work("scheduler", made, "Scheduler at:", "127.0.0.1:0") as scheduler:
        log = (made / "scheduler.log").read_text()
        found = re.search(r"Scheduler at:\s+tls://(127\.0\.0\.1:\d+)", log)
        assert found, log
        with at_work("worker", made, "Registered to:", found[1]) as worker:
            yield found[1], [scheduler.pid, worker.pid]


@pytest.fixture
def address(at_page: tuple[str, list[int]]) -> str:
    """Give host and port of the page's scheduler, which has one worker."""
    return at_page[0]


@pytest.fixture
def files(made: Path) -> list[str]:
    return [str(made / name) for name in ("ca.pem", "client.pem", "client-key.pem")]


def named(files: list[str]) -> list[str]:
    """Return the files as options."""
    return [each for pair in zip(TLS, files, strict=False) for each in pair]


def test_keys_are_for_their_owner_alone(made: Path) -> None:
    """Other users of the machine cannot read a key that the page's commands made."""
    assert len(list(made.glob("*-key.pem"))) == 4
    assert {key.stat().st_mode & 0o077 for key in made.glob("*-key.pem")} == {0}


@pytest.mark.parametrize("step", ["client", "configured"])
def test_the_page_works_as_it_is_written(made: Path, address: str, step: str) -> None:
    """A scheduler and a worker over TLS find parker's 538 packings, with options and without."""
    done = ran(step, made, address)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 831
    assert "538 packings, 831 solutions (as expected: the counts and the digest" in done.stderr
    assert "without encryption" not in done.stderr


def test_the_page_works_from_python(
    made: Path, address: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The lines of the page give a client; so does Dask's own object."""
    monkeypatch.chdir(made)
    exec(BLOCKS["python"].replace(ADDRESS, address), {})  # noqa: S102  the page's lines
    assert capsys.readouterr().out == "1\n"
    own = Security(
        require_encryption=True,
        tls_ca_file="ca.pem",
        tls_client_cert="client.pem",
        tls_client_key="client-key.pem",
    )
    with connected(f"tls://{address}", own) as client:
        assert len(client.scheduler_info()["workers"]) == 1


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (("solve", "parker", "--format", "json"), '"digest"'),
        (("sweep", "5x5", "--format", "json"), '"solutions": 831'),
        (("play", "--all", "--start", "slant", "--format", "json"), '"start": "slant"'),
    ],
)
def test_every_command_takes_certificates(
    wordpack: Command, address: str, files: list[str], command: tuple[str, ...], expected: str
) -> None:
    """solve, sweep and play answer over TLS as they do in one process."""
    outcome = wordpack(*command, "--cluster", f"tls://{address}", *named(files))
    assert outcome.status == 0, outcome.err
    assert expected in outcome.out
    if command[0] == "solve":
        known = instance("parker").expected
        assert known is not None
        assert json.loads(outcome.out)["digest"] == known.digest


def test_a_certificate_of_another_authority_is_refused(
    wordpack: Command, address: str, files: list[str], tmp_path: Path
) -> None:
    """The client refuses a scheduler that we don't trust or that doesn't trust us."""
    other = Security.temporary()
    theirs = [str(tmp_path / name) for name in ("ca.pem", "client.pem", "client-key.pem")]
    texts = (other.tls_ca_file, other.tls_client_cert, other.tls_client_key)
    for file, text in zip(theirs, texts, strict=True):
        Path(file).write_text(text)
    for mixed in (theirs, [files[0], *theirs[1:]]):
        outcome = wordpack("solve", "toy", "--cluster", f"tls://{address}", *named(mixed))
        assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
        assert "do not accept each other's certificates" in outcome.err


def test_a_stranger_gets_nothing_from_the_pages_cluster(
    at_page: tuple[str, list[int]], tmp_path: Path
) -> None:
    """The page's scheduler, nanny and worker run nothing for a stranger, and serve no page."""
    ports = [port for pid in at_page[1] for port in listening(pid)]
    assert len(ports) >= 5
    get_nothing(ports, tmp_path / "marker")


def test_a_scheduler_without_certificates(
    wordpack: Command, files: list[str], tmp_path: Path
) -> None:
    """The server at the address does not speak TLS, and the error says so."""
    made = Cluster(tmp_path)
    try:
        address = made.address.replace("tcp", "tls")
        outcome = wordpack("solve", "toy", "--cluster", address, *named(files))
    finally:
        made.close()
    assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert "what listens there does not speak TLS" in outcome.err


def test_a_scheduler_with_certificates_takes_no_tcp(wordpack: Command, address: str) -> None:
    """The page's scheduler rejects an unencrypted client."""
    outcome = wordpack("solve", "toy", "--cluster", f"tcp://{address}")
    assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert "if it has certificates, give tls://" in outcome.err


@pytest.mark.parametrize(
    ("place", "content", "said"),
    [
        (0, None, "--tls-ca {}: there is no such file"),
        (1, None, "--tls-cert {}: there is no such file"),
        (2, None, "--tls-key {}: there is no such file"),
        (0, "no certificate\n", "--tls-ca {}: it cannot be read, or holds no certificate"),
        (1, "no certificate\n", "--tls-cert {}: it cannot be read, or holds no certificate"),
        (2, "no key\n", "--tls-key {}: it holds no private key in PEM form"),
        (2, "", "--tls-key {}: it holds no private key in PEM form"),
    ],
)
def test_files_that_are_not_what_they_should_be(
    wordpack: Command, files: list[str], tmp_path: Path, place: int, content: str | None, said: str
) -> None:
    """One line names the option and the file, before any connection is made."""
    bad = tmp_path / "bad.pem"
    if content is not None:
        bad.write_text(content)
    files[place] = str(bad)
    outcome = wordpack("solve", "toy", "--cluster", "tls://127.0.0.1:1", *named(files))
    assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert said.format(bad) in outcome.err


def test_keys_that_do_not_fit(
    wordpack: Command,
    made: Path,
    files: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A key is of another certificate, has a passphrase, or is missing; or is in the same file."""
    monkeypatch.setattr(connection, "TIMEOUT", 1.0)
    hidden = tmp_path / "hidden.pem"
    line = ["openssl", "pkey", "-in", files[2], "-aes128", "-passout", "pass:secret"]
    subprocess.run([*line, "-out", str(hidden)], check=True, stdin=subprocess.DEVNULL)
    both = tmp_path / "both.pem"
    both.write_text(Path(files[1]).read_text() + Path(files[2]).read_text())
    for given, said in (
        ([*files[:2], str(made / "worker-key.pem")], "it is not the key of the certificate"),
        ([*files[:2], str(hidden)], "the key has a passphrase"),
        (files[:2], "it holds no private key"),
        ([files[0], str(both)], "no scheduler answers"),
    ):
        outcome = wordpack("solve", "toy", "--cluster", "tls://127.0.0.1:1", *named(given))
        assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
        assert said in outcome.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--tls-ca", "x"), "--tls-ca goes with --cluster ADDRESS"),
        (("--cluster", "tls://h:1", "--tls-ca", "x"), "go together: give both"),
        (("--cluster", "tls://h:1", "--tls-key", "x"), "go together: give both"),
        (("--cluster", "local", *named(["x", "y"])), "makes its own credentials"),
        (("--cluster", "tcp://h:1", *named(["x", "y"])), "need --cluster tls://HOST:PORT"),
        (("--cluster", "h:1", *named(["x", "y"])), "need --cluster tls://HOST:PORT"),
        (("--cluster", "tls://127.0.0.1:1"), "give --tls-ca FILE, --tls-cert FILE and --tls-key"),
    ],
)
def test_options_that_contradict(wordpack: Command, arguments: tuple[str, ...], said: str) -> None:
    """Each of the three commands gives one line."""
    for command in (("solve", "toy"), ("sweep", "5x5"), ("play", "--all")):
        outcome = wordpack(*command, *arguments)
        assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
        assert said in outcome.err


def test_a_setting_of_dask_that_cannot_be(wordpack: Command) -> None:
    """Dask's refusal of a version of TLS is one line, for a local cluster too."""
    import dask

    with dask.config.set({"distributed.comm.tls.min-version": 7}):
        for address in ("local:1", "tls://127.0.0.1:1", "tcp://127.0.0.1:1"):
            outcome = wordpack("solve", "toy", "--cluster", address)
            assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
            assert "Dask cannot be set up (ValueError:" in outcome.err
            assert "Dask's configuration" in outcome.err


def test_dasks_own_files_are_checked_alike(tmp_path: Path) -> None:
    """The error names the setting of a missing file."""
    import dask

    gone = str(tmp_path / "gone.pem")
    names = {"distributed.comm.tls.ca-file": gone, "distributed.comm.tls.client.cert": gone}
    with (
        dask.config.set(names),
        pytest.raises(InputError, match=r"distributed\.comm\.tls\.ca-file .*there is no such file"),
        connected("tls://127.0.0.1:1"),
    ):
        pass


@pytest.mark.parametrize(
    ("texts", "gone", "said"),
    [
        ((False, False, True), None, "no scheduler answers"),
        ((True, True, True), None, "no scheduler answers"),
        ((True, True, False), 2, r"client\.key: there is no such file"),
        ((False, True, True), 0, r"ca-file .*gone\.pem: there is no such file"),
        ((True, False, True), 1, r"client\.cert .*gone\.pem: there is no such file"),
    ],
)
def test_texts_in_the_place_of_files(
    files: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    texts: tuple[bool, ...],
    gone: int | None,
    said: str,
) -> None:
    """Dask also takes a file's text: the other files are checked, and no private key is shown."""
    import dask

    monkeypatch.setattr(connection, "TIMEOUT", 1.0)
    values = [
        Path(file).read_text() if text else file for file, text in zip(files, texts, strict=True)
    ]
    if gone is not None:
        values[gone] = str(tmp_path / "gone.pem")
    with (
        dask.config.set(dict(zip(security.SETTINGS, values, strict=True))),
        pytest.raises(InputError, match=said) as caught,
        connected("tls://127.0.0.1:1"),
    ):
        pass
    assert "BEGIN" not in str(caught.value)


@pytest.mark.parametrize("place", [0, 1, 2])
@pytest.mark.parametrize("junk", ["one line", "-----BEGIN PRIVATE KEY----- c2VjcmV0", "two\nlines"])
def test_texts_that_cannot_be_used(files: list[str], place: int, junk: str) -> None:
    """One line that names the setting; what may be a key is not shown, wherever it was put."""
    import dask

    values = [Path(file).read_text() for file in files]
    values[place] = junk
    with (
        dask.config.set(dict(zip(security.SETTINGS, values, strict=True))),
        pytest.raises(InputError, match=security.SETTINGS[place]) as caught,
        connected("tls://127.0.0.1:1"),
    ):
        pass
    assert "c2VjcmV0" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_names_that_can_be_no_file(wordpack: Command, files: list[str], tmp_path: Path) -> None:
    """A too long name is missing, a folder is not a file, and a misplaced key is not shown."""
    for option, bad, said in (
        (0, "x" * 300, "x: there is no such file"),
        (0, str(tmp_path), f"--tls-ca {tmp_path}: it is not a file"),
        (2, "-----BEGIN PRIVATE KEY----- c2VjcmV0", "--tls-key: there is no such file"),
    ):
        given = [bad if place == option else file for place, file in enumerate(files)]
        outcome = wordpack("solve", "toy", "--cluster", "tls://127.0.0.1:1", *named(given))
        assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
        assert said in outcome.err


@pytest.mark.parametrize(
    ("address", "hosts", "exposed"),
    [
        ("tcp://127.0.0.1:8786", None, False),
        ("127.1.2.3:8786", None, False),
        ("tcp://[::1]:8786", None, False),
        ("tcp://[::ffff:127.0.0.1]:8786", None, False),
        ("tcp://198.51.100.7:8786", None, True),
        ("198.51.100.7:8786", None, True),
        ("ws://198.51.100.7:8786", None, True),
        ("tcp://[2001:db8::7]:8786", None, True),
        ("tls://198.51.100.7:8786", None, False),
        ("tcp://cluster:8786", ["127.0.0.1", "::1"], False),
        ("tcp://cluster:8786", ["127.0.0.1", "198.51.100.7"], True),
    ],
)
def test_what_leaves_this_machine_without_encryption(
    monkeypatch: pytest.MonkeyPatch, address: str, hosts: list[str] | None, exposed: bool
) -> None:
    """Names count by their addresses; all must be loopback."""
    if hosts is not None:
        found = [(0, 0, 0, "", (host, 0)) for host in hosts]
        monkeypatch.setattr(security, "getaddrinfo", lambda *_: found)
    assert is_exposed(address) is exposed
