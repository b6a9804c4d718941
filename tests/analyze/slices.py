#!/usr/bin/env python3
"""slices.py SEED: a random program on standard output; with SEED LINES the same program in which
every statement that is on none of the lines computes something else.  The last line that prints is
marked; what is in no slice of it must not change what it prints."""
import random
import sys

HEAD = """#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
struct node { int v; struct node *next; };
static int g[6], a[8];
static int *p = &g[0], *q = &g[1];
static struct node *list;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
"""


class Program:
    def __init__(self, seed, changed=None):
        self.r = random.Random(seed)
        self.lines = HEAD.splitlines()
        self.changed = changed
        self.indent = 1
        self.depth = 0

    def put(self, text):
        self.lines.append("\t" * self.indent + text)

    def constant(self):
        k = self.r.randint(1, 9)
        if self.changed is not None and len(self.lines) + 1 not in self.changed:
            return str(k + 3)
        return str(k)

    def value(self):
        r = self.r
        return r.choice([
            lambda: "g[%d]" % r.randrange(6), lambda: "a[%d]" % r.randrange(8),
            lambda: "a[x & 7]", lambda: "*p", lambda: "*q", lambda: "x",
            lambda: "(list ? list->v : 1)"])()

    def place(self):
        r = self.r
        return r.choice([
            lambda: "g[%d]" % r.randrange(6), lambda: "a[%d]" % r.randrange(8),
            lambda: "a[g[%d] & 7]" % r.randrange(6), lambda: "*p", lambda: "*q", lambda: "x"])()

    def block(self, callees, n):
        self.depth += 1
        for _ in range(n):
            self.statement(callees)
        self.depth -= 1

    def statement(self, callees):
        r = self.r
        kind = r.randrange(12)
        if kind < 5:
            self.put("%s = %s + %s * %s;" % (self.place(), self.value(), self.value(),
                                             self.constant()))
        elif kind == 5:
            self.put("%s = &%s;" % (r.choice("pq"), r.choice(["g[%d]" % r.randrange(6),
                                                              "a[%d]" % r.randrange(8)])))
        elif kind == 6 and self.depth < 3:
            self.put("if (%s & 1) {" % self.value())
            self.indent += 1
            self.block(callees, r.randint(1, 3))
            self.indent -= 1
            if r.random() < 0.5:
                self.put("} else {")
                self.indent += 1
                self.block(callees, r.randint(1, 2))
                self.indent -= 1
            self.put("}")
        elif kind == 7 and self.depth < 3:
            i = "i%d" % self.depth
            self.put("for (int %s = 0; %s < 3; %s++) {" % (i, i, i))
            self.indent += 1
            self.block([], r.randint(1, 3))
            self.indent -= 1
            self.put("}")
        elif kind == 8 and callees:
            self.put("%s = %s(%s);" % (self.place(), r.choice(callees), self.value()))
        elif kind == 9:
            self.put("push(%s + %s);" % (self.value(), self.constant()))
        elif kind == 10 and self.depth < 2:
            self.put("if (%s == %d)" % (self.value(), r.randint(100, 400)))
            self.put("\texit(3);")
        else:
            self.put("x = %s ^ %s;" % (self.value(), self.constant()))

    def function(self, name, callees):
        self.lines.append("static __attribute__((noinline)) int %s(int x)" % name)
        self.lines.append("{")
        self.block(callees, self.r.randint(3, 6))
        self.put("return %s + %s;" % (self.value(), self.constant()))
        self.lines.append("}")

    def thread(self, name, callees):
        self.lines.append("static void *%s(void *arg)" % name)
        self.lines.append("{")
        self.put("int x = *(int *)arg;")
        self.put("pthread_mutex_lock(&lock);")
        self.block(callees, self.r.randint(2, 5))
        self.put("*(int *)arg = %s;" % self.value())
        self.put("pthread_mutex_unlock(&lock);")
        self.put("return NULL;")
        self.lines.append("}")

    def run(self):
        r = self.r
        self.lines += ["static void push(int v)", "{", "\tstruct node *n = malloc(sizeof(*n));",
                       "\tn->v = v;", "\tn->next = list;", "\tlist = n;", "}"]
        self.function("f0", [])
        self.function("f1", ["f0"])
        self.function("f2", ["f0", "f1"])
        self.thread("t0", ["f0"])
        self.thread("t1", ["f1", "f2"])
        self.lines += ["int main(void)", "{", "\tpthread_t t;"]
        self.put("int x = %s, y = %s;" % (r.randint(1, 9), r.randint(1, 9)))
        for i in range(6):
            self.put("g[%d] = %s;" % (i, self.constant()))
        self.put("(void)f0; (void)f1; (void)f2; (void)t0; (void)t1; (void)t; (void)y; (void)push;")
        for _ in range(r.randint(2, 4)):
            self.block(["f0", "f1", "f2"], r.randint(1, 4))
            if r.random() < 0.7:
                self.put("pthread_create(&t, NULL, %s, &y);" % r.choice(["t0", "t1"]))
                self.put("pthread_join(t, NULL);")
        self.put('printf("%%d\\n", %s); /* here */' % r.choice([self.value(), "g[2]", "y", "*p"]))
        self.block(["f2"], 2)
        self.put("return 0;")
        self.lines.append("}")
        return "\n".join(self.lines) + "\n"


if __name__ == "__main__":
    kept = {int(x) for x in sys.argv[2].split(",")} if len(sys.argv) > 2 else None
    sys.stdout.write(Program(int(sys.argv[1]), kept).run())
