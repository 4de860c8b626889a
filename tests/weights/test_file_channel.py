import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.contracts.weights import WeightChannelContract, make_weights

from distrl.errors import WeightsError
from distrl.interfaces import WeightChannel
from distrl.weights.file_channel import FileChannel, set_damaged_versions_aside


class TestFileChannel(WeightChannelContract):
    @pytest.fixture
    def channel(self, tmp_path: Path) -> WeightChannel:
        return FileChannel(tmp_path / "deep" / "weights")

    def damage(self, channel: WeightChannel, version: int, at: float) -> None:
        assert isinstance(channel, FileChannel)
        path = channel._path(version)
        data = bytearray(path.read_bytes())
        data[int(at * len(data))] ^= 1
        path.write_bytes(data)

    def drop(self, channel: WeightChannel, version: int) -> None:
        assert isinstance(channel, FileChannel)
        channel._path(version).unlink()


def test_a_second_channel_on_the_folder_goes_on_from_there(tmp_path: Path) -> None:
    digest = FileChannel(tmp_path).publish(make_weights(4), 4)
    later = FileChannel(tmp_path)
    assert later.latest() == 4
    assert later.fetch(4).digest == digest
    with pytest.raises(ValueError, match="not newer"):
        later.publish(make_weights(5), 4)


def test_a_truncated_file_is_found_out(tmp_path: Path) -> None:
    channel = FileChannel(tmp_path)
    channel.publish(make_weights(1), 1)
    path = tmp_path / "v1.safetensors"
    for length in (0, 4, 100, path.stat().st_size - 1):
        path.write_bytes(path.read_bytes()[:length])
        with pytest.raises(WeightsError):
            channel.fetch(1)


def test_a_file_under_another_versions_name_is_found_out(tmp_path: Path) -> None:
    channel = FileChannel(tmp_path)
    channel.publish(make_weights(1), 1)
    (tmp_path / "v1.safetensors").rename(tmp_path / "v2.safetensors")
    with pytest.raises(WeightsError, match="seal is broken"):
        channel.fetch(2)


@pytest.mark.parametrize("pointer", ["", "nonsense", "99", "-3"])
def test_a_damaged_pointer_is_replaced_by_looking(tmp_path: Path, pointer: str) -> None:
    channel = FileChannel(tmp_path)
    channel.publish(make_weights(1), 1)
    channel.publish(make_weights(2), 2)
    (tmp_path / "latest").write_text(pointer)
    assert channel.latest() == 2


def test_the_latest_version_is_the_one_before_when_its_file_was_lost(tmp_path: Path) -> None:
    channel = FileChannel(tmp_path)
    channel.publish(make_weights(1), 1)
    channel.publish(make_weights(2), 2)
    (tmp_path / "v2.safetensors").unlink()
    assert channel.latest() == 1


@pytest.mark.parametrize("dies_at", range(1, 5))
def test_dying_while_publishing_leaves_a_whole_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dies_at: int
) -> None:
    channel = FileChannel(tmp_path)
    before = channel.publish(make_weights(1), 1)
    syncs = iter(range(1, 100))

    def die_at_some_sync(handle: int) -> None:
        if next(syncs) == dies_at:
            raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", die_at_some_sync)
    with pytest.raises(KeyboardInterrupt):
        channel.publish(make_weights(2), 2)
    monkeypatch.undo()
    survivor = FileChannel(tmp_path)
    latest = survivor.latest()
    assert survivor.fetch(1).digest == before
    assert float(survivor.fetch(latest).weights["layer.bias"][0]) == latest
    survivor.publish(make_weights(3), 3)
    assert survivor.latest() == 3


def test_another_process_reads_what_this_one_publishes(tmp_path: Path) -> None:
    channel = FileChannel(tmp_path)
    reader = (
        "import sys, pathlib\n"
        "from distrl.weights.file_channel import FileChannel\n"
        "channel = FileChannel(pathlib.Path(sys.argv[1]))\n"
        "print('ready', flush=True)\n"
        "for line in sys.stdin:\n"
        "    version = channel.latest()\n"
        "    found = channel.fetch(version)\n"
        "    print(version, found.digest, float(found.weights['layer.bias'][0]), flush=True)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", reader, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            assert process.stdout.readline() == "ready\n"
            for version in (1, 2, 3):
                digest = channel.publish(make_weights(version), version)
                process.stdin.write("\n")
                process.stdin.flush()
                assert process.stdout.readline() == f"{version} {digest} {float(version)}\n"
        finally:
            process.stdin.close()
            process.kill()


def test_nothing_is_left_aside(tmp_path: Path) -> None:
    channel = FileChannel(tmp_path, keep=2)
    for version in range(1, 5):
        channel.publish(make_weights(version), version)
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {"latest", "v3.safetensors", "v4.safetensors"}


def test_damaged_versions_are_set_aside_and_the_newest_whole_one_is_the_latest(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    channel = FileChannel(tmp_path)
    for version in (1, 2, 3):
        channel.publish(make_weights(version), version)
    (tmp_path / "v3.safetensors").write_bytes(b"damaged")
    set_damaged_versions_aside(tmp_path)
    assert channel.latest() == 2
    assert (tmp_path / "v3.damaged").read_bytes() == b"damaged"
    assert "v3.safetensors was set aside" in caplog.text
    set_damaged_versions_aside(tmp_path / "none")
    assert not (tmp_path / "none").exists()
