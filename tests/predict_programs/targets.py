#!/usr/bin/env python3
"""What heddle predict says of every program under tests/targets, as a table.

targets.py [--seeds=N] [--model=M] HEDDLE DIRECTORY SOURCE...   DIRECTORY is for what is built.
Each program is run once per seed (1 to N); the run is analysed in the model and every prediction is
run again along its witness.  Columns: what the program's head expects of heddle check; runs analysed, and of
these the ones that failed by themselves; then distinct findings of each kind, predictions, how many
of them were confirmed, how many of these runs then failed, and how many diverged.  The last column
has remarks: unknown answers, runs that could not be confirmed or analysed.

Prints the table, then "ok NAME is sound" or "not ok ..." per program: no prediction diverges, and no
prediction makes a correct program fail.
"""
import json
import os
import re
import subprocess
import sys

KINDS = ("race", "deadlock", "atomicity")
HEAD = ["program", "expected", "runs", "failed", "race", "deadlock", "atomicity", "predicted",
        "confirmed", "then failed", "diverged", "remarks"]


def field(source, name):
    m = re.search(r"^ \* %s: *(.*)$" % name, open(source).read(), re.M)
    return m.group(1).split() if m else []


def build(heddle, directory, source):
    binary = os.path.join(directory, os.path.basename(source).replace(".", "_"))
    compiler = "c++" if source.endswith(".cc") else "cc"
    p = subprocess.run([heddle, compiler, "-g", "-O1", "-pthread", *field(source, "flags"), "-o",
                        binary, source], capture_output=True, text=True)
    if p.returncode:
        raise RuntimeError("does not build: " + p.stderr[-200:])
    return binary


def predict(heddle, binary, seed, model):
    p = subprocess.run([heddle, "predict", "--confirm", "--all", "--json", "--seed=%d" % seed,
                        "--model=" + model, binary], capture_output=True, text=True, timeout=120,
                       stdin=subprocess.DEVNULL)
    if p.returncode not in (0, 1, 4):
        raise RuntimeError(p.stderr.strip().splitlines()[-1])
    return json.loads(p.stdout)["files"][0]


class Row:
    def __init__(self):
        self.runs = self.failed = self.predicted = self.confirmed = self.then_failed = 0
        self.diverged, self.distinct, self.remarks, self.wrong = 0, set(), set(), []

    def add(self, report, correct):
        self.runs += 1
        self.failed += "failed" in report["ended"]
        for f in report["findings"]:
            if f["answer"] != "feasible":
                self.remarks.add("unknown " + f["kind"])
                continue
            self.predicted += 1
            self.distinct.add((f["kind"], f["title"]))
            how = f.get("confirmation")
            if f.get("confirmed"):
                self.confirmed += 1
                self.then_failed += "failed" in how
                if correct and "failed" in how:
                    self.wrong.append("%s: %s: %s" % (f["kind"], f["title"], how))
            elif how is None:
                self.remarks.add("not run")
            else:
                self.diverged += "diverged" in how
                self.wrong.append("%s: %s: %s" % (f["kind"], f["title"], how))

    def cells(self, name, expected):
        kinds = [sum(k == kind for k, _ in self.distinct) for kind in KINDS]
        return [name, expected, self.runs, self.failed, *kinds, self.predicted, self.confirmed,
                self.then_failed, self.diverged, "; ".join(sorted(self.remarks))]


def examine(heddle, directory, source, seeds, model):
    row = Row()
    correct = "/correct/" in os.path.abspath(source)
    try:
        binary = build(heddle, directory, source)
        for seed in range(1, seeds + 1):
            row.add(predict(heddle, binary, seed, model), correct)
    except subprocess.TimeoutExpired:
        row.remarks.add("not finished in time")
    except RuntimeError as e:
        row.remarks.add(str(e))
    return row


def main():
    options = dict(a[2:].split("=", 1) for a in sys.argv[1:] if a.startswith("--"))
    heddle, directory, *sources = [a for a in sys.argv[1:] if not a.startswith("--")]
    seeds, model = int(options.get("seeds", 1)), options.get("model", "cdsr")
    rows = [(s, examine(heddle, directory, s, seeds, model)) for s in sources]
    lines = [HEAD] + [row.cells(
        os.path.basename(os.path.dirname(s)) + "/" + os.path.basename(s),
        " ".join(field(s, "expect")) or "nothing") for s, row in rows]
    width = [max(len(str(line[i])) for line in lines) for i in range(len(HEAD))]
    for line in lines:
        print("    " + "  ".join(str(c).ljust(w) for c, w in zip(line, width)).rstrip())
    for source, row in rows:
        name = os.path.basename(os.path.dirname(source)) + "/" + os.path.basename(source)
        print("%s targets %s %s is sound" % ("not ok" if row.wrong else "ok", model, name))
        for text in row.wrong[:5]:
            print("    " + text)
        if row.runs == 0:
            print("not ok targets %s %s is examined" % (model, name))


main()
