"""Applies wrong changes: mutate.py LIST [TREE [NAME DIRECTION]]; without a tree, prints all names.

Without a name, prints the mutants whose text is not there exactly once and fails if there are any.

DIRECTION 1 replaces the old text by the new one and prints the suite that has to notice; 0 undoes it.
"""
import sys


def blocks(path):
    block = {}
    for line in open(path, encoding="utf-8"):
        line = line.rstrip("\n")
        if line.startswith("#"):
            continue
        if not line:
            if block:
                yield block
            block = {}
            continue
        key, _, value = line.partition(": ")
        block[key] = value.replace("\\n", "\n").replace("\\t", "\t")
    if block:
        yield block


def stale(all_blocks, tree):
    for b in all_blocks:
        try:
            count = open(f"{tree}/{b['file']}", encoding="utf-8").read().count(b["old"])
        except OSError as e:
            count = e
        if count != 1:
            yield f"{b['name']}: {b['file']}: {count}"


def main():
    all_blocks = list(blocks(sys.argv[1]))
    if len(sys.argv) == 2:
        print("\n".join(b["name"] for b in all_blocks))
        return 0
    if len(sys.argv) == 3:
        bad = list(stale(all_blocks, sys.argv[2]))
        print("\n".join(bad))
        return 1 if bad else 0
    tree, name, direction = sys.argv[2:5]
    for b in all_blocks:
        if b["name"] != name:
            continue
        path = f"{tree}/{b['file']}"
        text = open(path, encoding="utf-8").read()
        old, new = (b["old"], b["new"]) if direction == "1" else (b["new"], b["old"])
        if direction == "1" and text.count(old) != 1:
            print(f"{name}: the text is there {text.count(old)} times", file=sys.stderr)
            return 1
        if direction == "1":
            open(path + ".right", "w", encoding="utf-8").write(text)
            open(path, "w", encoding="utf-8").write(text.replace(old, new))
        else:
            open(path, "w", encoding="utf-8").write(open(path + ".right", encoding="utf-8").read())
        print(b["kill"])
        return 0
    print(f"no mutant {name}", file=sys.stderr)
    return 1


sys.exit(main())
