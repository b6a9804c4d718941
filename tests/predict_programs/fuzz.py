#!/usr/bin/env python3
"""Random programs, run for real, against what the methods mean.

fuzz.py HEDDLE DIRECTORY COUNT [FIRST]   DIRECTORY is for what is built and recorded.
Program number i is made from i alone.  Its run with seed i must give a table in which every pair has
the verdicts that oracle.py works out from the logged events, and no predicted race may diverge
when the program is run along its witness (runs in which a signal had several waiters to pick from
cannot be followed yet).  Prints the programs that do not hold.
"""
import os
import random
import shutil
import subprocess
import sys

from compare import disagreements
from recording import heddle, predict

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "predict", "programs", "random",
                      "interpreter.c")


def thread(rng, length, locks, waits):
    """Operations of one thread; sections are properly nested and in the order of their locks."""
    out, held = [], []
    while len(out) < length:
        kind = rng.random()
        if held and (kind < 0.25 or len(held) == 2):
            out.append("u%d" % held.pop())
        elif kind < 0.45 and locks > 0 and (not held or held[-1] < locks):
            held.append(rng.randrange((held[-1] if held else 0) + 1, locks + 1))
            out.append("l%d" % held[-1])
        elif kind < 0.52 and waits and not held:
            out.append(rng.choice("WSSB") + str(rng.randrange(2)))
        elif kind < 0.60:
            out.append(rng.choice("ab") + str(rng.randrange(2)))
        else:
            out.append(rng.choice("rrw") + str(rng.randrange(3)))
    return " ".join(out + ["u%d" % n for n in reversed(held)])


def program(number):
    rng = random.Random(number)
    threads, locks = rng.randint(2, 4), rng.randint(0, 3)
    length = {2: 14, 3: 9, 4: 6}[threads]
    return [thread(rng, rng.randint(3, length), locks, number % 2) for _ in range(threads)]


def wrong(tool, binary, bundle, number):
    """None when the program does not end by itself, else (what does not hold, pairs, races)."""
    p = subprocess.run([tool, "run", "-q", "--seed=%d" % number, "-o", bundle, binary,
                        *program(number)], capture_output=True, text=True)
    if p.returncode != 0:
        return None
    report = predict(tool, "--table", bundle)
    out = disagreements(tool, bundle, report)
    for f in predict(tool, "--confirm", "--find=race", "--all", bundle)["findings"]:
        if f["answer"] != "feasible" or f.get("confirmed") is False:
            out.append("%s: %s" % (f["title"], f.get("confirmation", f["answer"])))
    races = sum(r["cdsr"] == "1" for r in report["table"])
    return out, len(report["table"]), races


def main():
    tool, directory, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    first = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    binary, bundle = os.path.join(directory, "interpreter"), os.path.join(directory, "run.heddle")
    heddle(tool, "cc", "-g", "-O1", "-Wall", "-Wextra", "-Werror", "-o", binary, SOURCE, "-pthread",
           accept=(0,))
    good = bad = stuck = pairs = races = 0
    for number in range(first, first + count):
        shutil.rmtree(bundle, ignore_errors=True)
        found = wrong(tool, binary, bundle, number)
        if found is None:
            stuck += 1
            continue
        pairs, races = pairs + found[1], races + found[2]
        good += not found[0]
        if found[0]:
            bad += 1
            print("    program %d: %s" % (number, " | ".join(program(number))))
            for line in found[0][:4]:
                print("      " + line)
    print("    %d programs agree, %d do not, %d did not end; %d pairs, %d races" % (
        good, bad, stuck, pairs, races))
    print("%s fuzz random-programs-mean-what-the-oracle-says" % (
        "not ok" if bad or good < count // 3 or races < count // 3 else "ok"))


main()
