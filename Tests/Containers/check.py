#!/usr/bin/env python3
"""Checks docker-compose.yml without containers: each variable that it gives to a program reaches all the programs that read it, and no
others. Who reads what is said in deploy/OPERATING.md, "Without containers"; the doctor is the tool."""

import pathlib
import re
import sys

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
SERVICES = {"ingestor", "rules", "notifier", "gateway"}
# Words of the table's second column.
READERS = {name: {name} for name in SERVICES | {"aqua", "migrate"}}
READERS |= {"doctor": {"aqua"}, "services": SERVICES, "all": SERVICES | {"aqua", "migrate"}}


def read_by():
    """The programs by variable."""
    chapter = (ROOT / "deploy/OPERATING.md").read_text().partition("\n## Without containers\n")[2]
    rows = re.findall(r"^\| (`AQUA_[^|]*) \| ([^|]*) \|", chapter, re.MULTILINE)
    return {name: set().union(*(READERS.get(word, ()) for word in re.findall(r"[\w-]+", readers)))
            for names, readers in rows for name in re.findall(r"AQUA_\w+", names)}


def given_to():
    """The programs by variable, as far as the file gives it to any."""
    given = {}
    for service, what in yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"].items():
        program = "aqua" if service == "doctor" else service
        for name in what.get("environment", ()):
            if program in READERS and name.startswith("AQUA_"):
                given.setdefault(name, set()).add(program)
    return given


def main():
    readers, faults = read_by(), []
    for name, programs in sorted(given_to().items()):
        if name not in readers:
            faults.append(f"deploy/OPERATING.md does not say who reads {name}")
            continue
        faults += [f"{program} reads {name} and is not given it" for program in sorted(readers[name] - programs)]
        faults += [f"{program} is given {name} and does not read it" for program in sorted(programs - readers[name])]
    if faults:
        sys.exit("\n".join(faults))


main()
