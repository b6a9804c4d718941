#!/usr/bin/env python3
"""Prints the trace F3R(d): a race that only a look-ahead of depth d refutes; 2d + 2 threads."""
import sys

d = int(sys.argv[1])
lines = ["T2 acq(l) w(u) w(x)@A rel(l)"]
thread = 2 * d + 2
for level in range(d, 0, -1):
    reads = "r(u)" if level == d else "r(v%d_1) r(v%d_2)" % (level + 1, level + 1)
    for side in (1, 2):
        name = "T%d" % (2 * level + side)
        lines.append("%s acq(m%d) w(v%d_%d) %s rel(m%d)" % (name, level, level, side, reads, level))
lines.append("T1 acq(l) r(v1_1) r(v1_2) rel(l) w(x)@B")
lines.append("? f3r%d: race A B" % d)
print("\n".join(lines))
