#!/usr/bin/env python3
"""Checks heddle predict's table and statistics against expectations written in trace files.

compare.py HEDDLE vectors FILE...   lines "# expect NAME cells" and "# strict NAME cells"
compare.py HEDDLE kernels FILE...   lines "# expect key value ..."
compare.py HEDDLE totals EXPECTED   lines "file format ls hb cp ucg cdsr syncp" (. = any)
Prints one line "ok NAME" or "not ok NAME reason" per file.  In every table the inclusions between the
methods must hold.
"""
import json
import os
import subprocess
import sys

METHODS = ["ls", "hb", "cp", "cpd", "ucgd", "ucg", "csr", "cdsr", "syncp"]


def run(heddle, *args):
    p = subprocess.run([heddle, "predict", "--json", *args], capture_output=True, text=True)
    if p.returncode not in (0, 1, 4):
        raise RuntimeError(p.stderr.strip() or "exit status %d" % p.returncode)
    return json.loads(p.stdout)["files"][0]


def cells(report, name):
    rows = [r for r in report["table"] if r["name"] == name]
    return [rows[0][m] for m in METHODS] if rows else None


def vector(heddle, path):
    reports = {"expect": run(heddle, "--table", path)}
    wrong = inclusions(reports["expect"])
    for line in open(path):
        words = line.split()
        if len(words) < 3 or words[0] != "#" or words[1] not in ("expect", "strict"):
            continue
        if words[1] == "strict" and "strict" not in reports:
            reports["strict"] = run(heddle, "--table", "--strict-targets", path)
        got = cells(reports[words[1]], words[2])
        want = words[3:]
        if got is None or len(want) != len(METHODS):
            wrong.append("%s: no such row" % words[2])
        elif any(w not in (".", g) for w, g in zip(want, got)):
            wrong.append("%s: %s instead of %s" % (words[2], " ".join(got), " ".join(want)))
    return wrong


# What one method reports the other must report too; UNKNOWN and "does not apply" say nothing.
INCLUSIONS = [("cdsr", "csr"), ("csr", "ls"), ("syncp", "cdsr"), ("csr", "ucg"), ("ucg", "ucgd"),
              ("cpd", "cp"), ("cpd", "cdsr")]


def inclusions(report):
    wrong = []
    for row in report["table"]:
        for small, large in INCLUSIONS:
            if row[small] == "1" and row[large] == "0":
                wrong.append("%s: %s but not %s" % (row["name"], small, large))
        if row["cp"] == "1" and row["cdsr"] == "1" and row["cpd"] != "1":
            wrong.append("%s: cp and cdsr but not cpd" % row["name"])
    return wrong


def totals(report):
    return {m: sum(r[m] == "1" for r in report["table"]) for m in METHODS}


def kernel(heddle, path):
    report = run(heddle, "--table", path)
    t, s = totals(report), report["trace"]
    have = {"thr": s["threads"], "lks": s["locks"], "cvs": s["conditions"], "vars": s["locations"],
            "evs": s["events"], "lkevs": s["lock_events"], "coevs": s["condition_events"],
            "reads": s["reads"], "writes": s["writes"], "r-p": t["ls"], "r-ucg": t["ucg"],
            "r-poly": t["cdsr"], "r-cp": t["cpd"], "syncp": t["syncp"]}
    wrong = inclusions(report)
    for line in open(path):
        words = line.split()
        if words[:2] != ["#", "expect"]:
            continue
        for key, value in zip(words[2::2], words[3::2]):
            if have[key] != int(value):
                wrong.append("%s %d instead of %s" % (key, have[key], value))
    return wrong


def total(heddle, base, words):
    r = run(heddle, "--table", "--format=" + words[1], os.path.join(base, words[0]))
    t, wrong = totals(r), inclusions(r)
    if wrong:
        return wrong
    have = [str(t[m]) for m in ("ls", "hb", "cp", "ucg", "cdsr", "syncp")]
    if any(w not in (".", h) for w, h in zip(words[2:], have)):
        return ["%s instead of %s" % (" ".join(have), " ".join(words[2:]))]
    return ["ucg-direct differs"] if "direct" in words and t["ucg"] != t["ucgd"] else []


def report(name, wrong):
    print("ok " + name if not wrong else "not ok %s %s" % (name, "; ".join(wrong)))


def main():
    heddle, mode, files = sys.argv[1], sys.argv[2], sys.argv[3:]
    if mode == "totals":
        for line in open(files[0]):
            words = line.split("#")[0].split()
            if words and os.path.exists(os.path.join(files[1], words[0])):
                report("%s %s" % (words[0], words[1]), total(heddle, files[1], words))
        return
    for path in files:
        name = os.path.basename(path).rsplit(".", 1)[0]
        try:
            report(name, (vector if mode == "vectors" else kernel)(heddle, path))
        except (RuntimeError, KeyError) as e:
            report(name, [str(e)])


main()
