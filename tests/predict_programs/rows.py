#!/usr/bin/env python3
"""Runs benchmark rows as programs and compares them with the rows as traces.

rows.py HEDDLE DIRECTORY SOURCE...   DIRECTORY is for what is built and recorded.
The first depth-first schedule of each program must be the execution of ../predict/kernels/NAME.trace
event by event, heddle predict must give its recording the figures that file expects, and every
pair of the table the verdicts that the methods mean.  Prints "ok NAME what" or "not ok NAME what"
with the difference.
"""
import os
import sys

from compare import disagreements
from recording import differences, expected, figures, predict, record, recorded, renamed, say, written

KERNELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "predict", "kernels")


def first_difference(want, have):
    for i, (w, h) in enumerate(zip(want, have)):
        if w != h:
            return ["event %d is %s instead of %s" % (i + 1, h, w)]
    return [] if len(want) == len(have) else ["%d events instead of %d" % (len(have), len(want))]


def check(program, directory, source, name):
    trace = os.path.join(KERNELS, name + ".trace")
    bundle = record(program, directory, source)
    report = predict(program, "--table", bundle)
    say(name, "runs-as-written", first_difference(
        renamed(written(program, trace)), renamed(recorded(program, bundle))))
    say(name, "figures", differences(expected(trace), figures(report)))
    say(name, "verdicts", disagreements(program, bundle, report))


def main():
    program, directory = sys.argv[1:3]
    for source in sys.argv[3:]:
        name = os.path.basename(source)[:-2]
        try:
            check(program, directory, source, name)
        except (RuntimeError, KeyError) as e:
            say(name, "is-checked", [repr(e)])
    missing = set(f[:-6] for f in os.listdir(KERNELS)) - set(
        os.path.basename(s)[:-2] for s in sys.argv[3:])
    say("rows", "every-kernel-has-a-program", sorted(missing))


main()
