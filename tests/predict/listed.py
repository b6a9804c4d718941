#!/usr/bin/env python3
"""The races or deadlocks that heddle predict lists, against brute force on random traces.

listed.py HEDDLE DIRECTORY race|deadlock COUNT [FIRST]   DIRECTORY is for the traces.
Trace number i is made from i alone.  Every state that some reordering of it can reach is visited; the
pairs of conflicting accesses that are next together in one of them are the races there are, and the
requests for locks that wait for each other in a circle are the deadlocks.  The list that heddle predict
prints must be the same set: of events when every event has a place of its own or none, of places
otherwise.  Nothing here is shared with heddle's engine.
"""
import json
import os
import random
import subprocess
import sys

READS, WRITES, ATOMIC = {"r", "ar", "rmw"}, {"w", "aw", "rmw"}, {"ar", "aw", "rmw"}
MODELS = ("cdsr", "branch", "csr")


class Event:
    def __init__(self, thread, op, name="", glue=""):
        self.thread, self.op, self.name, self.glue = thread, op, name, glue
        self.place = ""
        self.after = []  # of a wait: the events that let it go on

    def __str__(self):
        return self.op + ("(%s)" % self.name if self.name else "")


# ---- random executions ----

class Maker:
    """Executes a random program, one event at a time."""

    def __init__(self, number, kind):
        self.rng = rng = random.Random(number)
        self.threads, self.locks, self.vars = rng.randint(2, 4), rng.randint(0, 2), rng.randint(1, 3)
        self.locked = 0.4
        if kind == "deadlock":
            self.threads, self.locks, self.vars = rng.randint(2, 3), rng.randint(2, 3), 1
            self.locked = 0.9
        self.nests = kind == "deadlock"
        self.forks, self.signals, self.shared, self.atomics, self.branches, self.barrier, self.glue = (
            rng.random() < p for p in (0.25, 0.2, 0.2, 0.25, 0.5, 0.15, 0.3))
        self.events, self.holds = [], {}  # (lock, thread) -> shared
        self.born, self.ended = {0} if self.forks else set(range(self.threads)), set()
        self.last_signal = self.arrived = None
        self.rounds = 2
        self.length = rng.randint(5, 18 - 2 * self.threads)
        if kind == "deadlock":
            self.length = rng.randint(10, 22)

    def add(self, thread, op, name=""):
        """Often one step with the event before, sometimes even one access."""
        glue, before = "", self.events[-1] if self.events else None
        if self.glue and before and before.thread == thread and self.rng.random() < 0.6 \
                and op not in ("fork", "sig", "wait", "arrive", "leave"):
            same = op == before.op and op in READS | WRITES and name != before.name
            glue = "&" if same and self.rng.random() < 0.7 else "+"
        self.events.append(Event(thread, op, name, glue))
        return self.events[-1]

    def lock(self, thread):
        lock, mine = self.rng.randrange(self.locks), [l for l, t in self.holds if t == thread]
        if self.nests and len(mine) == 1 and self.rng.random() < 0.6:
            lock = (mine[0] + 1 + self.rng.randrange(self.locks - 1)) % self.locks
        others = [s for (l, t), s in self.holds.items() if l == lock and t != thread]
        if (lock, thread) in self.holds:
            del self.holds[lock, thread]
            self.add(thread, "rel", "l%d" % lock)
        elif self.shared and self.rng.random() < 0.5 and all(others):
            self.holds[lock, thread] = True
            self.add(thread, "racq", "l%d" % lock)
        elif not others:
            self.holds[lock, thread] = False
            self.add(thread, "acq", "l%d" % lock)

    def access(self, thread):
        words = ["r", "w"] + (["ar", "aw", "rmw"] if self.atomics else [])
        self.add(thread, self.rng.choice(words), "x%d" % self.rng.randrange(self.vars))

    def signal(self, thread):
        if self.last_signal is not None and self.rng.random() < 0.6:
            self.add(thread, "wait", "c").after = [self.last_signal]
        else:
            self.add(thread, "sig", "c")
            self.last_signal = len(self.events) - 1

    def life(self, thread):
        other = self.rng.randrange(self.threads)
        if other not in self.born:
            self.born.add(other)
            self.add(thread, "fork", "T%d" % other)
        elif other not in (thread, 0):
            self.ended.add(other)
            self.add(thread, "join", "T%d" % other)

    def meet(self):
        """All live threads pass one barrier."""
        live = sorted(self.born - self.ended, key=lambda _: self.rng.random())
        arrivals = []
        for thread in live:
            self.add(thread, "arrive", "b")
            arrivals.append(len(self.events) - 1)
        for thread in sorted(live, key=lambda _: self.rng.random()):
            self.add(thread, "leave", "b").after = arrivals
        self.rounds -= 1

    def step(self):
        thread, kind = self.rng.randrange(self.threads), self.rng.random()
        if self.glue and self.events and self.rng.random() < 0.5:
            thread = self.events[-1].thread
        if thread not in self.born or thread in self.ended:
            return
        if self.forks and kind < 0.12:
            self.life(thread)
        elif self.signals and kind < 0.25:
            self.signal(thread)
        elif self.branches and kind < 0.35:
            self.add(thread, "br")
        elif self.barrier and self.rounds > 0 and kind > 0.9:
            self.meet()
        elif self.locks and self.rng.random() < self.locked:
            self.lock(thread)
        else:
            self.access(thread)

    def make(self):
        for _ in range(200):
            if len(self.events) < self.length:
                self.step()
        style = self.rng.choice(("own", "own", "few", "none"))
        for i, e in enumerate(self.events):
            e.place = {"own": "p%d" % i, "few": self.rng.choice("abc"), "none": ""}[style]
        return self.events


# ---- meaning ----

class World:
    """Every reordering of one execution, step by step; a step is an event and what is glued to it.

    An access is next when its step is, and what is before it in the step (other than parts of the
    same access) could happen now.
    """

    def __init__(self, events, model):
        self.events, self.model = events, model
        self.count = 1 + max([e.thread for e in events]
                             + [int(e.name[1:]) for e in events if e.op == "fork"])
        self.steps, self.sees, last = [[] for _ in range(self.count)], {}, {}
        self.fork, self.at = {}, {}
        for i, e in enumerate(events):
            if e.glue:
                self.steps[e.thread][-1].append(i)
            else:
                self.steps[e.thread].append([i])
            self.at[i] = len(self.steps[e.thread]) - 1
            if e.op in READS:
                self.sees[i] = last.get(e.name)
            if e.op in WRITES:
                last[e.name] = i
            if e.op == "fork":
                self.fork[int(e.name[1:])] = i

    def done(self, at, i):
        return at[self.events[i].thread] > self.at[i]

    def alive(self, at, thread):
        return thread not in self.fork or self.done(at, self.fork[thread])

    def event(self, at, memory, locks, spoilt, i):
        """Carries out one event on copies; False when it is impossible now."""
        e, t = self.events[i], self.events[i].thread
        if e.op == "acq":
            if any(l == e.name for l, _, _ in locks):
                return False
            locks.add((e.name, t, False))
        elif e.op == "racq":
            if any(l == e.name and not s for l, _, s in locks):
                return False
            locks.add((e.name, t, True))
        elif e.op == "rel":
            locks -= {x for x in locks if x[0] == e.name and x[1] == t}
        elif e.op == "join":
            other = int(e.name[1:])
            return at[other] == len(self.steps[other]) if other < self.count else True
        elif e.op in ("wait", "leave"):
            return all(self.done(at, j) for j in e.after)
        elif e.op == "br":
            return t not in spoilt or self.model == "csr"
        if e.op in READS and self.model != "csr":
            if memory.get(e.name, (None, False)) != (self.sees[i], False):
                if self.model == "cdsr":
                    return False
                spoilt.add(t)
        if e.op in WRITES and self.model != "csr":
            memory[e.name] = (i, t in spoilt)
        return True

    def step(self, state, thread):
        at, memory, locks, spoilt = state
        memory, locks, spoilt = dict(memory), set(locks), set(spoilt)
        for i in self.steps[thread][at[thread]]:
            if not self.event(at, memory, locks, spoilt, i):
                return None
        at = at[:thread] + (at[thread] + 1,) + at[thread + 1:]
        return at, frozenset(memory.items()), frozenset(locks), frozenset(spoilt)

    def next_in(self, state, thread):
        """Events of the thread's next step that are next."""
        at, memory, locks, spoilt = state
        memory, locks, spoilt = dict(memory), set(locks), set(spoilt)
        out, possible, open_ = [], True, True
        for i in self.steps[thread][at[thread]]:
            if self.events[i].glue != "&":
                open_ = possible
            if open_:
                out.append(i)
            possible = possible and self.event(at, memory, locks, spoilt, i)
        return out

    def conflict(self, i, j):
        a, b = self.events[i], self.events[j]
        return (a.op in READS | WRITES and b.op in READS | WRITES and a.name == b.name
                and (a.op in WRITES or b.op in WRITES)
                and not (a.op in ATOMIC and b.op in ATOMIC)
                and not self.excluded(i, j))

    def held(self, i):
        out = {}
        for j, e in enumerate(self.events[:i]):
            if e.thread == self.events[i].thread and e.op in ("acq", "racq"):
                out[e.name] = e.op
            elif e.thread == self.events[i].thread and e.op == "rel":
                out.pop(e.name, None)
        return out

    def excluded(self, i, j):
        a, b = self.held(i), self.held(j)
        return any(l in b and "acq" in (a[l], b[l]) for l in a)

    def circles(self, state, ready):
        """Sets of requests of which each waits for a lock that the next one's thread has."""
        wants = {t: self.steps[t][state[0][t]][0] for t in ready
                 if self.events[self.steps[t][state[0][t]][0]].op in ("acq", "racq")}
        waits = {t: {u for l, u, s in state[2] if u in wants and u != t and l == self.events[i].name
                     and not (s and self.events[i].op == "racq")} for t, i in wants.items()}

        def walk(path):
            for u in waits[path[-1]]:
                if u == path[0] and len({self.events[wants[t]].name for t in path}) == len(path):
                    yield tuple(sorted(wants[t] for t in path))
                elif u not in path and u > path[0]:
                    yield from walk(path + [u])

        return {c for t in waits for c in walk([t])}

    def visit(self, look):
        """look(state, ready) of every state."""
        start = (0,) * self.count, frozenset(), frozenset(), frozenset()
        seen, work = {start}, [start]
        while work:
            state = work.pop()
            at = state[0]
            ready = [t for t in range(self.count)
                     if at[t] < len(self.steps[t]) and self.alive(at, t)]
            look(state, ready)
            for t in ready:
                new = self.step(state, t)
                if new is not None and new not in seen:
                    seen.add(new)
                    work.append(new)

    def races(self):
        next_to = set()

        def look(state, ready):
            open_ = {t: self.next_in(state, t) for t in ready}
            next_to.update((i, j) for a in ready for b in ready if a < b
                           for i in open_[a] for j in open_[b])

        self.visit(look)
        return {pair for pair in next_to if self.conflict(*pair)}

    def deadlocks(self):
        found = set()
        self.visit(lambda state, ready: found.update(self.circles(state, ready)))
        return found


# ---- comparison ----

def write(events, path, std):
    with open(path, "w") as out:
        for e in events:
            if std:
                out.write("T%d|%s|%s\n" % (e.thread, e, e.place))
            else:
                out.write("T%d %s%s%s\n" % (e.thread, e.glue, e,
                                            "%" + e.place if e.place else ""))


def key(events, i):
    e = events[i]
    op = "acq" if "acq" in e.op else e.op.replace("a", "")
    return (e.place or "#%d" % i, op, e.name)


def listed(report):
    """{events: model} as printed; None in place of a model that is not feasible."""
    out = {}
    for f in report["findings"]:
        this = tuple(sorted((x["site"] or "#%d" % (x["line"] - 1), x["operation"], x["object"])
                            for x in f["events"]))
        if this in out and f["kind"] == "race":
            return None
        out[this] = f["model"] if f["answer"] == "feasible" else None
    return out


def meant(events, model, kind):
    """{events: narrowest model that has it}."""
    models = [m for m in MODELS[:MODELS.index(model) + 1]
              if m != "branch" or any(e.op == "br" for e in events)]
    out = {}
    for m in models:
        world = World(events, m)
        for found in world.races() if kind == "race" else world.deadlocks():
            out.setdefault(tuple(sorted(key(events, i) for i in found)), m)
    return out


def ask(tool, model, kind, paths):
    every = ["--all"] if kind == "deadlock" else []  # not one for all of the same locks and threads
    p = subprocess.run([tool, "predict", "--json", "--find=" + kind, "--model=" + model, *every, *paths],
                       capture_output=True, text=True)
    if p.returncode not in (0, 1):
        raise RuntimeError("exit status %d: %s" % (p.returncode, p.stderr.strip()[-300:]))
    return json.loads(p.stdout)["files"]


def compare(tool, directory, kind, numbers, model):
    traces, wrong, races = [], [], 0
    for n in numbers:
        events = Maker(n, kind).make()
        path = os.path.join(directory, "%d.trace" % n)
        write(events, path, not any(e.glue for e in events) and n % 2 == 0)
        traces.append((n, events, path))
    for (n, events, path), report in zip(traces, ask(tool, model, kind, [t[2] for t in traces])):
        want, have = meant(events, model, kind), listed(report)
        races += len(want)
        if have is None or set(have) != set(want) or None in have.values():
            wrong.append((n, path, want, have))
        elif len({e.place for e in events}) == len(events) and have != want:
            wrong.append((n, path, want, have))
        else:
            os.unlink(path)
    return wrong, races


def main():
    tool, directory, kind, count = *sys.argv[1:4], int(sys.argv[4])
    first = int(sys.argv[5]) if len(sys.argv) > 5 else 1
    bad, races, least = [], 0, count if kind == "race" else count // 20
    for i in range(first, first + count, 100):
        numbers = range(i, min(i + 100, first + count))
        wrong, found = compare(tool, directory, kind, numbers, MODELS[i // 100 % 3])
        bad += wrong
        races += found
    for n, path, want, have in bad[:5]:
        print("    trace %d: %s" % (n, "; ".join(open(path).read().splitlines())))
        print("      meant  %s" % sorted((sorted(p), m) for p, m in want.items()))
        print("      listed %s" % sorted((sorted(p), m) for p, m in (have or {}).items()))
    print("    %d traces, %d %ss, %d traces with another list" % (count, races, kind, len(bad)))
    good = not bad and races > least
    print("%s listed-%ss-are-those-there-are" % ("ok" if good else "not ok", kind))
    return 0 if good else 1


try:
    sys.exit(main())
except RuntimeError as e:
    print("    %s" % e)
    print("not ok listed-%ss-are-those-there-are" % sys.argv[3])
    sys.exit(1)
