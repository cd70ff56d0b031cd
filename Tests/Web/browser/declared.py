"""Query names that the service's routes declare (`queries.json`, which a test compares with the routes): the service refuses all others."""

import json
import re
from pathlib import Path
from urllib.parse import parse_qsl

QUERIES = json.loads(Path(__file__).with_name("queries.json").read_text())
DECLARED = [(re.compile(re.sub(r"\\{\w+\\}", "[^/]+", re.escape(route))), set(names)) for route, names in QUERIES.items()]


def undeclared(method, path, query):
    """The names of a request's query that its route does not declare, or that come twice."""
    names = [name for name, _ in parse_qsl(query, keep_blank_values=True)]
    known = set().union(*(declared for route, declared in DECLARED if route.fullmatch(f"{method} {path}")))
    return sorted({name for name in names if name not in known or names.count(name) > 1})
