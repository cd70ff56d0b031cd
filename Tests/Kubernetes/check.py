#!/usr/bin/env python3
"""Checks deploy/ha/kubernetes without a cluster: each manifest against Kubernetes' schema, what each refers to, and its rights.

CloudNativePG's kind is not in Kubernetes' schemas; of that one only the references are checked. Needs kubernetes-validate.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

import kubernetes_validate
import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
VERSION = "1.34"
# Secrets made by CloudNativePG, and by the operator or cert-manager; the last four only where there is something to keep.
MADE_ELSEWHERE = {
    "aqua-database-ca": {"ca.crt", "ca.key"}, "aqua-public-tls": {"tls.crt", "tls.key"}, "aqua-oidc": {"secret", "ca.pem"},
    "aqua-mail": set(), "aqua-apps": set(), "aqua-stations": {"key"}}
# Where the manifests have as optional what Compose has, too.
COMPOSE = ("docker-compose.yml", "deploy/compose/stations.yml")

faults = []


def fault(where, sentence):
    faults.append(f"{where}: {sentence}")


def documents(path):
    return [document for document in yaml.safe_load_all(path.read_text()) if document]


def name_of(manifest):
    return f"{manifest['kind']}/{manifest['metadata']['name']}"


def pod_of(manifest):
    """The pod template of what runs something."""
    return manifest["spec"]["template"] if manifest["kind"] in ("Deployment", "StatefulSet", "Job") else None


def containers_of(pod):
    return pod["spec"].get("initContainers", []) + pod["spec"]["containers"]


def matches(selector, labels):
    wanted = selector.get("matchLabels", selector)
    return all(labels.get(key) == value for key, value in wanted.items())


def load(folder):
    kustomization = yaml.safe_load((folder / "kustomization.yaml").read_text())
    listed = set(kustomization["resources"])
    there = {path.name for path in folder.glob("*.yaml")} - {"kustomization.yaml"}
    for name in sorted(listed ^ there):
        fault("kustomization.yaml", f"{name} is {'missing' if name in listed else 'not listed'}")
    return kustomization, [manifest for name in sorted(listed & there) for manifest in documents(folder / name)]


def secrets_made(folder):
    """What the script `secrets` makes: the keys by name."""
    with tempfile.TemporaryDirectory() as directory:
        printed = subprocess.run(
            [folder / "secrets", directory, "broker.example.org"], check=True, capture_output=True, text=True).stdout
    manifests = [manifest for manifest in yaml.safe_load_all(printed) if manifest]
    for manifest in manifests:
        check_schema(manifest)
    return {manifest["metadata"]["name"]: set(manifest["data"]) for manifest in manifests}


def check_schema(manifest):
    if manifest["apiVersion"].startswith("postgresql.cnpg.io/"):
        return
    try:
        kubernetes_validate.validate(manifest, VERSION, strict=True)
    except kubernetes_validate.ValidationError as error:
        fault(name_of(manifest), f"{'.'.join(map(str, error.path))}: {error.message}")


def check_volumes(where, pod, manifest, secrets, settings):
    """Each volume's source exists, each mount has its volume, and each file that a variable names is in one."""
    claims = [claim["metadata"]["name"] for claim in manifest["spec"].get("volumeClaimTemplates", [])]
    files, mounted = {}, set()
    for volume in pod["spec"].get("volumes", []):
        source = volume.get("secret")
        if not source:
            continue
        keys = secrets.get(source["secretName"])
        if keys is None:
            fault(where, f"there is no secret {source['secretName']}")
            continue
        wanted = {item["key"]: item["path"] for item in source.get("items", [])} or {key: key for key in keys}
        for key in sorted(wanted.keys() - keys):
            fault(where, f"the secret {source['secretName']} has no key {key}")
        files[volume["name"]] = set(wanted.values())
    volumes = {volume["name"] for volume in pod["spec"].get("volumes", [])} | set(claims)
    for container in containers_of(pod):
        held = set()
        for mount in container.get("volumeMounts", []):
            mounted.add(mount["name"])
            if mount["name"] not in volumes:
                fault(where, f"{container['name']} mounts {mount['name']}, which is no volume")
            held |= {f"{mount['mountPath']}/{file}" for file in files.get(mount["name"], ())}
        for source in container.get("envFrom", []):
            if source["configMapRef"]["name"] not in settings:
                fault(where, f"there is no ConfigMap {source['configMapRef']['name']}")
        texts = [entry["value"] for entry in container.get("env", [])] + container.get("args", [])
        for file in re.findall(r"/(?:run/(?:secrets|database|broker)|mosquitto/tls)/[\w.-]+", " ".join(texts)):
            if file not in held:
                fault(where, f"{container['name']} is told of {file}, which is not mounted")
    for name in sorted(volumes - mounted):
        fault(where, f"nothing mounts the volume {name}")


def check_rights(where, pod):
    spec = pod["spec"]
    if spec.get("automountServiceAccountToken") is not False:
        fault(where, "its service account's token is mounted")
    for name, value in (("runAsNonRoot", True), ("seccompProfile", {"type": "RuntimeDefault"})):
        if spec.get("securityContext", {}).get(name) != value:
            fault(where, f"the pod's {name} is not {value}")
    for container in containers_of(pod):
        rights = container.get("securityContext", {})
        if rights != {"allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True, "capabilities": {"drop": ["ALL"]}}:
            fault(where, f"{container['name']} has more rights than it needs, or others")
        if "memory" not in container.get("resources", {}).get("limits", {}):
            fault(where, f"{container['name']} has no limit on its memory")


def check_images(kustomization, pods):
    targets = set()
    for dockerfile in ("deploy/containers/Dockerfile", "deploy/ha/Dockerfile"):
        targets |= set(re.findall(r"^FROM .* AS (\S+)", (ROOT / dockerfile).read_text(), re.MULTILINE))
    named = {image["name"] for image in kustomization["images"]}
    used = {container["image"] for pod in pods.values() for container in containers_of(pod)
            if container["image"].startswith("aquamonitor/")}
    for image in sorted(named ^ used):
        fault("kustomization.yaml", f"the image {image} is {'not used' if image in named else 'not named'}")
    for image in sorted(used):
        if image.partition("/")[2] not in targets:
            fault("kustomization.yaml", f"no Dockerfile makes the image {image}")


def check_selectors(manifests, pods, clusters):
    """Whatever selects pods selects at least one, and ports have names that those have."""
    labels = {name: pod["metadata"]["labels"] for name, pod in pods.items()}
    labels |= {name: {"cnpg.io/cluster": name.partition("/")[2]} for name in clusters}
    ports = {name: {port["name"]: port["containerPort"] for container in containers_of(pod)
                    for port in container.get("ports", [])} for name, pod in pods.items()}
    services = {}
    for manifest in manifests:
        where, kind, spec = name_of(manifest), manifest["kind"], manifest.get("spec", {})
        if kind == "Service":
            chosen = [name for name in pods if matches(spec["selector"], labels[name])]
            services[manifest["metadata"]["name"]] = {port["name"] for port in spec["ports"]}
            for port in spec["ports"]:
                if not any(port["targetPort"] in ports[name] for name in chosen):
                    fault(where, f"no pod that it selects has a port {port['targetPort']}")
        elif kind == "PodDisruptionBudget":
            if not any(matches(spec["selector"], found) for found in labels.values()):
                fault(where, "it selects nothing")
        elif kind == "NetworkPolicy":
            peers = [peer for side, key in (("ingress", "from"), ("egress", "to")) for rule in spec.get(side, [])
                     for peer in rule.get(key, [])]
            inside = [peer["podSelector"] for peer in peers if "podSelector" in peer and "namespaceSelector" not in peer]
            for selector in [spec["podSelector"], *inside]:
                if not any(matches(selector, found) for found in labels.values()):
                    fault(where, f"nothing has the labels {selector}")
        if pod := pod_of(manifest):
            if kind != "Job" and not matches(spec["selector"], pod["metadata"]["labels"]):
                fault(where, "it does not select its own pods")
    for manifest in manifests:
        if manifest["kind"] == "Ingress":
            for path in (path for rule in manifest["spec"]["rules"] for path in rule["http"]["paths"]):
                backend = path["backend"]["service"]
                if backend["port"]["name"] not in services.get(backend["name"], ()):
                    fault(name_of(manifest), f"there is no service {backend['name']} with a port {backend['port']['name']}")
    check_walls(manifests, labels, ports)


def check_walls(manifests, labels, ports):
    """Nothing is open that no policy names, and every port can be reached by somebody."""
    policies = [manifest["spec"] for manifest in manifests if manifest["kind"] == "NetworkPolicy"]
    if not any(policy["podSelector"] == {} and set(policy["policyTypes"]) == {"Ingress", "Egress"}
               and not policy.get("ingress") and not policy.get("egress") for policy in policies):
        fault("network.yaml", "nothing refuses what is not listed")
    for name, own in ports.items():
        opened = {port["port"] for policy in policies if matches(policy["podSelector"], labels[name])
                  for rule in policy.get("ingress", []) for port in rule["ports"]}
        for port in sorted(set(own.values()) - opened):
            fault("network.yaml", f"nobody reaches port {port} of {name}")


def check_variables(manifests, pods):
    known = set(re.findall(r"AQUA_\w+", (ROOT / "deploy/OPERATING.md").read_text()))
    used = {key for manifest in manifests if manifest["kind"] == "ConfigMap" for key in manifest["data"]}
    used |= {entry["name"] for pod in pods.values() for container in containers_of(pod) for entry in container.get("env", [])}
    for name in sorted(name for name in used if name.startswith("AQUA_") and name not in known):
        fault("variables", f"deploy/OPERATING.md knows no {name}")


def check_stations(manifests, pods):
    """Whoever names hosts of stations lets the Ingestor call out."""
    hosts = {key: value for manifest in manifests if manifest["kind"] == "ConfigMap" for key, value in manifest["data"].items()}.get("AQUA_STATIONS")
    if hosts is None:
        fault("settings.yaml", "there is no AQUA_STATIONS")
    elif hosts and pods["Deployment/ingestor"]["metadata"]["labels"].get("aquamonitor/calls-out") != "yes":
        fault("Deployment/ingestor", "its pods may not call out, and AQUA_STATIONS names hosts")


def check_directories(pods):
    """Each directory that a service has files of the operator's in with Compose, it has here, and read-only."""
    for file in COMPOSE:
        for name, service in yaml.safe_load((ROOT / file).read_text())["services"].items():
            pod = pods.get(f"Deployment/{name}")
            if not pod:
                continue
            mounts = {mount["mountPath"]: mount for container in pod["spec"]["containers"] for mount in container.get("volumeMounts", [])}
            for directory in re.findall(r":(/run/\w+):ro\b", " ".join(map(str, service.get("volumes", [])))):
                if not mounts.get(directory, {}).get("readOnly"):
                    fault(f"Deployment/{name}", f"{directory} is not mounted read-only")


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "deploy/ha/kubernetes")
    kustomization, manifests = load(folder)
    secrets = secrets_made(folder) | MADE_ELSEWHERE
    settings = {manifest["metadata"]["name"] for manifest in manifests if manifest["kind"] == "ConfigMap"}
    pods = {name_of(manifest): pod for manifest in manifests if (pod := pod_of(manifest))}
    clusters = [name_of(manifest) for manifest in manifests if manifest["kind"] == "Cluster"]
    for manifest in manifests:
        check_schema(manifest)
        if pod := pod_of(manifest):
            check_volumes(name_of(manifest), pod, manifest, secrets, settings)
            check_rights(name_of(manifest), pod)
        if manifest["kind"] == "Cluster":
            for secret in (manifest["spec"]["superuserSecret"], manifest["spec"]["bootstrap"]["initdb"]["secret"]):
                if secrets.get(secret["name"]) != {"username", "password"}:
                    fault(name_of(manifest), f"there is no secret {secret['name']} with username and password")
    check_images(kustomization, pods)
    check_selectors(manifests, pods, clusters)
    check_variables(manifests, pods)
    check_stations(manifests, pods)
    check_directories(pods)
    if faults:
        sys.exit("\n".join(faults))


main()
