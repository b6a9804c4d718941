"""Measurements of heddle coop.  See bench.sh.

bench.py [--programs=A,B] [--logs=N] [--runs=N] [--rounds=N] [STEP...], steps: collect attempts number
blocks overhead tables; all of them by default.  Figures are kept in $OUT/results.json.
"""
import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
BIN = Path(os.environ["HEDDLE_BIN"])
OUT = Path(os.environ["OUT"])
HEDDLE = str(BIN / "heddle")
# The size when time is measured.
SIZES = {
    "boundedbuffer": 3000, "bubblesort": 300, "bufferwriter": 200000, "deadlock": 1, "manager": 20000,
    "piper": 3000, "producerconsumer": 3000, "ticketorder": 100000, "twostage": 200000, "cache4j": 3000,
    "derby": 100000, "tomcat": 1, "weblech": 3000,
}
SHORT = 1  # ms: a program that takes less says nothing
PERCENT = [25, 50, 75]
HEURISTICS = ["sgm", "dgm", "hybrid", "auto", "solve"]
ATTEMPTS = 500


def run(*words, seconds=60, **more):
    """Exit status (124: not in time) and output."""
    try:
        p = subprocess.run([str(w) for w in words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.DEVNULL, timeout=seconds, cwd=OUT, check=False, **more)
        return p.returncode, p.stdout.decode()
    except subprocess.TimeoutExpired:
        return 124, ""


def must(*words, **more):
    status, out = run(*words, **more)
    if status:
        sys.exit(f"bench.py: {' '.join(map(str, words))}: status {status}")
    return out


def profile(program, *words):
    path = OUT / f"{program}.{'-'.join(w.strip('-').replace('=', '') for w in words)}.profile"
    path.write_text(must(HEDDLE, "coop", "profile", *words, OUT / program))
    return path


def elements(path):
    return sum(line.startswith("element ") for line in path.read_text().splitlines())


# ---- runs with real threads ----


def fail(o, program, whole, directory, wanted):
    """Runs until so many have failed; runs and failures."""
    failed = runs = 0
    begin = time.time()
    while runs < o.runs and failed < wanted and time.time() < begin + o.seconds:
        status, _ = run(HEDDLE, "record", "-q", "--hang=300ms", f"--partial={whole}", "-o", directory,
                        OUT / program)
        runs += 1
        failed += status != 0
    return runs, failed


def collect(o, program, figures):
    must(BIN / "heddle-cc", "-O1", "-g", HERE / "bench" / f"{program}.c", "-o", OUT / program)
    whole = profile(program, "--percent=100")
    directory = OUT / f"full-{program}"
    runs, failed = fail(o, program, whole, directory, o.logs)
    native = natively(program, 60)
    logs = sorted(directory.glob("*.crep"))
    if not logs:
        sys.exit(f"bench.py: {program} never failed")
    shown = must(HEDDLE, "coop", "show", logs[0])
    accesses = sum(int(w.rstrip(",]").split(" ")[-1][1:]) for line in shown.splitlines()
                   if line.startswith("#") for w in line.split(", ") if " x" in w)
    figures.update(elements=elements(whole), accesses=accesses, runs=runs, failed=failed, native=native,
                   logs=len(logs))
    for percent in PERCENT:
        cut(program, logs, percent, whole)
    must(HEDDLE, "coop", "cut", "--one", "-o", OUT / f"one-{program}", *logs)


def blocks(o, program, figures):
    """The same with orders of blocks, and with the one order of all of them (PRES-BB)."""
    figures["blocks"] = found = {}
    whole = profile(program, "--percent=100", "--blocks")
    runs, failed = fail(o, program, whole, OUT / f"full-blocks-{program}", o.block_logs)
    logs = sorted((OUT / f"full-blocks-{program}").glob("*.crep"))
    found.update(elements=elements(whole), runs=runs, failed=failed, logs=len(logs))
    everything = profile(program, "--global")
    fail(o, program, everything, OUT / f"global-{program}", 10)
    found["all in one order"] = merge(o, program, OUT / f"global-{program}", "--heuristic=dgm")
    if not logs:
        return
    found["full"] = merge(o, program, OUT / f"full-blocks-{program}", "--heuristic=dgm")
    must(HEDDLE, "coop", "cut", "--one", "-o", OUT / f"one-blocks-{program}", *logs)
    found["one"] = merge(o, program, OUT / f"one-blocks-{program}", "--heuristic=one")
    for percent in PERCENT:
        cut(program, logs, percent, whole, "blocks-")
        if (OUT / f"{percent}-blocks-{program}").is_dir():
            for heuristic in ("sgm", "dgm", "auto"):
                found[f"{heuristic} {percent}"] = merge(o, program, OUT / f"{percent}-blocks-{program}",
                                                        f"--heuristic={heuristic}")


def natively(program, times):
    """How often of a hundred it fails without heddle."""
    plain = OUT / f"{program}.plain"
    must("clang-19", "-O1", "-g", "-pthread", HERE / "bench" / f"{program}.c", "-o", plain)
    return round(100 * sum(run(plain, seconds=1)[0] != 0 for _ in range(times)) / times)


def cut(program, logs, percent, whole, kind=""):
    n = elements(whole)
    if max(1, int(percent * n / 100 + 0.5)) > 1:
        must(HEDDLE, "coop", "cut", f"--percent={percent}", "-o", OUT / f"{percent}-{kind}{program}", *logs)


# ---- merges ----


def merge(o, program, directory, *words):
    """Attempts, or None."""
    logs = directory if isinstance(directory, list) else [directory]
    status, out = run(HEDDLE, "coop", "merge", "--json", "-q", f"--attempts={ATTEMPTS}",
                      f"--time={o.limit}s", "-o", OUT / "bundles", *words, OUT / program, *logs,
                      seconds=o.limit + 60)
    answer = json.loads(out) if status in (1, 4) else {}
    return answer["attempts"] if answer.get("reproduced") else None


def attempts(o, program, figures):
    found = figures["attempts"] = {}
    found["one"] = merge(o, program, OUT / f"one-{program}", "--heuristic=one")
    for percent in PERCENT:
        directory = OUT / f"{percent}-{program}"
        if not directory.is_dir():
            continue
        for similarity in ("psim", "dhs"):
            found[f"sgm {similarity} {percent}"] = merge(o, program, directory, "--heuristic=sgm",
                                                         f"--similarity={similarity}")
        for heuristic in HEURISTICS:
            found[f"{heuristic} dsim {percent}"] = merge(o, program, directory, f"--heuristic={heuristic}")
    found["full"] = merge(o, program, OUT / f"full-{program}", "--heuristic=dgm")


def number(o, program, figures):
    found = figures["number"] = {}
    for percent in PERCENT:
        directory = OUT / f"{percent}-{program}"
        logs = sorted(directory.glob("*.crep")) if directory.is_dir() else []
        random.Random(1).shuffle(logs)
        n = 16
        while n <= len(logs):
            for heuristic in ("sgm", "dgm", "auto"):
                found[f"{heuristic} {percent} {n}"] = merge(o, program, logs[:n], f"--heuristic={heuristic}")
            n *= 2


# ---- what recording costs ----


def timed(*words):
    for _ in range(5):
        status, out = run(*words, seconds=10)
        if status == 0 and out.strip().isdigit():
            return int(out) / 1e6
    return None


def recorded(name, program, path, *words):
    return timed(HEDDLE, "record", "-q", f"--partial={path}", *words, "-o", OUT / "timed", OUT / name,
                 SIZES[program])


def overhead(o, program, figures):
    name = f"{program}.timed"
    flags = ["-O1", "-g", "-DBENCH_TIME", "-DNDEBUG", HERE / "bench" / f"{program}.c"]
    must(BIN / "heddle-cc", *flags, "-o", OUT / name)
    must("clang-19", "-pthread", *flags, "-o", OUT / f"{name}.native")
    kinds = {"full": [profile(name, "--percent=100")], "one": [], "blocks full": [],
             "global": [profile(name, "--global")], "blocks 25": []}
    kinds["blocks full"] = [profile(name, "--percent=100", "--blocks")]
    for seed in (1, 2, 3):
        kinds["one"].append(profile(name, "--one", f"--seed={seed}"))
        kinds["blocks 25"].append(profile(name, "--blocks", "--percent=25", f"--seed={seed}"))
        for percent in PERCENT:
            kinds.setdefault(str(percent), []).append(
                profile(name, f"--percent={percent}", f"--seed={seed}"))
    times = {kind: [] for kind in kinds}
    times["native"], times["dynamic 25"] = [], []
    for _ in range(o.rounds):
        times["native"].append(timed(OUT / f"{name}.native", SIZES[program]))
        for kind, profiles in kinds.items():
            for p in profiles:
                times[kind].append(recorded(name, program, p))
        times["dynamic 25"].append(recorded(name, program, kinds["25"][0], "--dynamic"))
    figures["times"] = {k: [round(statistics.median(t), 3), round(min(t), 3)]
                        for k, v in times.items() if (t := [x for x in v if x])}
    sizes = {"full": f"full-{program}", "one": f"one-{program}", "global": f"global-{program}",
             "blocks full": f"full-blocks-{program}", "blocks 25": f"25-blocks-{program}"}
    sizes |= {str(p): f"{p}-{program}" for p in PERCENT}
    figures["bytes"] = {}
    for kind, directory in sizes.items():
        files = [f.stat().st_size for f in (OUT / directory).glob("*.crep")]
        if files:
            figures["bytes"][kind] = round(statistics.mean(files))


# ---- tables ----


def cells(found, *keys):
    return "/".join(("X" if found[k] is None else str(found[k])) if k in found else "-" for k in keys)


def table(head, rows):
    print("| " + " | ".join(head) + " |")
    print("|" + "---|" * len(head))
    for row in rows:
        print("| " + " | ".join(map(str, row)) + " |")
    print()


def over(figures, kind):
    """Per cent over the native time, by the least times: the others are of a busy machine."""
    t = figures.get("times", {})
    return None if kind not in t or t["native"][1] < SHORT else 100 * (t[kind][1] / t["native"][1] - 1)


def per_cent(x):
    return "-" if x is None else f"{max(x, 0):.0f}%"


def best(figures):
    """The scheme that needs fewest attempts, then the one with the least share of elements."""
    order = [("one", "one")] + [(f"{h} dsim {p}", str(p)) for p in PERCENT for h in HEURISTICS]
    found = figures.get("attempts", {})
    good = [(found[k], i, k, kind) for i, (k, kind) in enumerate(order) if found.get(k)]
    return min(good)[2:] if good else (None, None)


def tables(results):
    r = {k: v for k, v in results.items() if "attempts" in v}
    print("Programs\n")
    table(["program", "elements", "accesses", "fails natively", "fails when all is recorded", "logs"],
          [(p, f["elements"], f["accesses"], f"{f['native']}%", f"{100 * f['failed'] / f['runs']:.0f}%",
            f["logs"]) for p, f in r.items()])
    print("Attempts with SGM: PSIM/DSIM/DHS\n")
    table(["program", "25%", "50%", "75%"],
          [[p] + [cells(f["attempts"], *(f"sgm {s} {n}" for s in ("psim", "dsim", "dhs"))) for n in PERCENT]
           for p, f in r.items()])
    print("Attempts by heuristic: 25%/50%/75%\n")
    table(["program", "all", "one"] + HEURISTICS,
          [[p, cells(f["attempts"], "full"), cells(f["attempts"], "one")] +
           [cells(f["attempts"], *(f"{h} dsim {n}" for n in PERCENT)) for h in HEURISTICS]
           for p, f in r.items()])
    b = {p: f["blocks"] | {"program": p} for p, f in results.items() if "blocks" in f}
    if b:
        print("Attempts with orders of blocks: 25%/50%/75%\n")
        table(["program", "blocks", "logs", "one order", "all", "one", "sgm", "dgm", "auto"],
              [[p, f["elements"], f["logs"], cells(f, "all in one order"), cells(f, "full"), cells(f, "one")] +
               [cells(f, *(f"{h} {n}" for n in PERCENT)) for h in ("sgm", "dgm", "auto")]
               for p, f in b.items()])
        some = [f for f in b.values() if any(v for k, v in f.items() if k.split()[0] in ("one", "sgm", "dgm", "auto"))]
        print(f"{len(some)} of {len(b)} reproduced from orders of blocks.\n")
    for p, f in results.items():
        if "number" not in f:
            continue
        print(f"Attempts by number of logs: {p}, 25%/50%/75%\n")
        numbers = sorted({int(k.split()[2]) for k in f["number"]})
        table(["logs", "sgm", "dgm", "auto"],
              [[n] + [cells(f["number"], *(f"{h} {k} {n}" for k in PERCENT)) for h in ("sgm", "dgm", "auto")]
               for n in numbers])
    print("Recording: overhead, and bytes of a log\n")
    rows, ratios, smaller = [], [], []
    for p, f in r.items():
        if "times" not in f:
            continue
        scheme, kind = best(f)
        b = f["bytes"]
        rows.append([p, f"{f['times']['native'][1]} ms", f"{per_cent(over(f, 'full'))} / {b['full']}"] +
                    [f"{per_cent(over(f, k))} / {b.get(k, '-')}" for k in ("75", "50", "25", "one")] +
                    [scheme or "X"])
        if kind and (over(f, "full") or 0) > 10:
            ratios.append((over(f, "full"), max(over(f, kind), 0)))
        if kind:
            smaller.append(b["full"] / b[kind])
    table(["program", "native", "full", "75%", "50%", "25%", "one", "best scheme"], rows)
    print("Recording of blocks, and with one build for all profiles: overhead, and bytes of a log\n")
    table(["program", "one order", "blocks", "blocks 25%", "25% dynamic"],
          [[p] + [f"{per_cent(over(f, k))} / {f['bytes'].get(k, '-')}"
                  for k in ("global", "blocks full", "blocks 25")] + [per_cent(over(f, "dynamic 25"))]
           for p, f in r.items() if "times" in f])
    if ratios:
        full, least = (statistics.mean(r) for r in zip(*ratios))
        print(f"Overhead, mean of {len(ratios)} programs in which full logging costs more than 10%: "
              f"{full:.0f}%, with the best scheme {least:.0f}%; logs {statistics.mean(smaller):.1f} times smaller.")
    done = [f for f in r.values() if any(v for v in f["attempts"].values())]
    first = [f for f in r.values() if any(v == 1 for k, v in f["attempts"].items() if k != "full")]
    default = [f for f in r.values() if any(v == 1 for k, v in f["attempts"].items() if k.startswith("auto"))]
    print(f"{len(done)} of {len(r)} reproduced, {len(first)} at attempt 1 by some scheme, "
          f"{len(default)} by auto with some share.")
    for n in PERCENT:
        cell = [f["attempts"].get(f"auto dsim {n}") for f in r.values() if f"auto dsim {n}" in f["attempts"]]
        print(f"auto, {n}%: {sum(v is not None for v in cell)} of {len(cell)} reproduced, "
              f"{sum(v == 1 for v in cell)} at attempt 1")


def main():
    a = argparse.ArgumentParser()
    a.add_argument("--programs", default=",".join(SIZES))
    a.add_argument("--logs", type=int, default=40, help="failing logs of a program")
    a.add_argument("--block-logs", type=int, default=40, help="the same, of blocks")
    a.add_argument("--runs", type=int, default=400, help="at most so many runs for them")
    a.add_argument("--seconds", type=int, default=60, help="and so long")
    a.add_argument("--limit", type=int, default=10, help="seconds for one merge")
    a.add_argument("--rounds", type=int, default=3)
    a.add_argument("steps", nargs="*", default=[])
    o = a.parse_args()
    OUT.mkdir(parents=True, exist_ok=True)
    path = OUT / "results.json"
    results = json.loads(path.read_text()) if path.exists() else {}
    steps = {"collect": collect, "attempts": attempts, "number": number, "blocks": blocks,
             "overhead": overhead}
    for step in o.steps or [*steps, "tables"]:
        for program in o.programs.split(",") if step in steps else []:
            if step == "number" and program not in ("boundedbuffer", "deadlock", "piper"):
                continue
            steps[step](o, program, results.setdefault(program, {}))
            path.write_text(json.dumps(results))
            print(f"{step} {program}", file=sys.stderr)
    if not o.steps or "tables" in o.steps:
        tables(results)


main()
