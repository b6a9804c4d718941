/*
 * Writes random programs in the words of batch.h.
 * Usage: generate SEED PROGRAMS THREADS OPERATIONS FEATURES
 *
 * FEATURES are letters: b branches, i indices that were read, n loops, l locks, t trylocks,
 * a atomic updates, f fences, c conditions, d conditions with a time limit, s semaphores,
 * r readers-writer locks, m barriers, p threads that start threads, A assertions in threads,
 * w threads that sleep at one condition, and one that looks who woke up first, v loops that wait as
 * long as it takes.
 * What a feature needs is drawn often enough that most programs have it; values flow through two
 * locals per thread, r0 and r1.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_THREADS 4
#define MAX_NESTING 2

struct generator {
	uint64_t random;
	const char *features;
	unsigned vars, threads, roots, operations;
	unsigned held;	  /* mutexes as bits, readers-writer locks from bit 4 on */
	unsigned nesting; /* of blocks */
	unsigned indent;
};

static unsigned below(struct generator *g, unsigned n)
{
	g->random += UINT64_C(0x9e3779b97f4a7c15);
	uint64_t z = g->random;

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return (unsigned)((z ^ (z >> 31)) >> 33) % n;
}

static bool has(const struct generator *g, char feature)
{
	return strchr(g->features, feature) != NULL;
}

static void begin_line(const struct generator *g)
{
	for (unsigned i = 0; i < g->indent; i++)
		putchar('\t');
}

#define LINE(g, ...) (begin_line(g), printf(__VA_ARGS__), putchar('\n'))

static const char *variable(struct generator *g)
{
	static char text[3][16];
	static unsigned next;
	char *to = text[next++ % 3];

	if (has(g, 'i') && below(g, 4) == 0)
		snprintf(to, sizeof(text[0]), "x[r%u & 1]", below(g, 2));
	else
		snprintf(to, sizeof(text[0]), "x[%u]", below(g, g->vars));
	return to;
}

/* A constant, or something that depends on what was read. */
static const char *value(struct generator *g)
{
	static char text[16];

	switch (below(g, 5)) {
	case 0:
		snprintf(text, sizeof(text), "r%u + 1", below(g, 2));
		break;
	case 1:
		snprintf(text, sizeof(text), "r%u", below(g, 2));
		break;
	default:
		snprintf(text, sizeof(text), "%u", below(g, 3));
	}
	return text;
}

static void operation(struct generator *g);

static void some_operations(struct generator *g)
{
	g->nesting++;
	operation(g);
	if (below(g, 2))
		operation(g);
	g->nesting--;
}

static void block(struct generator *g, const char *head)
{
	LINE(g, "%s {", head);
	g->indent++;
	some_operations(g);
	g->indent--;
}

static void read_or_write(struct generator *g)
{
	if (below(g, 2))
		LINE(g, "SEE(r%u, READ(%s));", below(g, 2), variable(g));
	else
		LINE(g, "WRITE(%s, %s);", variable(g), value(g));
}

static void branch(struct generator *g)
{
	char head[32];

	snprintf(head, sizeof(head), "if (r%u == %u)", below(g, 2), below(g, 3));
	block(g, head);
	if (below(g, 2))
		block(g, "} else");
	LINE(g, "}");
}

/* At most two rounds. */
static void loop(struct generator *g)
{
	unsigned r = below(g, 2);

	LINE(g, "for (int n = 0; n < 2; n++) {");
	g->indent++;
	LINE(g, "SEE(r%u, READ(%s));", r, variable(g));
	LINE(g, "if (r%u == %u)", r, below(g, 2));
	LINE(g, "\tbreak;");
	if (below(g, 3) == 0)
		LINE(g, "WRITE(%s, n + 1);", variable(g));
	g->indent--;
	LINE(g, "}");
}

/* What a round that goes on has seen is not told: it is as if it had not been. */
static void spin(struct generator *g)
{
	unsigned a = below(g, 2), b = below(g, 2), r = below(g, 2);
	const char *x = variable(g), *y = variable(g);

	LINE(g, "for (;;) {");
	g->indent++;
	LINE(g, "ROUND(outer);");
	switch (below(g, has(g, 't') ? 7 : 6)) {
	case 0:
		LINE(g, "if (READ(%s) == %u)\n\t\t\tbreak;", x, a);
		break;
	case 1:
		LINE(g, "if (READ(%s) != %u || READ(%s) == %u)\n\t\t\tbreak;", x, a, y, b);
		break;
	case 2:
		LINE(g, "if (XCHG(%s, 1) != 1)\n\t\t\tbreak;", x);
		break;
	case 3:
		LINE(g, "if (CAS(%s, %u, %u))\n\t\t\tbreak;", x, a, b + 1);
		break;
	case 4:
		LINE(g, "int seen = READ(%s), other = READ(%s);", x, y);
		LINE(g, "if (READ(%s) == seen) {", x);
		LINE(g, "\tSEE(r%u, seen + 4 * other);\n\t\t\tbreak;\n\t\t}", r);
		break;
	case 5:
		LINE(g, "for (ROUND(inner); READ(%s) == %u; AGAIN(inner))\n\t\t\t;", x, a);
		LINE(g, "if (READ(%s) != %u)\n\t\t\tbreak;", y, b);
		break;
	default:
		LINE(g, "if (TRYLOCK(l[%u])) {", a);
		LINE(g, "\tUNLOCK(l[%u]);\n\t\t\tbreak;\n\t\t}", a);
	}
	LINE(g, "AGAIN(outer);");
	g->indent--;
	LINE(g, "}");
}

static void atomic(struct generator *g)
{
	switch (below(g, 3)) {
	case 0:
		LINE(g, "SEE(r%u, ADD(%s, %u));", below(g, 2), variable(g), 1 + below(g, 2));
		break;
	case 1:
		LINE(g, "SEE(r%u, XCHG(%s, %s));", below(g, 2), variable(g), value(g));
		break;
	default:
		LINE(g, "SEE(r%u, CAS_OLD(%s, %u, %u));", below(g, 2), variable(g), below(g, 2),
		     1 + below(g, 2));
	}
}

/* Blocks are whole: no branch leaves a lock behind, and nobody takes what it holds. */
static void section(struct generator *g)
{
	unsigned k = below(g, 2);

	if (g->held >> k & 1) {
		read_or_write(g);
		return;
	}
	LINE(g, "LOCK(l[%u]);", k);
	g->held |= 1u << k;
	some_operations(g);
	g->held &= ~(1u << k);
	LINE(g, "UNLOCK(l[%u]);", k);
}

static void try_section(struct generator *g)
{
	unsigned k = below(g, 2), r = below(g, 2);

	if (g->held >> k & 1) {
		read_or_write(g);
		return;
	}
	LINE(g, "SEE(r%u, TRYLOCK(l[%u]));", r, k);
	LINE(g, "if (r%u) {", r);
	g->indent++;
	g->held |= 1u << k;
	some_operations(g);
	g->held &= ~(1u << k);
	LINE(g, "UNLOCK(l[%u]);", k);
	g->indent--;
	LINE(g, "}");
}

static void rw_section(struct generator *g)
{
	static const char *const words[] = {"RDLOCK", "WRLOCK", "TRYRDLOCK", "TRYWRLOCK"};
	unsigned k = below(g, 2), kind = below(g, has(g, 't') ? 4 : 2), r = below(g, 2);

	if (g->held >> (4 + k) & 1) {
		read_or_write(g);
		return;
	}
	if (kind < 2) {
		LINE(g, "%s(w[%u]);", words[kind], k);
	} else {
		LINE(g, "SEE(r%u, %s(w[%u]));", r, words[kind], k);
		LINE(g, "if (r%u) {", r);
		g->indent++;
	}
	g->held |= 16u << k;
	some_operations(g);
	g->held &= ~(16u << k);
	LINE(g, "RWUNLOCK(w[%u]);", k);
	if (kind >= 2) {
		g->indent--;
		LINE(g, "}");
	}
}

/* Waits for a condition unless a variable has a certain value, as programs do. */
static void wait_section(struct generator *g)
{
	unsigned k = below(g, 2), r = below(g, 2);
	bool timed = has(g, 'd') && below(g, 2);

	if (g->held >> k & 1) {
		read_or_write(g);
		return;
	}
	LINE(g, "LOCK(l[%u]);", k);
	LINE(g, "SEE(r%u, READ(x[%u]));", r, below(g, g->vars));
	LINE(g, "if (r%u == 0)", r);
	if (timed)
		LINE(g, "\tSEE(r%u, TIMEDWAIT(c[%u], l[%u]));", r, below(g, 2), k);
	else
		LINE(g, "\tWAIT(c[%u], l[%u]);", below(g, 2), k);
	if (below(g, 2)) {
		g->held |= 1u << k;
		some_operations(g);
		g->held &= ~(1u << k);
	}
	LINE(g, "UNLOCK(l[%u]);", k);
}

static void wake(struct generator *g)
{
	if (below(g, 2))
		LINE(g, "WRITE(x[%u], 1);", below(g, g->vars));
	LINE(g, "%s(c[%u]);", below(g, 2) ? "SIGNAL" : "BROADCAST", below(g, 2));
}

static void semaphore(struct generator *g)
{
	unsigned k = below(g, 2);

	switch (below(g, 5)) {
	case 0:
		LINE(g, "SEM_WAIT(s%u);", k);
		break;
	case 1:
		LINE(g, "SEE(r%u, SEM_TRYWAIT(s%u));", below(g, 2), k);
		break;
	default:
		LINE(g, "SEM_POST(s%u);", k);
	}
}

static void barrier(struct generator *g)
{
	LINE(g, "SEE(r%u, BARRIER_WAIT(b%u));", below(g, 2), g->threads > 2 && below(g, 2) ? 3 : 2);
}

static void statement(struct generator *g)
{
	LINE(g, "heddle_assert(r%u != %u);", below(g, 2), 1 + below(g, 3));
}

static void fence(struct generator *g)
{
	LINE(g, "FENCE();");
}

static void operation(struct generator *g)
{
	static const struct {
		char feature;
		bool block;
		unsigned percent;
		void (*write)(struct generator *g);
	} kinds[] = {
		{'b', true, 10, branch},       {'n', false, 10, loop},
		{'l', true, 30, section},      {'t', true, 15, try_section},
		{'a', false, 25, atomic},      {'f', false, 10, fence},
		{'c', true, 20, wait_section}, {'c', false, 20, wake},
		{'s', false, 25, semaphore},   {'r', true, 25, rw_section},
		{'m', false, 15, barrier},     {'A', false, 10, statement},
		{'v', false, 25, spin},
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (!has(g, kinds[i].feature) || below(g, 100) >= kinds[i].percent)
			continue;
		if (kinds[i].block && g->nesting >= MAX_NESTING)
			continue;
		kinds[i].write(g);
		return;
	}
	read_or_write(g);
}

/*
 * The last thread looks how many are asleep and wakes them one by one; what it sees in between
 * tells whom.
 */
static void sleep_or_wake(struct generator *g, unsigned t)
{
	if (t + 1 < g->threads) {
		LINE(g, "LOCK(l[0]);");
		LINE(g, "SEE(r1, READ(x[1]));");
		LINE(g, "WRITE(x[1], r1 + 1);");
		LINE(g, "WAIT(c[0], l[0]);");
		LINE(g, "SEE(r0, READ(x[0]));");
		LINE(g, "WRITE(x[0], %u);", t + 1);
		LINE(g, "UNLOCK(l[0]);");
		return;
	}
	LINE(g, "LOCK(l[0]);");
	LINE(g, "SEE(r0, READ(x[1]));");
	LINE(g, "UNLOCK(l[0]);");
	for (unsigned i = 1; i < g->threads; i++) {
		LINE(g, "SIGNAL(c[0]);");
		LINE(g, "SEE(r%u, READ(x[0]));", i % 2);
	}
}

/* Thread t starts those whose parent it is, and waits for them in the end. */
static void thread(struct generator *g, unsigned number, unsigned t, const unsigned *parents)
{
	unsigned count = has(g, 'w') ? below(g, g->operations) : 1 + below(g, g->operations);

	printf("THREAD(p%u_t%u)\n{\n\tint r0 = 0, r1 = 0;\n\tunsigned h = 0;\n\n", number, t);
	LINE(g, "(void)r0, (void)r1;");
	for (unsigned k = g->roots; k < g->threads; k++)
		if (parents[k] == t) {
			if (below(g, 2))
				operation(g);
			LINE(g, "SPAWN(%u);", k);
		}
	if (has(g, 'w'))
		sleep_or_wake(g, t);
	for (unsigned i = 0; i < count; i++)
		operation(g);
	for (unsigned k = g->threads; k-- > g->roots;)
		if (parents[k] == t)
			LINE(g, "JOIN(%u);", k);
	printf("\treturn (int)h;\n}\n\n");
}

static void program(struct generator *g, unsigned number, unsigned max_threads)
{
	unsigned parents[MAX_THREADS] = {0};

	g->threads = has(g, 'w') ? max_threads : 2 + below(g, max_threads - 1);
	g->roots = has(g, 'p') ? 1 + below(g, 2) : g->threads;
	g->vars = 1 + below(g, 3);
	if ((has(g, 'i') || has(g, 'w')) && g->vars < 2)
		g->vars = 2;
	for (unsigned k = g->roots; k < g->threads; k++)
		parents[k] = below(g, k);
	for (unsigned t = 0; t < g->threads; t++)
		thread(g, number, t, parents);
	printf("#define P%u {{", number);
	for (unsigned t = 0; t < g->threads; t++)
		printf("%sp%u_t%u", t ? ", " : "", number, t);
	printf("}, %u, %u}\n\n", g->threads, g->roots);
}

int main(int argc, char **argv)
{
	struct generator g = {.indent = 1};
	unsigned count;

	if (argc != 6 || atoi(argv[3]) < 2 || atoi(argv[3]) > MAX_THREADS)
		return 2;
	g.random = strtoull(argv[1], NULL, 10) * UINT64_C(0x2545f4914f6cdd1d);
	g.operations = (unsigned)atoi(argv[4]);
	g.features = argv[5];
	count = (unsigned)atoi(argv[2]);
	printf("#include \"batch.h\"\n\n");
	for (unsigned i = 0; i < count; i++)
		program(&g, i, (unsigned)atoi(argv[3]));
	printf("static const struct batch_program programs[] = {");
	for (unsigned i = 0; i < count; i++)
		printf("%sP%u,", i % 8 ? " " : "\n\t", i);
	printf("\n};\n\nint main(int argc, char **argv)\n{\n"
	       "\treturn batch_main(argc, argv, programs, %u);\n}\n",
	       count);
	return 0;
}
