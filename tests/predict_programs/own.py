#!/usr/bin/env python3
"""Checks programs of our own against the figures their heads document.

own.py HEDDLE DIRECTORY SOURCE...   DIRECTORY is for what is built and recorded.
The recording of the first depth-first schedule must have the figures of the lines "expect ...",
every pair of the table the verdicts that the methods mean, and every predicted race must happen
when the program is run along its witness.
"""
import os
import sys

from compare import disagreements
from recording import differences, expected, figures, predict, record, say


def unconfirmed(report, races):
    found = [f for f in report["findings"] if f["answer"] == "feasible"]
    wrong = [f["title"] + ": " + f.get("confirmation", "not run") for f in found
             if not f.get("confirmed")]
    return wrong or ([] if bool(found) == bool(races) else ["%d findings" % len(found)])


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
            say(name, "races-happen", unconfirmed(
                predict(program, "--confirm", "--find=race", "--all", bundle), have["r-poly"]))
        except (RuntimeError, KeyError) as e:
            say(name, "is-checked", [repr(e)])


main()
