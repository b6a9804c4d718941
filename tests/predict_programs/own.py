#!/usr/bin/env python3
"""Checks programs of our own against the figures their heads document.

own.py HEDDLE DIRECTORY SOURCE...   DIRECTORY is for what is built and recorded.
The recording of the first depth-first schedule must have the figures of the lines "expect ...",
every pair of the table the verdicts that the methods mean, and every predicted race must happen
when the program is run along its witness.
"""
import os
import subprocess
import sys

from compare import disagreements
from recording import differences, expected, figures, predict, record, say


def confirmed(program, bundle, races):
    p = subprocess.run([program, "predict", "--confirm", "--find=race", "--all", "--show=0", bundle],
                       capture_output=True, text=True)
    lines = [x for x in p.stdout.splitlines() if x.startswith("race: ") and ": confirmed in" in x]
    wrong = [x for x in p.stdout.splitlines() if "diverged" in x or "not confirmed" in x]
    if races > 0 and not lines and not wrong:
        wrong = ["no prediction was run: " + p.stderr.strip()]
    return wrong


def main():
    program, directory = sys.argv[1:3]
    for source in sys.argv[3:]:
        name = os.path.basename(source)[:-2]
        try:
            bundle = record(program, directory, source)
            report = predict(program, "--table", bundle)
            have = figures(report)
            say(name, "figures", differences(expected(source), have))
            say(name, "verdicts", disagreements(program, bundle, report))
            say(name, "races-happen", confirmed(program, bundle, have["r-poly"]))
        except (RuntimeError, KeyError) as e:
            say(name, "is-checked", [repr(e)])


main()
