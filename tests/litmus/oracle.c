/*
 * The outcomes a litmus shape may have under SC, TSO or PSO, by walking every execution of the
 * abstract machine.  Independent of heddle: it shares no code with the guest's store buffers.
 *
 * Machine: shared memory, and per thread a list of stores that have been issued and not yet reached
 * memory.  A step is the next instruction of a thread, or one of its buffered stores reaching
 * memory.  SC: a store goes to memory at once.  TSO: only the oldest buffered store may go.  PSO:
 * the oldest one of each location, except that a release store also waits for all older ones.
 * A load takes the thread's own newest buffered store to that location, else memory.  Fences,
 * read-modify-writes, locks, unlocks and a thread's end wait until its list is empty.  A seq_cst
 * store is a release store followed by a fence.
 *
 * Shape file, one line each:
 *	base N             registers are digits of the outcome in base N
 *	thread OP; OP; …   W x 1   W.rel x 1   W.sc x 1   R x a   F   X x 1 a   A x 1 a   L m   U m
 *	outcome a b …      registers, and final.x for the last value of a location
 *
 * Usage: oracle sc|tso|pso SHAPE; prints "status a=… b=…" per outcome, status = 1 + the digits.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_THREADS = 5, MAX_OPS = 12, MAX_NAMES = 16, MAX_STATUS = 4096 };
enum model { SC, TSO, PSO };
enum op_kind { OP_WRITE, OP_READ, OP_FENCE, OP_XCHG, OP_ADD, OP_LOCK, OP_UNLOCK };

struct op {
	enum op_kind kind;
	int release, sc;
	int loc, value, reg;
};

struct store {
	int loc, value, release;
};

struct thread {
	int pc, buffered;
	struct store buffer[MAX_OPS];
};

struct machine {
	struct thread threads[MAX_THREADS];
	int memory[MAX_NAMES], owner[MAX_NAMES], regs[MAX_NAMES];
};

struct names {
	int count;
	char text[MAX_NAMES][16];
};

static enum model model;
static int base = 2, thread_count, outcome_count;
static int op_counts[MAX_THREADS];
static struct op program[MAX_THREADS][MAX_OPS];
static struct names locs, regs;
static char outcome_names[MAX_NAMES][24];
static char seen[MAX_STATUS];

static void die(const char *what, const char *detail)
{
	fprintf(stderr, "oracle: %s: %s\n", what, detail);
	exit(3);
}

static int name_number(struct names *n, const char *text)
{
	for (int i = 0; i < n->count; i++)
		if (strcmp(n->text[i], text) == 0)
			return i;
	if (n->count == MAX_NAMES || strlen(text) >= sizeof(n->text[0]))
		die("too many or too long names", text);
	strcpy(n->text[n->count], text);
	return n->count++;
}

static void parse_op(char *text, struct op *op)
{
	char kind[8] = "", a[16] = "", b[16] = "", c[16] = "";
	int words = sscanf(text, "%7s %15s %15s %15s", kind, a, b, c);

	if (kind[0] == 'W' && words == 3) {
		op->kind = OP_WRITE;
		op->sc = strcmp(kind, "W.sc") == 0;
		op->release = op->sc || strcmp(kind, "W.rel") == 0;
		op->value = atoi(b);
	} else if (strcmp(kind, "R") == 0 && words == 3) {
		op->kind = OP_READ;
		op->reg = name_number(&regs, b);
	} else if ((strcmp(kind, "X") == 0 || strcmp(kind, "A") == 0) && words == 4) {
		op->kind = kind[0] == 'X' ? OP_XCHG : OP_ADD;
		op->value = atoi(b);
		op->reg = name_number(&regs, c);
	} else if (strcmp(kind, "F") == 0 && words == 1) {
		op->kind = OP_FENCE;
		return;
	} else if ((strcmp(kind, "L") == 0 || strcmp(kind, "U") == 0) && words == 2) {
		op->kind = kind[0] == 'L' ? OP_LOCK : OP_UNLOCK;
	} else {
		die("not an operation", text);
	}
	op->loc = name_number(&locs, a);
}

static void parse_thread(char *text)
{
	char *save = NULL;
	int t = thread_count++;

	if (t >= MAX_THREADS)
		die("too many threads", text);
	for (char *op = strtok_r(text, ";", &save); op; op = strtok_r(NULL, ";", &save)) {
		if (op_counts[t] == MAX_OPS)
			die("too many operations", text);
		parse_op(op, &program[t][op_counts[t]++]);
	}
}

static void parse_outcome(char *text)
{
	char *save = NULL;

	for (char *w = strtok_r(text, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
		if (outcome_count == MAX_NAMES)
			die("too long an outcome", w);
		snprintf(outcome_names[outcome_count++], sizeof(outcome_names[0]), "%s", w);
	}
}

static void parse_file(const char *path)
{
	char line[256];
	FILE *f = fopen(path, "r");

	if (f == NULL)
		die("cannot read", path);
	while (fgets(line, sizeof(line), f)) {
		line[strcspn(line, "#\n")] = '\0';
		if (strncmp(line, "base ", 5) == 0)
			base = atoi(line + 5);
		else if (strncmp(line, "thread ", 7) == 0)
			parse_thread(line + 7);
		else if (strncmp(line, "outcome ", 8) == 0)
			parse_outcome(line + 8);
		else if (line[strspn(line, " \t")] != '\0')
			die("not understood", line);
	}
	fclose(f);
	if (thread_count == 0 || outcome_count == 0)
		die("no threads or no outcome", path);
}

static int outcome_digit(const struct machine *m, int i)
{
	const char *name = outcome_names[i];

	if (strncmp(name, "final.", 6) == 0)
		return m->memory[name_number(&locs, name + 6)];
	return m->regs[name_number(&regs, name)];
}

static void finish(const struct machine *m)
{
	int status = 0;

	for (int i = 0; i < outcome_count; i++)
		status = status * base + outcome_digit(m, i);
	if (status + 1 >= MAX_STATUS)
		die("outcome too large", outcome_names[0]);
	seen[status + 1] = 1;
}

/* May entry i of the thread's list reach memory now? */
static int may_flush(const struct thread *t, int i)
{
	if (i == 0)
		return 1;
	if (model == TSO || t->buffer[i].release)
		return 0;
	for (int j = 0; j < i; j++)
		if (t->buffer[j].loc == t->buffer[i].loc)
			return 0;
	return 1;
}

static void flush(struct machine *m, int thread, int i)
{
	struct thread *t = &m->threads[thread];

	m->memory[t->buffer[i].loc] = t->buffer[i].value;
	memmove(&t->buffer[i], &t->buffer[i + 1],
		(size_t)(t->buffered - i - 1) * sizeof(t->buffer[0]));
	t->buffered--;
}

static int load(const struct machine *m, const struct thread *t, int loc)
{
	for (int i = t->buffered - 1; i >= 0; i--)
		if (t->buffer[i].loc == loc)
			return t->buffer[i].value;
	return m->memory[loc];
}

static void write_op(struct machine *m, struct thread *t, const struct op *op)
{
	if (model == SC)
		m->memory[op->loc] = op->value;
	else
		t->buffer[t->buffered++] = (struct store){op->loc, op->value, op->release};
}

/* Performs the next operation of the thread; 0 when it cannot go on now. */
static int perform(struct machine *m, int thread)
{
	struct thread *t = &m->threads[thread];
	const struct op *op = &program[thread][t->pc];
	int after_sc = t->pc > 0 && program[thread][t->pc - 1].sc;
	int drains = op->kind != OP_WRITE && op->kind != OP_READ;

	if ((drains || after_sc) && t->buffered > 0)
		return 0;
	switch (op->kind) {
	case OP_WRITE:
		write_op(m, t, op);
		break;
	case OP_READ:
		m->regs[op->reg] = load(m, t, op->loc);
		break;
	case OP_FENCE:
		break;
	case OP_XCHG:
	case OP_ADD:
		m->regs[op->reg] = m->memory[op->loc];
		m->memory[op->loc] = (op->kind == OP_ADD ? m->memory[op->loc] : 0) + op->value;
		break;
	case OP_LOCK:
		if (m->owner[op->loc])
			return 0;
		m->owner[op->loc] = thread + 1;
		break;
	case OP_UNLOCK:
		m->owner[op->loc] = 0;
		break;
	}
	t->pc++;
	return 1;
}

static void explore(const struct machine *m)
{
	int moved = 0;

	for (int i = 0; i < thread_count; i++) {
		const struct thread *t = &m->threads[i];

		for (int j = 0; j < t->buffered; j++) {
			struct machine next = *m;

			if (!may_flush(t, j))
				continue;
			flush(&next, i, j);
			explore(&next);
			moved = 1;
		}
		if (t->pc < op_counts[i]) {
			struct machine next = *m;

			if (perform(&next, i)) {
				explore(&next);
				moved = 1;
			}
		}
	}
	if (!moved)
		finish(m);
}

static void print_outcomes(void)
{
	for (int status = 1; status < MAX_STATUS; status++) {
		int digits[MAX_NAMES], rest = status - 1;

		if (!seen[status])
			continue;
		for (int i = outcome_count - 1; i >= 0; i--) {
			digits[i] = rest % base;
			rest /= base;
		}
		printf("%d", status);
		for (int i = 0; i < outcome_count; i++)
			printf(" %s=%d", outcome_names[i], digits[i]);
		printf("\n");
	}
}

int main(int argc, char **argv)
{
	static const char *const models[] = {"sc", "tso", "pso"};
	struct machine start;
	int i;

	if (argc != 3)
		die("usage", "oracle sc|tso|pso SHAPE");
	for (i = 0; i < 3 && strcmp(argv[1], models[i]) != 0; i++)
		;
	if (i == 3)
		die("no such model", argv[1]);
	model = (enum model)i;
	parse_file(argv[2]);
	memset(&start, 0, sizeof(start));
	explore(&start);
	print_outcomes();
	return 0;
}
