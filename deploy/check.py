"""What the files of deploy/ and k8s/ promise one another, and no schema knows. Called by scripts/check-deploy.

    check.py RENDERED_MANIFESTS...
"""

import ipaddress
import json
import os
import re
import sys
from pathlib import Path

import jsonschema
import yaml

ROOT = Path(__file__).resolve().parent.parent
DEPLOY = ROOT / "deploy"
SERVICES = ["scheduler", "fetcher", "extractor", "indexer", "searcher"]
# What runs only where it is asked for.
OPTIONAL = ["sink", "archiver", "renderer"]
# Who asks servers of the web.
OUTWARD = ["fetcher", "renderer"]
# Whose lag a group has; as in crates/runtime/src/lag_gauges.rs.
INPUTS = {"scheduler": ["links", "outcomes"], "fetcher": ["orders"], "extractor": ["pages"],
          "indexer": ["documents"], "sink": ["documents"], "archiver": ["captures"], "renderer": ["renders"]}
METADATA = [ipaddress.ip_address(text) for text in ["169.254.169.254", "fd00:ec2::254"]]
WORKLOADS = ["Deployment", "StatefulSet"]

problems = []


def check(right, problem):
    """Notes `problem` unless `right`."""
    if not right:
        problems.append(problem)


def pinned(image, where):
    """An image without registry host, with a version that will not move to another release by itself."""
    image = re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", image)
    name, _, tag = image.partition(":")
    check(re.fullmatch(r"v?\d+\.\d+(\.\d+)?(-[\w.-]+)?", tag), f"{where}: `{image}` is not pinned to a version")
    check("." not in name.split("/")[0] or "/" not in name, f"{where}: `{image}` names a registry")


def dockerfile():
    """What is copied exists and is not ignored; the user has a number; the program is built."""
    text = (DEPLOY / "Dockerfile").read_text()
    arguments = dict(re.findall(r"^ARG (\w+)=(\S+)", text, re.M))
    stages = re.findall(r"^FROM \S+ AS (\S+)", text, re.M)
    for image in re.findall(r"^FROM (\S+)", text, re.M):
        if image in stages:
            continue
        pinned(re.sub(r"\$\{(\w+)\}", lambda name: arguments[name[1]], image), "Dockerfile")
    check(re.search(r"^USER [1-9]\d*:[1-9]\d*$", text, re.M), "Dockerfile: the user is not a number above 0")
    allowed = re.findall(r"^!(\S+)", (DEPLOY / "Dockerfile.dockerignore").read_text(), re.M)
    for path in allowed:
        check((ROOT / path).exists(), f"Dockerfile.dockerignore: `{path}` does not exist")
    for sources in re.findall(r"^COPY (?!.*--from)((?:--\S+ )*)(.*) \S+$", text, re.M):
        for source in sources[1].split():
            check(source == "." or list(ROOT.glob(source)), f"Dockerfile: `{source}` does not exist")
            check(source == "." or any(source.startswith(path) for path in allowed), f"Dockerfile: `{source}` is ignored")
    # What is compiled in must be there: include_dir! and include_str! of files outside of the crates.
    check("examples/site" in allowed, "Dockerfile.dockerignore: the built-in site is compiled in")
    check("models" in allowed, "Dockerfile.dockerignore: the trained models are compiled in")
    built = "--package gristmill " in text and "target/release/gristmill " in text
    check(built, "Dockerfile: `gristmill` is missing")


def settings():
    """The settings that must be the same everywhere are. Returns the number of partitions."""
    import tomllib

    files = {name: tomllib.loads((DEPLOY / f"config/{name}.toml").read_text()) for name in SERVICES + OPTIONAL}
    partitions = set()
    for name, file in files.items():
        check(file["admin"]["listen"] == "0.0.0.0:9100", f"{name}.toml: the admin port is not 9100")
        if name != "searcher":
            partitions.add(file["log"]["partitions"])
            check(file["log"]["engine"] == "kafka", f"{name}.toml: the log is not Kafka")
    check(len(partitions) == 1, f"deploy/config: several numbers of partitions, {partitions}")
    return partitions.pop()


def compose():
    """Networks, volumes and dependencies exist; only fetchers and renderers have a way out; everything is bounded and unprivileged."""
    file = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    check(file["networks"]["inside"]["internal"], "compose: the network `inside` leads out")
    for name, service in file["services"].items():
        where = f"compose: {name}"
        pinned(service["image"], where)
        for network in service["networks"]:
            check(network in file["networks"], f"{where}: no network `{network}`")
        check("world" not in service["networks"] or name in OUTWARD, f"{where} reaches the world")
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            exists = (DEPLOY / source).exists() if source.startswith(".") else source in file["volumes"]
            check(exists, f"{where}: no volume `{source}`")
        for other in service.get("depends_on", {}):
            check(other in file["services"], f"{where} waits for `{other}`, which does not exist")
        limits = service["deploy"]["resources"]["limits"]
        check({"cpus", "memory", "pids"} <= limits.keys(), f"{where}: no limits")
        check("healthcheck" in service, f"{where}: no health check")
        for port in service.get("ports", []):
            check(port.startswith("127.0.0.1:"), f"{where}: port {port} is open to others")
        if service["image"].startswith("gristmill"):
            check(service["read_only"] and service["cap_drop"] == ["ALL"], f"{where}: too many rights")
    for name in SERVICES + OPTIONAL:
        command = file["services"][name]["command"]
        wanted = ["gristmill", "--config", f"/etc/gristmill/{name}.toml", "run", name]
        check(command == wanted, f"compose: {name} runs {command}")
    scraped = yaml.safe_load((DEPLOY / "prometheus/prometheus.yml").read_text())["scrape_configs"][0]
    check(scraped["dns_sd_configs"][0]["names"] == SERVICES + OPTIONAL, "prometheus.yml: not every service is scraped")


def kafka_trigger(where, trigger, service):
    """A trigger of KEDA names a group and a topic that exist."""
    group, topic = trigger["consumerGroup"], trigger["topic"]
    check(group == f"gristmill.{service}", f"{where}: group `{group}`")
    check(topic.removeprefix("gristmill.") in INPUTS[service], f"{where}: topic `{topic}` is not read by `{group}`")


def pod(where, spec):
    """A pod runs without rights, within bounds, and is asked how it is."""
    security = spec["securityContext"]
    check(security.get("runAsNonRoot") and security.get("runAsUser", 0) > 0, f"{where}: runs as root")
    profile = security.get("seccompProfile", {})
    # Chromium's sandbox needs what the usual profile refuses.
    ours = profile.get("localhostProfile") == "gristmill-chromium.json" and where.endswith(": gristmill-renderer")
    check(profile.get("type") == "RuntimeDefault" or ours, f"{where}: no seccomp profile")
    check(spec.get("automountServiceAccountToken") is False, f"{where}: has a token of the API")
    volumes = {volume["name"] for volume in spec.get("volumes", [])}
    for container in spec["containers"]:
        pinned(container["image"], where)
        rights = container["securityContext"]
        check(rights["allowPrivilegeEscalation"] is False, f"{where}: may become root")
        check(rights["capabilities"]["drop"] == ["ALL"], f"{where}: keeps capabilities")
        check("memory" in container["resources"].get("limits", {}), f"{where}: no limit of memory")
        check({"cpu", "memory"} <= container["resources"].get("requests", {}).keys(), f"{where}: no requests")
        check("readinessProbe" in container and "livenessProbe" in container, f"{where}: no probes")
        if container["image"].startswith("gristmill"):
            check(rights.get("readOnlyRootFilesystem"), f"{where}: its root can be written")
        for variable in container.get("env", []):
            secret = re.search(r"PASSWORD|TOKEN", variable["name"]) and "value" in variable
            check(not secret, f"{where}: `{variable['name']}` is a secret in the open")
    return volumes


def reaches(policy, address):
    """Whether a NetworkPolicy lets its pods open connections to `address`."""
    if "Egress" not in policy["spec"].get("policyTypes", []):
        return False
    for rule in policy["spec"].get("egress", []):
        if not rule.get("to"):
            return True
        for block in (peer["ipBlock"] for peer in rule["to"] if "ipBlock" in peer):
            within = lambda cidr: address in ipaddress.ip_network(cidr)
            if within(block["cidr"]) and not any(within(cidr) for cidr in block.get("except", [])):
                return True
    return False


def selects(selector, labels):
    """Whether a label selector takes a pod with these labels."""
    if any(labels.get(key) != value for key, value in selector.get("matchLabels", {}).items()):
        return False
    return all(labels.get(term["key"]) in term["values"] for term in selector.get("matchExpressions", []))


def keda_schema(kind):
    """The schema of one of KEDA's kinds, or None."""
    folder = os.environ.get("KEDA_SCHEMAS")
    path = Path(folder or "/nowhere") / f"keda.sh_{kind.lower()}s.yaml"
    if not path.exists():
        return None
    schema = yaml.safe_load(path.read_text())["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
    # The API server drops fields that it does not know without a word; here they are errors.
    schema["properties"]["metadata"] = {"type": "object"}
    open_ends = [schema]
    while open_ends:
        part = open_ends.pop()
        if "properties" in part:
            part.setdefault("additionalProperties", False)
        open_ends += [value for value in part.values() if isinstance(value, dict)]
    return schema


def manifests(path, default_partitions):
    """One rendered overlay."""
    everything = [one for one in yaml.safe_load_all(Path(path).read_text()) if one]
    name = Path(path).stem
    of_kind = lambda *kinds: [one for one in everything if one["kind"] in kinds]
    env = next(one["data"] for one in of_kind("ConfigMap") if one["metadata"]["name"].startswith("gristmill-env"))
    partitions = int(env.get("GRISTMILL__LOG__PARTITIONS", default_partitions))
    claims = {
        f"{claim['metadata']['name']}-{one['metadata']['name']}-{number}"
        for one in of_kind("StatefulSet")
        for claim in one["spec"].get("volumeClaimTemplates", [])
        for number in range(one["spec"]["replicas"])
    }
    pods, workloads = {}, set()
    for one in of_kind(*WORKLOADS):
        template, called = one["spec"]["template"], one["metadata"]["name"]
        where = f"{name}: {called}"
        workloads.add(called)
        labels = template["metadata"]["labels"]
        pods[called] = labels
        check(selects(one["spec"]["selector"], labels), f"{where}: does not select its own pods")
        volumes = pod(where, template["spec"])
        volumes |= {claim["metadata"]["name"] for claim in one["spec"].get("volumeClaimTemplates", [])}
        for mount in (mount for c in template["spec"]["containers"] for mount in c.get("volumeMounts", [])):
            check(mount["name"] in volumes, f"{where}: no volume `{mount['name']}`")
        for volume in template["spec"].get("volumes", []):
            claim = volume.get("persistentVolumeClaim", {}).get("claimName")
            check(claim is None or claim in claims, f"{where}: no claim `{claim}`")
    for service in SERVICES:
        check(f"gristmill-{service}" in workloads, f"{name}: no {service}")
        budgets = [b for b in of_kind("PodDisruptionBudget") if selects(b["spec"]["selector"], pods[f"gristmill-{service}"])]
        check(len(budgets) == 1, f"{name}: {service} has {len(budgets)} disruption budgets")
    for one in of_kind("Service"):
        found = [called for called, labels in pods.items() if selects({"matchLabels": one["spec"]["selector"]}, labels)]
        check(len(found) == 1, f"{name}: service {one['metadata']['name']} selects {found}")
    for one in of_kind("ScaledObject", "TriggerAuthentication"):
        schema = keda_schema(one["kind"])
        if schema:
            jsonschema.Draft202012Validator(schema).validate(one)
    for one in of_kind("ScaledObject"):
        where, target = f"{name}: {one['metadata']['name']}", one["spec"]["scaleTargetRef"]["name"]
        check(target in workloads, f"{where}: no `{target}`")
        check(one["spec"]["maxReplicaCount"] <= partitions, f"{where}: more pods than the {partitions} partitions")
        kafka_trigger(where, one["spec"]["triggers"][0]["metadata"], target.removeprefix("gristmill-"))
        brokers = one["spec"]["triggers"][0]["metadata"]["bootstrapServers"]
        check(brokers == env["GRISTMILL__LOG__KAFKA__BROKERS"], f"{where}: asks other brokers, `{brokers}`")
    network(name, of_kind("NetworkPolicy"), pods)
    print(f"{name}: {len(everything)} manifests keep their promises")


def network(name, policies, pods):
    """Everybody is closed by default, nobody reaches the metadata addresses, only fetchers and renderers the web, no searcher Kafka."""
    for called, labels in pods.items():
        mine = [policy for policy in policies if selects(policy["spec"]["podSelector"], labels)]
        closed = any(set(p["spec"]["policyTypes"]) == {"Ingress", "Egress"} and "egress" not in p["spec"] for p in mine)
        check(closed, f"{name}: {called} is not closed by default")
        for address in METADATA:
            check(not any(reaches(policy, address) for policy in mine), f"{name}: {called} reaches {address}")
        for text, meant in [("93.184.216.34", True), ("2600::1", True), ("10.0.0.1", False), ("::1", False)]:
            opened = any(reaches(policy, ipaddress.ip_address(text)) for policy in mine)
            wanted = meant and called.removeprefix("gristmill-") in OUTWARD
            check(opened == wanted, f"{name}: {called} {'reaches' if opened else 'does not reach'} {text}")
        to_kafka = any("to-kafka" in policy["metadata"]["name"] for policy in mine)
        needs = called.removeprefix("gristmill-") in INPUTS
        check(to_kafka == needs, f"{name}: {called} and Kafka")


def dashboards():
    """Panels do not overlap, and every one has a query."""
    for path in (DEPLOY / "grafana/dashboards").glob("*.json"):
        cells = {}
        for panel in json.loads(path.read_text())["panels"]:
            check(panel["type"] == "row" or panel["targets"], f"{path.name}: `{panel['title']}` asks nothing")
            place = panel["gridPos"]
            for x in range(place["x"], place["x"] + place["w"]):
                for y in range(place["y"], place["y"] + place["h"]):
                    check((x, y) not in cells, f"{path.name}: `{panel['title']}` covers `{cells.get((x, y))}`")
                    cells[x, y] = panel["title"]


def main():
    """Prints every problem, and fails when there is one."""
    dockerfile()
    partitions = settings()
    compose()
    dashboards()
    for path in sys.argv[1:]:
        manifests(path, partitions)
    for problem in dict.fromkeys(problems):
        print(problem, file=sys.stderr)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
