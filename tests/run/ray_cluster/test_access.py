from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from distrl.errors import ConfigError
from distrl.run.ray_cluster.access import (
    TOKEN_VARIABLE,
    Access,
    check_address,
    check_host,
    default_token_file,
    is_loopback,
    make_token,
    own_address,
    require_token,
)


@pytest.fixture(autouse=True)
def _no_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(TOKEN_VARIABLE, raising=False)


def test_a_token_is_made_once_and_only_its_owner_can_read_it(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "token"
    make_token(path)
    assert path.stat().st_mode & 0o777 == 0o600
    token = path.read_text()
    assert len(token) == 64
    make_token(path)
    assert path.read_text() == token


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o660])
def test_a_token_that_others_can_read_is_refused(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "token"
    make_token(path)
    path.chmod(mode)
    with pytest.raises(ConfigError, match=f"chmod 600 {path}"):
        require_token(path)
    with pytest.raises(ConfigError, match="read by others"):
        make_token(path)


def test_a_token_that_is_missing_or_empty_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "token"
    with pytest.raises(ConfigError, match="there is no token in"):
        require_token(path)
    path.touch(mode=0o600)
    with pytest.raises(ConfigError, match="is empty"):
        require_token(path)


def test_a_token_that_cannot_be_a_file_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir(mode=0o700)
    below_a_file = tmp_path / "file" / "token"
    below_a_file.parent.touch()
    for use in (make_token, require_token):
        with pytest.raises(ConfigError, match=f"the token is a file, and {folder} is none"):
            use(folder)
        with pytest.raises(ConfigError, match=f"{below_a_file} cannot be read"):
            use(below_a_file)
    with pytest.raises(ConfigError, match="no token can be written to"):
        make_token(Path("/proc/nowhere/token"))


def test_where_the_token_comes_from_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    file = Path("/lab/token")
    access = Access("127.0.0.1:6390", file)
    assert access.token_place == str(file)
    monkeypatch.setenv(TOKEN_VARIABLE, "secret")
    assert access.token_place == f"the variable {TOKEN_VARIABLE}"


def test_a_token_in_the_environment_will_do(tmp_path: Path) -> None:
    require_token(tmp_path / "none", {TOKEN_VARIABLE: "secret"})
    for without in ({}, {TOKEN_VARIABLE: ""}):
        with pytest.raises(ConfigError, match="there is no token in"):
            require_token(tmp_path / "none", without)


def test_authentication_is_always_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "token"
    make_token(path)
    for name in Access("127.0.0.1:6390", path).environment():
        monkeypatch.setenv(name, "before")
    Access("127.0.0.1:6390", path).enter()
    assert os.environ["RAY_AUTH_MODE"] == "token"
    assert os.environ["RAY_AUTH_TOKEN_PATH"] == str(path)
    assert os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] == "0"


def test_an_address_beyond_the_loopback_has_to_be_asked_for(tmp_path: Path) -> None:
    for host, loopback in (
        ("127.0.0.1", True),
        ("::1", True),
        ("[::1]", True),
        ("localhost", True),
        ("10.0.0.1", False),
        ("0.0.0.0", False),  # noqa: S104 - nobody listens there
        ("trainer.lan", False),
    ):
        assert is_loopback(host) is loopback, host
        listens = Access(f"{host}:6390", tmp_path).environment()
        assert listens["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] == ("0" if loopback else "1")


@pytest.mark.parametrize("host", ["127.0.0.2", "127.1.2.3"])
def test_a_loopback_that_ray_takes_for_another_address_is_refused(host: str) -> None:
    for check in (check_host, lambda host: check_address(f"{host}:6390")):
        with pytest.raises(ConfigError, match=r"Ray knows 127\.0\.0\.1 only, got"):
            check(host)


@pytest.mark.parametrize("host", ["10.0.5", "10", "10.0.0.256"])
def test_numbers_that_are_no_address_are_refused(host: str) -> None:
    with pytest.raises(ConfigError, match=f"four numbers, such as 10.0.0.1, got {host}"):
        check_host(host)


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost", "10.0.0.1", "trainer.lan"])
def test_any_other_host_will_do(host: str) -> None:
    assert check_host(host) == host


@pytest.mark.parametrize("address", ["", "host", "host:", ":1", "host:0", "host:65536", "host:x"])
def test_an_address_is_a_host_and_a_port(address: str) -> None:
    with pytest.raises(ConfigError, match="HOST:PORT"):
        check_address(address)


def test_the_users_token_is_where_settings_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", "/somewhere")
    assert default_token_file() == Path("/somewhere/distrl/cluster-token")


def test_the_address_towards_a_host_is_one_of_this_machine() -> None:
    assert own_address("127.0.0.1") == "127.0.0.1"
    assert own_address("localhost") in ("127.0.0.1", "::1")


def test_a_host_without_a_route_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError("name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    with pytest.raises(ConfigError, match=r"trainer\.lan cannot be reached from here: name or"):
        own_address("trainer.lan")


def test_a_node_outlives_a_restart_of_its_head_and_is_not_given_up_sooner(tmp_path: Path) -> None:
    told = Access("127.0.0.1:6390", tmp_path).environment()
    period, threshold = (
        int(told[f"RAY_health_check_{name}"]) for name in ("period_ms", "failure_threshold")
    )
    reconnect = int(told["RAY_gcs_rpc_server_reconnect_timeout_s"])
    assert period * threshold / 1000 >= reconnect


def test_a_token_of_the_environment_is_not_replaced_by_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(TOKEN_VARIABLE, "secret")
    assert "RAY_AUTH_TOKEN_PATH" not in Access("127.0.0.1:6390", tmp_path).environment()
    make_token(tmp_path / "token")
    assert not (tmp_path / "token").exists()
