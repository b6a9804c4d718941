"""What the scripts here share: heddle's answers as data, and a recording as an execution in words."""
import json
import os
import re
import subprocess

# Columns of the table of published figures: name there -> where heddle predict has it.
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
IGNORED = ("begin", "end", "exit", "sleep", "yield", "atomic-begin", "atomic-end")


class Event:
    """One event of an execution; `at' is its place in the recording."""

    def __init__(self, at, logged, op, name):
        self.at, self.thread, self.op, self.name = at, logged["thread"], op, name
        self.atomic = op in "rw" and logged["aux"] & 7 != 0
        self.begins = None  # of a release: the condition its thread begins to wait for
        self.signal = None  # of a wait: number of the event that ended it
        self.all = False    # of a signal: a broadcast


GLUED, HIDDEN = 0x100, 0x200


def kept_aside(logged):
    """Addresses that hold no variable of the program: of one thread only, the id of a thread it made
    or what the library keeps for it; the clock, when nobody asks for the time."""
    users, keeps, asked = {}, set(), set()
    leader = None  # the last event that is not glued to another
    for e in logged:
        access = e["kind"] in ("read", "write")
        if not access or not e["aux"] & GLUED:
            leader = e["kind"]
        if not access:
            continue
        users.setdefault(e["address"], set()).add(e["thread"])
        if leader == "create" or e["aux"] & HIDDEN:
            keeps.add(e["address"])
        if leader != "sleep":
            asked.add(e["address"])
    return {a for a in keeps if len(users[a]) == 1 or a not in asked}


def events(program, bundle):
    """The events of a recording, straight from what the guest logged."""
    out, signals = [], []  # signals: [number, thread, condition, waiters still to be woken]
    logged = json.loads(heddle(program, "info", "--events", "--json", bundle))["events"]
    aside = kept_aside(logged)
    for at, e in enumerate(logged):
        kind = e["kind"]
        if kind in ("read", "write") and e["address"] in aside:
            continue
        if kind in ("create", "join"):
            out.append(Event(at, e, WORDS[kind], e["aux"]))
        elif kind in WORDS:
            out.append(Event(at, e, WORDS[kind], e["address"]))
            if WORDS[kind] == "sig":
                out[-1].all = kind == "broadcast"
                signals.append([len(out) - 1, e["thread"], e["address"], e["aux"]])
        elif kind == "wait":
            out.append(Event(at, e, "rel", e["value"]))
            out[-1].begins = e["address"]
        elif kind == "wake":
            out.append(Event(at, e, "wait", e["address"]))
            out[-1].signal = woken_by(out, signals, e)
            out.append(Event(at, e, "acq", e["value"]))
        elif kind not in IGNORED:
            raise RuntimeError("unexpected event " + kind)
    return out


def woken_by(out, signals, wake):
    """The first signal of the waker that can have ended this wait."""
    began = max(i for i, e in enumerate(out) if e.thread == wake["thread"]
                and e.begins == wake["address"])
    for s in signals:
        if s[0] > began and s[1:3] == [wake["aux"], wake["address"]] and s[3] > 0:
            s[3] -= 1
            return s[0]
    raise RuntimeError("a wake-up without a signal")


def recorded(program, bundle):
    """The same as (thread, op, object)."""
    return [("T%d" % e.thread, e.op, "T%d" % e.name if e.op in ("fork", "join") else e.name)
            for e in events(program, bundle)]


def accesses(program, path):
    """Numbers of the accesses of memory among heddle predict's events, in order."""
    words = [w for line in heddle(program, "predict", "--convert=native", path).splitlines()
             for w in line.split()[1:] if not line.startswith(("#", "?"))]
    return [i for i, w in enumerate(words) if re.match(r"a?[rw]\(", w) and "_waits_for_" not in w]


def record(program, directory, source):
    """Builds a program and records its first depth-first schedule; returns the bundle."""
    name = os.path.basename(source).rsplit(".", 1)[0]
    binary, bundle = os.path.join(directory, name), os.path.join(directory, name + ".heddle")
    heddle(program, "cc", "-g", "-O1", "-Wall", "-Wextra", "-Werror", "-o", binary, source,
           "-pthread", accept=(0,))
    heddle(program, "run", "-q", "--strategy=dfs", "-o", bundle, binary, accept=(0,))
    return bundle


def say(name, what, wrong):
    print("%s %s %s" % ("not ok" if wrong else "ok", name, what))
    for line in wrong[:10]:
        print("    " + line)


def written(program, trace):
    """The events of a trace file, from its native form."""
    out = []
    for line in heddle(program, "predict", "--convert=native", trace).splitlines():
        words = line.split()
        for word in words[1:] if words and not line.startswith(("#", "?")) else []:
            op, name = re.match(r"(\w+)\(([^)]*)\)", word).groups()
            out.append((words[0], op, name))
    return out
