#!/usr/bin/env python3
"""Prints a synthetic STD trace: gen.py EVENTS [THREADS [SEED [dense]]].

Threads work mostly on their own data, share counters under locks, and now and then touch shared
data without one.  dense: nothing is private, so every event can constrain an order.
"""
import random
import sys

events = int(sys.argv[1])
threads = int(sys.argv[2]) if len(sys.argv) > 2 else 8
rng = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
dense = len(sys.argv) > 4 and sys.argv[4] == "dense"
locks = 16
out = []
for t in range(1, threads):
    out.append("T0|fork(T%d)|main.c:%d" % (t, t))
owner = [None] * locks
holds = [[] for _ in range(threads)]
left = [0] * threads
t = 0
while len(out) < events:
    if rng.random() < 0.05:
        t = rng.randrange(threads)
    r = rng.random()
    if holds[t] and left[t] <= 0:
        l = holds[t].pop()
        owner[l] = None
        out.append("T%d|rel(l%d)|a.c:%d" % (t, l, 100 + l))
        left[t] = rng.randrange(1, 6)
    elif r < (0.4 if dense else 0.08) and len(holds[t]) < 2:
        l = rng.randrange(locks)
        if owner[l] is None and all(l > h for h in holds[t]):
            owner[l] = t
            holds[t].append(l)
            left[t] = rng.randrange(1, 6)
            out.append("T%d|acq(l%d)|a.c:%d" % (t, l, 200 + l))
    elif holds[t]:
        left[t] -= 1
        x = "s%d_%d" % (holds[t][-1], rng.randrange(8))
        if dense and r < 0.6:
            x = "g%d" % rng.randrange(200)
        out.append("T%d|%s(%s)|a.c:%d" % (t, rng.choice("rrw"), x, 300 + rng.randrange(40)))
    elif dense or r < 0.09:
        out.append("T%d|%s(g%d)|b.c:%d" % (t, rng.choice("rw"), rng.randrange(200), rng.randrange(50)))
    else:
        out.append("T%d|%s(p%d_%d)|c.c:%d" % (t, rng.choice("rrw"), t, rng.randrange(500),
                                              rng.randrange(200)))
print("\n".join(out))
