"""What the methods mean, spelled out over an execution; shares nothing with heddle's engine.

Race candidates are numbers (a, b) of events.  The models are decided by walking every reachable
state of every reordering: a pair races when some state has both of its events next.
"""


def threads_of(events):
    n = 1 + max([e.thread for e in events] + [e.name for e in events if e.op == "fork"])
    order = [[] for _ in range(n)]
    for i, e in enumerate(events):
        order[e.thread].append(i)
    return order


def locksets(events):
    held, out = {}, []
    for e in events:
        mine = held.setdefault(e.thread, set())
        out.append(frozenset(mine))
        if e.op == "acq":
            mine.add(e.name)
        elif e.op == "rel":
            mine.discard(e.name)
    return out


def candidates(events):
    locks = locksets(events)
    by_name = {}
    for i, e in enumerate(events):
        if e.op in "rw":
            by_name.setdefault(e.name, []).append(i)
    return {(a, b) for group in by_name.values() for a in group for b in group
            if a < b and events[a].thread != events[b].thread
            and "w" in (events[a].op, events[b].op)
            and not (events[a].atomic and events[b].atomic) and not locks[a] & locks[b]}


# ---- reorderings ----

def seen_writes(events):
    sees, last = {}, {}
    for i, e in enumerate(events):
        if e.op == "r":
            sees[i] = last.get(e.name)
        elif e.op == "w":
            last[e.name] = i
    return sees


def unsettled(events, keep):
    """Locations with conflicting accesses that no order common to all reorderings decides.

    Such an order is fork, join and signals, and with reads that must be kept, the write before its
    read.  It must lead to the event before the later access: what that one reads by itself, it does
    not when it is only next.
    """
    edges, _ = base_edges(events)
    if keep:
        edges += [(w, r) for r, w in seen_writes(events).items() if w is not None]
    after, users, before = closure(events, edges), {}, {}
    fork = {e.name: i for i, e in enumerate(events) if e.op == "fork"}
    for thread, order in enumerate(threads_of(events)):
        before.update(zip(order, [fork.get(thread)] + order))
    for i, e in enumerate(events):
        if e.op in "rw":
            users.setdefault(e.name, []).append(i)
    return {x for x, all_ in users.items()
            if any("w" in (events[a].op, events[b].op) and events[a].thread != events[b].thread
                   and (before[b] is None or not after[a] >> before[b] & 1)
                   for a in all_ for b in all_ if a < b)}


class Walk:
    """State: how far each thread is, and under CDSR the last write of every location that matters."""

    def __init__(self, events, keep_reads, pairs):
        self.events, self.order, self.keep = events, threads_of(events), keep_reads
        self.pairs = pairs
        self.pos = {e: (e_.thread, self.order[e_.thread].index(e)) for e, e_ in enumerate(events)}
        self.fork = {e.name: i for i, e in enumerate(events) if e.op == "fork"}
        self.sees = seen_writes(events)
        self.shared = sorted(unsettled(events, keep_reads)) if keep_reads else []
        self.slot = {x: i for i, x in enumerate(self.shared)}
        self.visible = {i for pair in pairs for i in pair}
        self.woken, self.began = {}, {}
        for i, e in enumerate(events):
            if e.op == "wait":
                before = [j for j in self.order[e.thread] if j < i][-1]
                self.began[i] = before
                self.woken.setdefault(e.signal, []).append(i)
        locks = locksets(events)
        self.held = [[locks[i] for i in thread] + [frozenset()] for thread in self.order]

    def done(self, at, e):
        thread, i = self.pos[e]
        return at[thread] > i

    def free(self, at, lock):
        return not any(lock in self.held[thread][n] for thread, n in enumerate(at))

    def somebody_waits(self, at, cond, but):
        for wait, began in self.began.items():
            if self.events[wait].name == cond and wait not in but and self.done(at, began) \
                    and not self.done(at, self.events[wait].signal):
                return True
        return False

    def may(self, at, last, i):
        e = self.events[i]
        if e.op == "acq":
            return self.free(at, e.name)
        if e.op == "join":
            return at[e.name] == len(self.order[e.name])
        if e.op == "wait":
            return self.done(at, e.signal)
        if e.op == "sig":
            woken = self.woken.get(i, [])
            if not all(self.done(at, self.began[w]) for w in woken):
                return False
            picks_one = woken and not e.all  # whoever else waits then goes on waiting
            return not self.keep or picks_one or not self.somebody_waits(at, e.name, woken)
        if e.op == "r" and self.keep and e.name in self.slot:
            return last[self.slot[e.name]] == self.sees[i]
        return True

    def silent(self, i):
        e = self.events[i]
        return e.op in "rw" and (e.name not in self.slot if self.keep else i not in self.visible)

    def step(self, at, last, i):
        e = self.events[i]
        at = at[:e.thread] + (at[e.thread] + 1,) + at[e.thread + 1:]
        if self.keep and e.op == "w" and e.name in self.slot:
            k = self.slot[e.name]
            last = last[:k] + (i,) + last[k + 1:]
        return self.hurry(at, last)

    def hurry(self, at, last):
        """Silent accesses are always possible and change nothing for others."""
        at = list(at)
        for thread, n in enumerate(at):
            while n < len(self.order[thread]) and self.silent(self.order[thread][n]) \
                    and self.alive(at, thread):
                n += 1
            at[thread] = n
        return tuple(at), last

    def alive(self, at, thread):
        return thread not in self.fork or self.done(at, self.fork[thread])

    def next_events(self, at):
        return [self.order[t][n] for t, n in enumerate(at)
                if n < len(self.order[t]) and self.alive(at, t)]

    def races(self):
        """The pairs that are next together in some state."""
        found, start = set(), self.hurry((0,) * len(self.order), (None,) * len(self.shared))
        seen, work = {start}, [start]
        while work:
            at, last = work.pop()
            ready = self.next_events(at)
            for a in ready:
                found.update((a, b) for b in ready if (a, b) in self.pairs)
            for i in ready:
                if self.may(at, last, i):
                    new = self.step(at, last, i)
                    if new not in seen:
                        seen.add(new)
                        work.append(new)
        return found


# ---- orders ----

def closure(events, edges):
    """after[i]: bit set of the events that i comes before (or is), given edges along the trace."""
    after, out = [1 << i for i in range(len(events))], {}
    for a, b in edges:
        out.setdefault(a, []).append(b)
    for i in reversed(range(len(events))):
        for b in out.get(i, ()):
            after[i] |= after[b]
    return after


def base_edges(events):
    order, edges = threads_of(events), []
    fork = {e.name: i for i, e in enumerate(events) if e.op == "fork"}
    for thread in order:
        edges += zip(thread, thread[1:])
        if thread and events[thread[0]].thread in fork:
            edges.append((fork[events[thread[0]].thread], thread[0]))
    between = []
    for i, e in enumerate(events):
        if e.op == "join" and order[e.name]:
            between.append((order[e.name][-1], i))
        elif e.op == "wait":
            between.append((e.signal, i))
    between += [(f, order[t][0]) for t, f in fork.items() if order[t]]
    return edges + between, between


def sections(events):
    """(acq, rel, lock) of every critical section; rel is None when it stays open."""
    out, open_ = [], {}
    for i, e in enumerate(events):
        if e.op == "acq":
            open_[e.thread, e.name] = len(out)
            out.append([i, None, e.name])
        elif e.op == "rel":
            out[open_.pop((e.thread, e.name))][1] = i
    return out


def happens_before(events):
    edges, _ = base_edges(events)
    last = {}
    for acq, rel, lock in sections(events):
        if lock in last:
            edges.append((last[lock], acq))
        last[lock] = rel
    return closure(events, edges)


def causal_precedence(events):
    """after[i] of the smallest relation that section 9's rules a, b and c generate."""
    hb, (_, cp) = happens_before(events), base_edges(events)
    cp, parts = set(cp), sections(events)
    inside = [[i for i in range(a, (r if r is not None else len(events) - 1) + 1)
               if events[i].thread == events[a].thread] for a, r, _ in parts]
    pairs = [(p, q) for p in range(len(parts)) for q in range(len(parts))
             if parts[p][0] < parts[q][0] and parts[p][2] == parts[q][2]
             and events[parts[p][0]].thread != events[parts[q][0]].thread]

    def conflict(p, q):
        return any(events[i].op in "rw" and events[j].op in "rw" and events[i].name == events[j].name
                   and "w" in (events[i].op, events[j].op) for i in inside[p] for j in inside[q])

    cp |= {(parts[p][1], parts[q][0]) for p, q in pairs if conflict(p, q)}
    while True:
        after = compose(events, hb, cp)
        more = {(parts[p][1], parts[q][0]) for p, q in pairs
                if any(after[i] >> j & 1 for i in inside[p] for j in inside[q])} - cp
        if not more:
            return after
        cp |= more


def compose(events, hb, cp):
    """HB, then CP edges and HB alternating, at least one CP edge."""
    from_ = {}
    for a, b in sorted(cp, reverse=True):
        reach = hb[b]
        for c, bits in from_.items():
            if hb[b] >> c & 1:
                reach |= bits
        from_[a] = from_.get(a, 0) | reach
    changed = True
    while changed:
        changed = False
        for a in from_:
            for c, bits in from_.items():
                if from_[a] >> c & 1 and bits & ~from_[a]:
                    from_[a] |= bits
                    changed = True
    after = [0] * len(events)
    for i in range(len(events)):
        for a, bits in from_.items():
            if hb[i] >> a & 1:
                after[i] |= bits
    return after


def verdicts(events):
    """method -> set of pairs that it reports, for the methods whose meaning is plain."""
    pairs = candidates(events)
    hb, cp = happens_before(events), causal_precedence(events)
    out = {"ls": pairs, "hb": {(a, b) for a, b in pairs if not hb[a] >> b & 1},
           "cp": {(a, b) for a, b in pairs if not cp[a] >> b & 1}}
    # Without reads to keep, what is done elsewhere does not matter: one location at a time.
    out["csr"] = set()
    for x in unsettled(events, False) & {events[a].name for a, _ in pairs}:
        out["csr"] |= Walk(events, False, {p for p in pairs if events[p[0]].name == x}).races()
    out["cdsr"] = Walk(events, True, pairs).races()
    out["cpd"] = out["cp"] & out["cdsr"]
    return out
