#!/usr/bin/env python3
"""Programs in which one access covers several variables, or a part of one.

parts.py HEDDLE DIRECTORY SOURCE...   DIRECTORY is for what is built.
Places in a source are named by a comment at the end of their line; its head says which of them race
("expect race A B") or lose an update ("expect atomicity A C B"), or "expect nothing".  Over a few seeds
exactly these must be predicted, and every prediction must happen when the program is run along it.
"""
import os
import re
import sys

from recording import heddle, predict, say

SEEDS = range(1, 9)


def head(source):
    text = open(source).read()
    marks = {i: m.group(1) for i, line in enumerate(text.splitlines(), 1)
             for m in [re.search(r"; /\* (\w+) \*/$", line)] if m}
    want = [tuple(w.split()) for w in re.findall(r"^ \* expect (.+)$", text, re.M)]
    return marks, {key(w[0], w[1:]) for w in want if w != ("nothing",)}, bool(want)


def key(kind, places):
    return kind, tuple(sorted(places) if kind == "race" else places)


def places(finding, marks):
    lines = [int(re.search(r":(\d+):\d+$", e["site"]).group(1)) for e in finding["events"]]
    return [marks.get(line, "line %d" % line) for line in lines]


def examine(tool, directory, source):
    marks, want, stated = head(source)
    name = os.path.basename(source)
    binary, found, wrong = os.path.join(directory, name.replace(".", "_")), set(), []
    heddle(tool, "c++" if name.endswith(".cc") else "cc", "-g", "-O1", "-o", binary, source, "-pthread",
           accept=(0,))
    for seed in SEEDS:
        for f in predict(tool, "--confirm", "--seed=%d" % seed, binary)["findings"]:
            this = key(f["kind"], places(f, marks))
            found.add(this)
            if f["answer"] != "feasible" or not f.get("confirmed"):
                wrong.append("seed %d: %s %s: %s" % (seed, f["answer"], this, f.get("confirmation")))
    wrong += ["not predicted: %s %s" % x for x in want - found]
    wrong += ["predicted, but not there: %s %s" % x for x in found - want]
    return wrong if stated else ["its head says nothing"]


def main():
    tool, directory, *sources = sys.argv[1:]
    failed = 0
    for source in sources:
        try:
            wrong = examine(tool, directory, source)
        except (RuntimeError, AttributeError, TypeError) as e:
            wrong = [str(e)]
        say("parts", os.path.basename(source), wrong)
        failed |= bool(wrong)
    return failed


sys.exit(main())
