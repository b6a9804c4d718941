"""The table of a recording, pair by pair, against what oracle.py says the methods mean."""
from oracle import verdicts
from recording import accesses, events

METHODS = ("ls", "hb", "cp", "cpd", "csr", "cdsr")


def rows(program, bundle, report):
    """{(a, b): row of the table}, with the numbers that events() gives the two accesses."""
    ours = [i for i, e in enumerate(events(program, bundle)) if e.op in "rw"]
    number = dict(zip(accesses(program, bundle), ours))
    return {tuple(sorted((number[r["a"] - 1], number[r["b"] - 1]))): r for r in report["table"]}


def disagreements(program, bundle, report):
    table, out = rows(program, bundle, report), []
    meant = verdicts(events(program, bundle))
    for pair in sorted(set(table) | meant["ls"]):
        row = table.get(pair)
        for method in METHODS:
            said = "0" if row is None else row[method]
            if said != "01"[pair in meant[method]]:
                out.append("events %d and %d: %s says %s, it is %d" % (
                    *pair, method, said, pair in meant[method]))
        if row and not row["csr"] <= row["ucg"] <= row["ucgd"] <= row["ls"]:
            out.append("events %d and %d: the closure refutes what is feasible" % pair)
        if row and not row["syncp"] <= row["cdsr"] <= row["csr"]:
            out.append("events %d and %d: the models do not contain each other" % pair)
    return out
