"""What the scripts here share: heddle's answers as data, and a recording as an execution in words."""
import json
import re
import subprocess

# Columns of the table of spec'd figures: name there -> where heddle predict has it.
STATISTICS = {"thr": "threads", "lks": "locks", "cvs": "conditions", "vars": "locations",
              "evs": "events", "lkevs": "lock_events", "coevs": "condition_events",
              "reads": "reads", "writes": "writes"}
COUNTS = {"r-p": "ls", "r-hb": "hb", "r-ucg": "ucg", "r-csr": "csr", "r-poly": "cdsr",
          "r-cp": "cpd", "syncp": "syncp"}


def heddle(program, *args, accept=(0, 1, 4)):
    p = subprocess.run([program, *args], capture_output=True, text=True)
    if p.returncode not in accept:
        raise RuntimeError("heddle %s: %s" % (" ".join(args), p.stderr.strip()[-300:]))
    return p.stdout


def predict(program, *args):
    return json.loads(heddle(program, "predict", "--json", *args))["files"][0]


def figures(report):
    """All columns of a report made with --table."""
    have = {k: report["trace"][v] for k, v in STATISTICS.items()}
    have.update({k: sum(r[v] == "1" for r in report["table"]) for k, v in COUNTS.items()})
    return have


def expected(path):
    """The figures that lines "expect key value ..." of a file ask for."""
    want = {}
    for line in open(path):
        m = re.match(r"(?:#| \*) expect ((?:\S+ \d+ ?)+)$", line.rstrip())
        if m:
            words = m.group(1).split()
            want.update(zip(words[0::2], map(int, words[1::2])))
    return want


def differences(want, have):
    return ["%s %d instead of %d" % (k, have[k], v) for k, v in want.items() if have[k] != v]


def renamed(events):
    """(thread, op, object) with objects numbered by first use, so that names do not matter."""
    numbers = {}
    kinds = {"acq": "l", "rel": "l", "sig": "c", "wait": "c", "fork": "t", "join": "t"}
    out = []
    for thread, op, name in events:
        kind = kinds.get(op, "v")
        if kind != "t":
            name = numbers.setdefault((kind, name), "%s%d" % (kind, len(numbers)))
        out.append("%s %s(%s)" % (thread, op, name))
    return out


WORDS = {"read": "r", "write": "w", "lock": "acq", "unlock": "rel", "signal": "sig",
         "broadcast": "sig", "create": "fork", "join": "join"}


def recorded(program, bundle):
    """The events of a recording, straight from what the guest logged."""
    out = []
    for e in json.loads(heddle(program, "info", "--events", "--json", bundle))["events"]:
        thread, kind = "T%d" % e["thread"], e["kind"]
        if kind in ("create", "join"):
            out.append((thread, WORDS[kind], "T%d" % e["aux"]))
        elif kind in WORDS:
            out.append((thread, WORDS[kind], e["address"]))
        elif kind == "wait":
            out.append((thread, "rel", e["value"]))
        elif kind == "wake":
            out.append((thread, "wait", e["address"]))
            out.append((thread, "acq", e["value"]))
        elif kind not in ("begin", "end", "exit", "sleep", "atomic-begin", "atomic-end"):
            raise RuntimeError("unexpected event " + kind)
    return out


def written(program, trace):
    """The events of a trace file, from its native form."""
    out = []
    for line in heddle(program, "predict", "--convert=native", trace).splitlines():
        words = line.split()
        for word in words[1:] if words and not line.startswith(("#", "?")) else []:
            op, name = re.match(r"(\w+)\(([^)]*)\)", word).groups()
            out.append((words[0], op, name))
    return out
