"""The files under deploy/: they parse, and what they ask for exists and is closed to others."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from ipaddress import IPv4Address, IPv4Network
from pathlib import Path
from typing import Any

import pytest
import yaml

from distrl.cli.arguments import parse
from distrl.cli.cluster import JoinArguments
from distrl.cli.train import Arguments as TrainArguments
from distrl.config import RunConfig, load_run_config
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


def check_training(words: list[str]) -> RunConfig:
    """The settings of a line that starts training, which is one that the command line takes."""
    assert words[:2] == ["distrl", "train"]
    arguments = parse(TrainArguments, words[2:], prog="distrl train")
    assert arguments.run_dir, "a run without a folder of its own cannot go on"
    config = load_run_config(arguments.recipe or "quickstart", arguments.settings)
    assert config.engine == "ray"
    return config


def through_bash(line: str, **environment: str) -> list[str]:
    """The words that a program gets when a shell is given a line."""
    done = subprocess.run(
        ["/bin/bash", "-ce", "--", f"printf '%s\\n' {line} ;"],
        capture_output=True,
        check=True,
        text=True,
        timeout=60,
        env={"PATH": os.environ["PATH"], **environment},
    )
    return done.stdout.splitlines()


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
    assert '".[$EXTRAS]"' in "\n".join(lines)
    known = (ROOT / "pyproject.toml").read_text()
    named = re.findall(r"EXTRAS=([a-z,]+)", (DEPLOY / "Dockerfile").read_text())
    assert len(named) == 2  # those that are installed, and those that somebody may want
    for extra in ",".join(named).split(","):
        assert re.search(rf"^{extra} = \[", known, re.MULTILINE), extra


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
    check_training(shlex.split(train.removeprefix("exec ")))
    join = shlex.split(compose["services"]["host"]["command"])
    assert join[:2] == ["cluster", "join"]
    joined = parse(JoinArguments, join[2:], prog="distrl cluster join")
    inventory = yaml.safe_load(compose["configs"]["cluster"]["content"])
    head = InventoryConfig.model_validate(inventory)
    assert joined.head == f"{head.head.address}:{head.port}"
    trainer = compose["services"]["trainer"]["networks"]["cluster"]
    assert trainer["ipv4_address"] == head.head.address


def test_compose_gives_nobody_else_the_trainers_address(compose: dict[str, Any]) -> None:
    (pool,) = compose["networks"]["cluster"]["ipam"]["config"]
    trainer = compose["services"]["trainer"]["networks"]["cluster"]["ipv4_address"]
    everybody, others = IPv4Network(pool["subnet"]), IPv4Network(pool["ip_range"])
    assert others.subnet_of(everybody)
    assert IPv4Address(trainer) in everybody
    assert IPv4Address(trainer) not in others


def test_compose_does_not_repeat_a_training_that_is_done(compose: dict[str, Any]) -> None:
    restarts = {name: service["restart"] for name, service in compose["services"].items()}
    assert restarts["trainer"] == "on-failure"
    assert restarts["host"] == "unless-stopped"


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
    # A shell in the pod that submits, then one on the head, where the job's supervisor sets it.
    assert "RAY_ADDRESS" in spec["entrypoint"]
    submitted = through_bash(spec["entrypoint"])
    line = subprocess.list2cmdline(submitted)
    words = through_bash(line, RAY_ADDRESS="10.0.0.1:6379")
    assert check_training(words).address == "10.0.0.1:6379"
    pod = spec["rayClusterSpec"]["headGroupSpec"]["template"]["spec"]
    claim = pod["volumes"][0]["persistentVolumeClaim"]["claimName"]
    assert claim == manifest["PersistentVolumeClaim"]["metadata"]["name"]
    assert pod["containers"][0]["volumeMounts"] == [{"name": "runs", "mountPath": "/runs"}]
    (workers,) = spec["rayClusterSpec"]["workerGroupSpecs"]
    assert "device_host" in workers["rayStartParams"]["resources"]


def test_kuberay_pods_have_no_rights_and_are_closed_to_others(
    manifest: dict[str, dict[str, Any]],
) -> None:
    spec = manifest["RayJob"]["spec"]
    cluster = spec["rayClusterSpec"]
    groups = (cluster["headGroupSpec"], *cluster["workerGroupSpecs"])
    submitter = spec["submitterPodTemplate"]
    for pod in (submitter["spec"], *(group["template"]["spec"] for group in groups)):
        assert pod["securityContext"]["runAsNonRoot"] is True
        for container in pod["containers"]:
            assert container["securityContext"]["allowPrivilegeEscalation"] is False
            assert container["resources"]["limits"]["memory"]
    assert manifest["NetworkPolicy"]["spec"]["policyTypes"] == ["Ingress"]


def test_kuberays_nodes_let_the_pod_in_that_submits_the_job(
    manifest: dict[str, dict[str, Any]],
) -> None:
    labels = manifest["RayJob"]["spec"]["submitterPodTemplate"]["metadata"]["labels"]
    (rule,) = manifest["NetworkPolicy"]["spec"]["ingress"]
    selectors = [one["podSelector"]["matchLabels"] for one in rule["from"] if "podSelector" in one]
    assert any(wanted.items() <= labels.items() for wanted in selectors)
    assert all(wanted for wanted in selectors)
