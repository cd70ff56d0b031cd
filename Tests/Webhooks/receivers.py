"""Takes messages as their receivers would, one JSON text a line, by models written after the specifications:
CloudEvents 1.0.2 with its JSON format, and the webhook payload of Prometheus Alertmanager 0.28 (notify/webhook, template.Data)."""

import json
import re
import sys
from datetime import datetime
from urllib.parse import urlsplit


def require(holds, what):
    if not holds:
        sys.exit(what)


def object_of(value, members, optional=()):
    """An object with these members and no others, each of its type."""
    require(isinstance(value, dict), f"no object: {value}")
    unknown = set(value) - set(members) - set(optional)
    require(not unknown, f"unknown members {unknown}")
    for name, kind in members.items():
        require(type(value.get(name)) is kind, f"{name} is {value.get(name)!r}")


def time(text):
    require(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)", text), f"no time of RFC 3339: {text}")
    return datetime.fromisoformat(text)


def cloud_event(event):
    """https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/spec.md"""
    required = {"specversion": str, "id": str, "source": str, "type": str}
    optional = ("subject", "time", "datacontenttype", "dataschema", "data", "data_base64")
    object_of(event, required, optional)
    require(all(re.fullmatch("[a-z0-9]{1,20}|data_base64", name) for name in event), "a name of an attribute")
    require(event["specversion"] == "1.0", "the version")
    require(event["id"] and event["type"] and event["source"], "empty")
    require(re.fullmatch(r"[a-z]+(\.[a-zA-Z]+)+", event["type"]), f"no reverse DNS name: {event['type']}")
    urlsplit(event["source"])
    require(event.get("subject", "x") != "", "an empty subject")
    if "time" in event:
        time(event["time"])
    require(event.get("datacontenttype") == "application/json" and isinstance(event["data"], dict), "the data")


LABEL = re.compile("[a-zA-Z_][a-zA-Z0-9_]*")


def texts(value, what):
    require(isinstance(value, dict), what)
    for name, text in value.items():
        require(LABEL.fullmatch(name), f"a name of {what}: {name}")
        require(isinstance(text, str), f"{name} of {what}")


def fingerprint(labels):
    """https://github.com/prometheus/common/blob/main/model/signature.go"""
    digest = 14695981039346656037
    for name in sorted(labels):
        for byte in name.encode() + b"\xff" + labels[name].encode() + b"\xff":
            digest = ((digest ^ byte) * 1099511628211) % 2**64
    return f"{digest:016x}"


def alertmanager(payload):
    """https://github.com/prometheus/alertmanager/blob/main/template/template.go (Data, Alert)"""
    object_of(payload, {
        "version": str, "groupKey": str, "truncatedAlerts": int, "receiver": str, "status": str, "alerts": list,
        "groupLabels": dict, "commonLabels": dict, "commonAnnotations": dict, "externalURL": str})
    require(payload["version"] == "4" and payload["status"] in ("firing", "resolved"), "version or status")
    for part in ("groupLabels", "commonLabels", "commonAnnotations"):
        texts(payload[part], part)
    require(payload["alerts"] and payload["groupKey"] and payload["truncatedAlerts"] >= 0, "what is listed")
    for alert in payload["alerts"]:
        object_of(alert, {
            "status": str, "labels": dict, "annotations": dict, "startsAt": str, "endsAt": str, "generatorURL": str,
            "fingerprint": str})
        texts(alert["labels"], "labels")
        texts(alert["annotations"], "annotations")
        require("alertname" in alert["labels"], "no name of the alert")
        require(all(text for text in alert["labels"].values()), "an empty label is none")
        require(all(len(text) <= 256 for text in alert["labels"].values()), "a long label")
        require(alert["fingerprint"] == fingerprint(alert["labels"]), "the fingerprint")
        begin, end = time(alert["startsAt"]), time(alert["endsAt"])
        require(end.year != 1 or alert["status"] == "firing", "the end")
        require(alert["status"] == "firing" or end >= begin, "an end before the beginning")
        for name, text in payload["commonLabels"].items():
            require(alert["labels"][name] == text, "a label that is not common")
    firing = any(alert["status"] == "firing" for alert in payload["alerts"])
    require(payload["status"] == ("firing" if firing else "resolved"), "the status of all")
    require(payload["externalURL"] == "" or urlsplit(payload["externalURL"]).scheme == "https", "the URL")


models = {"cloudEvents": cloud_event, "alertmanager": alertmanager}
lines = sys.stdin.read().split("\n")
for line in lines:
    models[sys.argv[1]](json.loads(line))
print(f"{len(lines)} taken")
