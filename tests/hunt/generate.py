#!/usr/bin/env python3
"""Random programs with threads, branches on shared variables and assertions, and what enumeration
says of them: for every program the assertions that some schedule breaks.

generate.py SEED COUNT OUT.c OUT.txt: one C file, `./prog N' runs program N; a line per program in
OUT.txt: N, then the numbers of the lines whose assertions can fail.
"""
import random
import sys


class Maker:
    def __init__(self, rng):
        self.rng = rng
        self.vars = rng.randint(2, 3)

    def value(self, regs):
        r = self.rng
        if regs and r.random() < 0.5:
            return ("add", r.choice(regs), r.randint(0, 1))
        return ("const", r.randint(0, 2))

    def test(self, regs):
        return (self.rng.choice(["==", "!=", ">", "<"]), self.rng.choice(regs), self.rng.randint(0, 2))

    def block(self, size, depth, regs, locked):
        """Statements; regs are the local variables that hold a value read before."""
        out, regs, r = [], list(regs), self.rng
        while size > 0:
            kind = r.random()
            if kind < 0.3:
                out.append(("read", len(regs), r.randrange(self.vars)))
                regs.append(len(regs))
            elif kind < 0.55:
                out.append(("write", r.randrange(self.vars), self.value(regs)))
            elif kind < 0.8 and depth < 2 and regs:
                a = self.block(r.randint(1, 2), depth + 1, regs, locked)
                b = self.block(1, depth + 1, regs, locked) if r.random() < 0.4 else []
                out.append(("if", self.test(regs), a, b))
                size -= 1
            elif kind < 0.9 and not locked and depth == 0:
                out.append(("lock", self.block(r.randint(1, 3), depth + 1, regs, True)))
                size -= 1
            elif regs:
                out.append(("assert", self.test(regs)))
            size -= 1
        return out

    def program(self):
        threads = self.rng.randint(2, 3)
        return [self.block(5 if threads == 2 else 3, 0, [], False) for _ in range(threads)]


# ---- as C ----

class Text:
    def __init__(self):
        self.lines = []

    def add(self, text):
        self.lines.append(text)
        return len(self.lines)


def c_value(v):
    return str(v[1]) if v[0] == "const" else "r%d + %d" % (v[1], v[2])


def c_block(text, block, indent, marks):
    pad = "\t" * indent
    for s in block:
        if s[0] == "read":
            text.add("%sint r%d = v%d; (void)r%d;" % (pad, s[1], s[2], s[1]))
        elif s[0] == "write":
            text.add("%sv%d = %s;" % (pad, s[1], c_value(s[2])))
        elif s[0] == "if":
            text.add("%sif (r%d %s %d) {" % (pad, s[1][1], s[1][0], s[1][2]))
            c_block(text, s[2], indent + 1, marks)
            text.add("%s} else {" % pad)
            c_block(text, s[3], indent + 1, marks)
            text.add("%s}" % pad)
        elif s[0] == "lock":
            text.add("%spthread_mutex_lock(&m);" % pad)
            # Registers of the section are its own.
            text.add("%s{" % pad)
            c_block(text, s[1], indent + 1, marks)
            text.add("%s}" % pad)
            text.add("%spthread_mutex_unlock(&m);" % pad)
        else:
            marks[id(s)] = text.add("%sassert(r%d %s %d);" % (pad, s[1][1], s[1][0], s[1][2]))


# ---- by enumeration ----

def flatten(block, code):
    for s in block:
        if s[0] == "if":
            at = len(code)
            code.append(None)
            flatten(s[2], code)
            end = len(code)
            code.append(None)
            code[at] = ("unless", s[1], len(code))
            flatten(s[3], code)
            code[end] = ("jump", len(code))
        elif s[0] == "lock":
            code.append(("take",))
            flatten(s[1], code)
            code.append(("give",))
        else:
            code.append(s + (s,) if s[0] == "assert" else s)


def holds(test, regs):
    a, b = regs[test[1]], test[2]
    return {"==": a == b, "!=": a != b, ">": a > b, "<": a < b}[test[0]]


def enumerate_all(program, nvars):
    codes = []
    for block in program:
        code = []
        flatten(block, code)
        codes.append(code)
    start = (tuple([0] * nvars), None, tuple((0, ()) for _ in codes))
    seen, stack, broken = {start}, [start], set()

    def settle(t, pc, regs):
        """Past what no other thread can see."""
        code = codes[t]
        while pc < len(code):
            op = code[pc]
            if op[0] == "unless":
                pc = pc + 1 if holds(op[1], dict(regs)) else op[2]
            elif op[0] == "jump":
                pc = op[1]
            elif op[0] == "assert":
                if not holds(op[1], dict(regs)):
                    broken.add(id(op[2]))
                    return None, regs
                pc += 1
            else:
                break
        return pc, regs

    while stack:
        memory, owner, threads = stack.pop()
        for t, (pc, regs) in enumerate(threads):
            if pc is None or pc >= len(codes[t]):
                continue
            op, mem, own, now = codes[t][pc], list(memory), owner, dict(regs)
            if op[0] == "read":
                now[op[1]] = mem[op[2]]
            elif op[0] == "write":
                v = op[2]
                mem[op[1]] = v[1] if v[0] == "const" else now[v[1]] + v[2]
            elif op[0] == "take":
                if own is not None:
                    continue
                own = t
            elif op[0] == "give":
                own = None
            npc, nregs = settle(t, pc + 1, tuple(sorted(now.items())))
            if npc is None:
                continue  # the process is gone
            state = (tuple(mem), own, threads[:t] + ((npc, nregs),) + threads[t + 1:])
            if state not in seen:
                seen.add(state)
                stack.append(state)
            if len(seen) > 300000:
                return None
    return broken


def passes(program, nvars):
    """Whether the threads pass one after the other, as short ones do."""
    memory = [0] * nvars
    for block in program:
        code, regs, pc = [], {}, 0
        flatten(block, code)
        while pc < len(code):
            op = code[pc]
            pc += 1
            if op[0] == "read":
                regs[op[1]] = memory[op[2]]
            elif op[0] == "write":
                memory[op[1]] = op[2][1] if op[2][0] == "const" else regs[op[2][1]] + op[2][2]
            elif op[0] == "unless" and not holds(op[1], regs):
                pc = op[2]
            elif op[0] == "jump":
                pc = op[1]
            elif op[0] == "assert" and not holds(op[1], regs):
                return False
    return True


def main():
    rng = random.Random(int(sys.argv[1]))
    text, answers, n = Text(), [], 0
    for line in ["#include <assert.h>", "#include <pthread.h>", "#include <stdlib.h>",
                 "static volatile int v0, v1, v2;",
                 "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;"]:
        text.add(line)
    counts = []
    while n < int(sys.argv[2]):
        maker = Maker(rng)
        program = maker.program()
        if not passes(program, maker.vars):
            continue
        broken = enumerate_all(program, maker.vars)
        # Most safe ones have little to decide: of these one in five is kept.
        if broken is None or (not broken and rng.random() < 0.8):
            continue
        marks = {}
        for t, block in enumerate(program):
            text.add("static void *p%d_%d(void *arg) {" % (n, t))
            text.add("\t(void)arg;")
            c_block(text, block, 1, marks)
            text.add("\treturn NULL;")
            text.add("}")
        counts.append(len(program))
        answers.append([n] + sorted(marks[i] for i in broken))
        n += 1
    text.add("int main(int argc, char **argv) {")
    text.add("\tpthread_t t[3]; int n = argc > 1 ? atoi(argv[1]) : 0;")
    text.add("\tswitch (n) {")
    for i, threads in enumerate(counts):
        text.add("\tcase %d:" % i)
        for t in range(threads):
            text.add("\t\tpthread_create(&t[%d], NULL, p%d_%d, NULL);" % (t, i, t))
        for t in range(threads):
            text.add("\t\tpthread_join(t[%d], NULL);" % t)
        text.add("\t\tbreak;")
    text.add("\t}")
    text.add("\treturn 0;")
    text.add("}")
    open(sys.argv[3], "w").write("\n".join(text.lines) + "\n")
    open(sys.argv[4], "w").write("".join(" ".join(map(str, a)) + "\n" for a in answers))


main()
