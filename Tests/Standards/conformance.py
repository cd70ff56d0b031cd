#!/usr/bin/env python3
"""Runs the black-box tests of OGC API Features against a gateway: conformance.py ROOT TOKEN

In an environment of its own (ogctests.txt): its packages do not go together with those of the other tests."""

import sys

import httpx
from ogctests.main import run_ogctests

root, token = sys.argv[1:]
client = httpx.Client(base_url=root, headers={"Authorization": f"Bearer {token}"})
sys.exit(run_ogctests("features/core", root, ["-p", "no:cacheprovider", "--color=no", "-rfEs"], client))
