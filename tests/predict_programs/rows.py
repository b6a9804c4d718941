#!/usr/bin/env python3
"""Runs benchmark rows as programs and compares them with the rows as traces.

rows.py HEDDLE DIRECTORY SOURCE...   DIRECTORY is for what is built and recorded.
The first depth-first schedule of each program must be the execution of ../predict/kernels/NAME.trace
event by event, and heddle predict must give its recording the figures that file expects.  Prints
"ok NAME what" or "not ok NAME what" with the difference.
"""
import os
import subprocess
import sys

from recording import differences, expected, figures, heddle, predict, recorded, renamed, written

KERNELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "predict", "kernels")


def record(program, directory, source):
    name = os.path.basename(source)[:-2]
    binary, bundle = os.path.join(directory, name), os.path.join(directory, name + ".heddle")
    heddle(program, "cc", "-g", "-O1", "-Wall", "-Wextra", "-Werror", "-o", binary, source,
           "-pthread", accept=(0,))
    heddle(program, "run", "-q", "--strategy=dfs", "-o", bundle, binary, accept=(0,))
    return bundle


def first_difference(want, have):
    for i, (w, h) in enumerate(zip(want, have)):
        if w != h:
            return ["event %d is %s instead of %s" % (i + 1, h, w)]
    return [] if len(want) == len(have) else ["%d events instead of %d" % (len(have), len(want))]


def say(name, what, wrong):
    print("%s %s %s" % ("not ok" if wrong else "ok", name, what))
    for line in wrong:
        print("    " + line)


def main():
    program, directory = sys.argv[1:3]
    for source in sys.argv[3:]:
        name = os.path.basename(source)[:-2]
        trace = os.path.join(KERNELS, name + ".trace")
        try:
            bundle = record(program, directory, source)
            say(name, "runs-as-written", first_difference(
                renamed(written(program, trace)), renamed(recorded(program, bundle))))
            say(name, "figures", differences(
                expected(trace), figures(predict(program, "--table", bundle))))
        except (RuntimeError, subprocess.SubprocessError) as e:
            say(name, "runs-as-written", [str(e)])
    missing = set(f[:-6] for f in os.listdir(KERNELS)) - set(
        os.path.basename(s)[:-2] for s in sys.argv[3:])
    say("rows", "every-kernel-has-a-program", sorted(missing))


main()
