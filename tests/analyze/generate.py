#!/usr/bin/env python3
"""A random program with threads, for which executions under control know every race.

generate.py SEED: C on standard output.
"""
import random
import sys

r = random.Random(int(sys.argv[1]))
LOCKS = 2
VARIABLES = ["x", "y", "s.a", "s.b", "v[0]", "v[1]"]


def access(depth):
    kind = r.randrange(6)
    place = r.choice(VARIABLES + ["p->a", "p->b", "*q"])
    if kind < 3:
        return ["%s = %d;" % (place, r.randrange(3))]
    if kind == 3:
        return ["sink += %s;" % place]
    if kind == 4 and depth < 2:
        lock = r.randrange(LOCKS)
        inner = statements(depth + 1, 2)
        release = ["pthread_mutex_unlock(&l[%d]);" % (lock if r.random() < .9 else 0)]
        if r.random() < .3:
            return (["if (pthread_mutex_trylock(&l[%d]) == 0) {" % lock] + inner +
                    ["pthread_mutex_unlock(&l[%d]);" % lock, "}"])
        return ["pthread_mutex_lock(&l[%d]);" % lock] + inner + release
    return [r.choice(["p = &s;", "p = &t;", "q = &x;", "q = &v[1];", "set(p);", "get(q);"])]


def statements(depth, most):
    out = []
    for _ in range(r.randrange(1, most + 1)):
        out += access(depth)
    return out


def body(most):
    return ["struct pair *p = &s;", "int *q = &y, sink = 0;", "(void)p;", "(void)q;"] + \
        statements(0, most) + ["(void)sink;"]


def show(lines):
    print("\n".join("\t" + line for line in lines))


print("#include <pthread.h>\n\nstruct pair { int a, b; };")
print("static int x, y, v[2];\nstatic struct pair s, t;")
print("static pthread_mutex_t l[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};\n")
print("static void set(struct pair *p)\n{")
show(["p->a = 1;"])
print("}\n\nstatic int get(int *q)\n{")
show(["return *q;"])
print("}\n")
threads = r.randrange(1, 3)
for i in range(threads):
    print("static void *run%d(void *arg)\n{" % i)
    show(body(4) + ["return arg;"])
    print("}\n")
print("int main(void)\n{\n\tpthread_t h[%d];" % threads)
show(["struct pair *p = &t;", "int *q = &x, sink = 0;", "(void)p;", "(void)q;"])
joined = set()
for i in range(threads):
    show(["pthread_create(&h[%d], NULL, run%d, NULL);" % (i, i)])
    if r.random() < .5:
        show(statements(1, 2))
    if r.random() < .4:
        show(["pthread_join(h[%d], NULL);" % i])
        joined.add(i)
        show(statements(1, 1))
for i in range(threads):
    if i not in joined and r.random() < .8:
        show(["pthread_join(h[%d], NULL);" % i])
show(statements(1, 2) + ["(void)sink;", "return 0;"])
print("}")
