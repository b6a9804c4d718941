"""Random function signatures: a caller and a callee that check every value on both sides.

usage: signatures.py SEED FUNCTIONS LANGUAGE DIRECTORY

Writes caller.EXT, callee.EXT and types.h.  A value is made from a number and checked against it, so
an argument that arrives damaged or in another's place is noticed; the program prints the number of
values checked and ends with 1 when one was wrong.
"""
import random
import sys

SCALARS = ["char", "short", "int", "long", "unsigned", "float", "double", "long double",
           "__int128", "void *", "bool", "vec16", "vec32", "cplx"]
FIELDS = ["char", "short", "int", "long", "float", "double", "long double", "void *"]
VARIADIC = ["int", "long", "double", "long double", "void *"]


class Maker:
    def __init__(self, seed, count, cxx):
        self.rng = random.Random(seed)
        self.cxx = cxx
        self.head = []
        self.structs = [self.struct(i) for i in range(24)]
        self.classes = [self.nontrivial(i) for i in range(4)] if cxx else []
        self.functions = [self.signature(i) for i in range(count)]

    def struct(self, i):
        rng = self.rng
        name = "s%d" % i
        align = rng.choice(["", "", "", "__attribute__((aligned(%d)))" % rng.choice([16, 32, 64])])
        fields = [(rng.choice(FIELDS), rng.choice([0, 0, 0, rng.randint(1, 40)]))
                  for _ in range(rng.randint(1, 7))]
        decl = "".join("\t%s f%d%s;\n" % (t, k, "[%d]" % n if n else "")
                       for k, (t, n) in enumerate(fields))
        self.head.append("typedef struct %s {\n%s} %s %s;" % (name, decl, align, name))
        make = check = ""
        for k, (t, n) in enumerate(fields):
            each = "for (int i = 0; i < %d; i++)\n\t\t" % n if n else ""
            at = "[i]" if n else ""
            value = "make_%s(n + %d%s)" % (ident(t), k * 50, " + i" if n else "")
            make += "\t%sv.f%d%s = %s;\n" % (each, k, at, value)
            check += "\t%sbad |= v.f%d%s != %s;\n" % (each, k, at, value)
        self.head.append("static inline %s make_%s(int n)\n{\n\t%s v;\n%s\treturn v;\n}" %
                         (name, name, name, make))
        self.head.append("static inline int wrong_%s(%s v, int n)\n{\n\tint bad = 0;\n%s\treturn bad;\n}"
                         % (name, name, check))
        return name

    def nontrivial(self, i):
        name = "c%d" % i
        words = self.rng.randint(1, 9)
        self.head.append("""struct %(c)s {
	long v[%(w)d];
	explicit %(c)s(int n) { for (int i = 0; i < %(w)d; i++) v[i] = n * 31 + i; alive++; }
	%(c)s(const %(c)s &o) { for (int i = 0; i < %(w)d; i++) v[i] = o.v[i]; alive++; }
	~%(c)s() { alive--; }
	bool operator!=(int n) const { for (int i = 0; i < %(w)d; i++) if (v[i] != n * 31 + i) return true; return false; }
};
static inline %(c)s make_%(c)s(int n) { return %(c)s(n); }
static inline int wrong_%(c)s(const %(c)s &v, int n) { return v != n; }""" % {"c": name, "w": words})
        return name

    def type(self):
        return self.rng.choice([self.rng.choice(SCALARS), self.rng.choice(self.structs),
                                self.rng.choice(self.structs + self.classes)])

    def signature(self, i):
        rng = self.rng
        params = [self.type() for _ in range(rng.randint(0, 9))]
        variadic = []
        if params and rng.random() < 0.25:
            plain = [p for p in params if p not in self.classes]
            params = plain or ["int"]
            pool = VARIADIC + self.structs
            variadic = [rng.choice(pool) for _ in range(rng.randint(0, 8))]
            return i, rng.choice(["void", self.type()]), params + [], variadic, True
        return i, rng.choice(["void", self.type()]), params, variadic, False

    def prototype(self, f):
        i, result, params, _, dots = f
        text = ", ".join("%s a%d" % (t, k) for k, t in enumerate(params)) or "void"
        return "%s fn%d(%s%s)" % (result, i, text, ", ..." if dots else "")

    def callee(self, f):
        i, result, params, variadic, dots = f
        body = "".join("\tnote(wrong_%s(a%d, %d), %d);\n" % (ident(t), k, i * 7 + k, i)
                       for k, t in enumerate(params))
        if dots:
            body += "\tva_list ap;\n\tva_start(ap, a%d);\n" % (len(params) - 1)
            for k, t in enumerate(variadic):
                body += "\tnote(wrong_%s(va_arg(ap, %s), %d), %d);\n" % (ident(t), t, i + 90 + k, i)
            body += "\tva_end(ap);\n"
        if result != "void":
            body += "\treturn make_%s(%d);\n" % (ident(result), i + 3)
        return "%s\n{\n%s}\n" % (self.prototype(f), body)

    def call(self, f, name):
        i, result, params, variadic, _ = f
        args = ["make_%s(%d)" % (ident(t), i * 7 + k) for k, t in enumerate(params)]
        args += ["make_%s(%d)" % (ident(t), i + 90 + k) for k, t in enumerate(variadic)]
        call = "%s(%s)" % (name, ", ".join(args))
        if result == "void":
            return "\t%s;\n" % call
        return "\tnote(wrong_%s(%s, %d), %d);\n" % (ident(result), call, i + 3, i)

    def caller(self):
        out = ['#include "types.h"', "int checked, wrong, alive;"]
        for f in self.functions:
            out.append(self.prototype(f) + ";")
        for f in self.functions:
            i, result, params, _, dots = f
            kind = "%s (*volatile p)(%s%s)" % (result, ", ".join(params) or "void",
                                               ", ..." if dots else "")
            local = self.callee(f).replace("fn%d(" % i, "near%d(" % i)
            out.append("static __attribute__((noinline)) " + local)
            out.append("static void use%d(void)\n{\n\t%s = fn%d;\n%s%s%s}" % (
                i, kind, i, self.call(f, "fn%d" % i), self.call(f, "p"), self.call(f, "near%d" % i)))
        out.append("int main(void)\n{\n%s\tprintf(\"%%d checked\\n\", checked);\n\treturn wrong || alive;\n}"
                   % "".join("\tuse%d();\n" % f[0] for f in self.functions))
        return "\n".join(out)


def ident(t):
    return t.replace(" ", "_").replace("*", "p")


def types_head():
    out = ["#include <stdarg.h>\n#include <stdbool.h>\n#include <stdio.h>",
           "typedef int vec16 __attribute__((vector_size(16)));",
           "typedef int vec32 __attribute__((vector_size(32)));",
           "typedef _Complex double cplx;",
           "extern int checked, wrong, alive;",
           "static inline void note(int bad, int f)\n{\n\tchecked++;\n\tif (bad) {\n\t\twrong++;\n"
           "\t\tprintf(\"fn%d: wrong value\\n\", f);\n\t}\n}"]
    for t in sorted(set(SCALARS + FIELDS + VARIADIC)):
        if t in ("vec16", "vec32"):
            n = 4 if t == "vec16" else 8
            out.append("static inline %s make_%s(int n)\n{\n\t%s v;\n\tfor (int i = 0; i < %d; i++)\n"
                       "\t\tv[i] = n + i;\n\treturn v;\n}" % (t, t, t, n))
            out.append("static inline int wrong_%s(%s v, int n)\n{\n\tfor (int i = 0; i < %d; i++)\n"
                       "\t\tif (v[i] != n + i)\n\t\t\treturn 1;\n\treturn 0;\n}" % (t, t, n))
            continue
        value = {"bool": "n & 1", "void *": "(void *)(long)(n * 1001L)", "char": "(char)(n & 63)",
                 "cplx": "n + 0.5"}.get(t, "(%s)(n * 3 - 7)" % t)
        out.append("static inline %s make_%s(int n) { return %s; }" % (t, ident(t), value))
        out.append("static inline int wrong_%s(%s v, int n) { return v != make_%s(n); }" %
                   (ident(t), t, ident(t)))
    return out


def main():
    seed, count, language, where = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4]
    maker = Maker(seed, count, language == "cc")
    with open(where + "/types.h", "w") as f:
        f.write("\n".join(types_head() + maker.head) + "\n")
    with open("%s/caller.%s" % (where, language), "w") as f:
        f.write(maker.caller() + "\n")
    with open("%s/callee.%s" % (where, language), "w") as f:
        f.write('#include "types.h"\n' + "\n".join(maker.callee(f) for f in maker.functions))


main()
