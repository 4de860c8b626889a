"""The files under deploy/: they parse, and what they ask for exists and is closed to others."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml

from distrl.cli.arguments import parse
from distrl.cli.cluster import JoinArguments
from distrl.cli.train import Arguments as TrainArguments
from distrl.config import load_run_config
from distrl.config.inventory import InventoryConfig

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((DEPLOY / "docker-compose.yaml").read_text())
    return found


@pytest.fixture(scope="module")
def manifest() -> dict[str, dict[str, Any]]:
    documents = yaml.safe_load_all((DEPLOY / "kuberay.yaml").read_text())
    return {one["kind"]: one for one in documents}


def check_training(line: str) -> None:
    """A line that starts training is one that the command line takes."""
    words = shlex.split(line)
    assert words[:2] == ["distrl", "train"]
    settings = [word.replace("$RAY_ADDRESS", "10.0.0.1:6379") for word in words[2:]]
    arguments = parse(TrainArguments, settings, prog="distrl train")
    assert arguments.run_dir, "a run without a folder of its own cannot go on"
    config = load_run_config(arguments.recipe or "quickstart", arguments.settings)
    assert config.engine == "ray"


def test_the_image_copies_what_is_there_and_does_not_run_as_root() -> None:
    lines = (DEPLOY / "Dockerfile").read_text().replace("\\\n", " ").splitlines()
    instructions = [line.split(maxsplit=1) for line in lines if line and not line.startswith("#")]
    allowed = {"FROM", "ARG", "RUN", "WORKDIR", "COPY", "USER", "ENTRYPOINT", "CMD"}
    assert {name for name, _ in instructions} <= allowed
    for name, rest in instructions:
        if name == "COPY":
            *sources, _ = rest.split()
            assert all((ROOT / source).exists() for source in sources), rest
    assert [rest for name, rest in instructions if name == "USER"] == ["distrl"]
    extras = re.search(r'"\.\[([a-z,]+)\]"', "\n".join(lines))
    assert extras is not None
    known = (ROOT / "pyproject.toml").read_text()
    assert all(re.search(rf"^{one} = \[", known, re.MULTILINE) for one in extras[1].split(","))


def test_compose_has_a_trainer_hosts_and_a_dashboard(compose: dict[str, Any]) -> None:
    assert set(compose["services"]) == {"trainer", "host", "dashboard"}
    for name in ("trainer", "host"):
        given = compose["services"][name]["environment"]
        assert given["RAY_AUTH_MODE"] == "token"
        assert given["RAY_AUTH_TOKEN"].startswith("${RAY_AUTH_TOKEN:?")  # no default


def test_compose_publishes_the_dashboard_on_the_loopback_and_nothing_else(
    compose: dict[str, Any],
) -> None:
    published = {
        name: service["ports"]
        for name, service in compose["services"].items()
        if "ports" in service
    }
    assert published == {"dashboard": ["127.0.0.1:8321:8321"]}


def test_compose_starts_commands_that_exist(compose: dict[str, Any]) -> None:
    (line,) = compose["services"]["trainer"]["command"]
    up, train = (part.strip() for part in line.split("&&"))
    assert up == "distrl cluster up --file /etc/distrl/cluster.yaml"
    check_training(train.removeprefix("exec "))
    join = shlex.split(compose["services"]["host"]["command"])
    assert join[:2] == ["cluster", "join"]
    joined = parse(JoinArguments, join[2:], prog="distrl cluster join")
    inventory = yaml.safe_load(compose["configs"]["cluster"]["content"])
    head = InventoryConfig.model_validate(inventory)
    assert joined.head == f"{head.head.address}:{head.port}"
    trainer = compose["services"]["trainer"]["networks"]["cluster"]
    assert trainer["ipv4_address"] == head.head.address


def test_kuberay_asks_for_the_token_everywhere(manifest: dict[str, dict[str, Any]]) -> None:
    cluster = manifest["RayJob"]["spec"]["rayClusterSpec"]
    assert cluster["authOptions"] == {"mode": "token"}
    assert cluster["headGroupSpec"]["serviceType"] == "ClusterIP"
    version = re.search(r"^ray==(\S+)$", (ROOT / "constraints.txt").read_text(), re.MULTILINE)
    assert version is not None
    assert cluster["rayVersion"] == version[1]


def test_kuberay_trains_on_the_head_with_a_disk_of_its_own(
    manifest: dict[str, dict[str, Any]],
) -> None:
    spec = manifest["RayJob"]["spec"]
    check_training(spec["entrypoint"])
    pod = spec["rayClusterSpec"]["headGroupSpec"]["template"]["spec"]
    claim = pod["volumes"][0]["persistentVolumeClaim"]["claimName"]
    assert claim == manifest["PersistentVolumeClaim"]["metadata"]["name"]
    assert pod["containers"][0]["volumeMounts"] == [{"name": "runs", "mountPath": "/runs"}]
    (workers,) = spec["rayClusterSpec"]["workerGroupSpecs"]
    assert "device_host" in workers["rayStartParams"]["resources"]


def test_kuberay_pods_have_no_rights_and_are_closed_to_others(
    manifest: dict[str, dict[str, Any]],
) -> None:
    cluster = manifest["RayJob"]["spec"]["rayClusterSpec"]
    for group in (cluster["headGroupSpec"], *cluster["workerGroupSpecs"]):
        pod = group["template"]["spec"]
        assert pod["securityContext"]["runAsNonRoot"] is True
        for container in pod["containers"]:
            assert container["securityContext"]["allowPrivilegeEscalation"] is False
            assert container["resources"]["limits"]["memory"]
    assert manifest["NetworkPolicy"]["spec"]["policyTypes"] == ["Ingress"]
