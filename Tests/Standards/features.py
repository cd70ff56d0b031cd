#!/usr/bin/env python3
"""Reads the features of a gateway as independent programs do: features.py ROOT TOKEN

OWSLib pages through every collection, a feature at a time; GDAL's driver OAPIF, which is let in by the token as a password, has to find the same features,
all and in a box; ogcapi-registry checks the description. Prints the ids of each collection."""

import json
import subprocess
import sys

from ogcapi_registry import parse_conformance_classes, validate_ogc_api
from owslib.ogcapi.features import Features

ROOT, TOKEN = sys.argv[1:]
BOX = ["15", "49", "16", "50"]


def pages(client, collection, **query):
    """The features of all pages, by their links."""
    page = client.collection_items(collection, **query)
    while True:
        assert page["type"] == "FeatureCollection" and page["numberReturned"] == len(page["features"])
        yield from page["features"]
        following = [link["href"] for link in page["links"] if link["rel"] == "next"]
        if not following:
            return
        page = client._request(path=following[0].removeprefix(ROOT + "/"))


def of_gdal(collection, *options):
    """The features of a collection as GDAL reads them, a feature at a time."""
    command = ["ogr2ogr", "-f", "GeoJSON", "/vsistdout/", f"OAPIF:{ROOT}", collection]
    command += ["-oo", f"USERPWD=anybody:{TOKEN}", "-oo", "PAGE_SIZE=1", *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["features"]


def name(feature):
    return feature["properties"].get("id", feature.get("id"))


def main():
    client = Features(ROOT, headers={"Authorization": f"Bearer {TOKEN}"})
    classes = client.conformance()["conformsTo"]
    found = validate_ogc_api(client.api(), parse_conformance_classes(classes))
    assert found.is_valid, found.errors
    for collection in client.feature_collections():
        features = list(pages(client, collection, limit=1))
        ids = [feature["id"] for feature in features]
        assert len(set(ids)) == len(ids), ids
        assert client.collection(collection)["id"] == collection
        for feature in features:
            alone = client.collection_item(collection, feature["id"])
            assert alone["properties"] == feature["properties"], (alone, feature)
        theirs = of_gdal(collection)
        assert sorted(map(name, theirs)) == sorted(ids), (collection, theirs, ids)
        places = {feature["id"]: feature["geometry"] for feature in features}
        for feature in theirs:
            there = feature["geometry"]["coordinates"]
            assert all(abs(a - b) < 1e-6 for a, b in zip(there, places[name(feature)]["coordinates"])), feature
        inside = [feature["id"] for feature in pages(client, collection, bbox=BOX, limit=1)]
        assert sorted(map(name, of_gdal(collection, "-spat", *BOX))) == sorted(inside), (collection, inside)
        print(collection, *sorted(ids))


main()
