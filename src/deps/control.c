#include "deps/control.h"

#include <llvm-c/Core.h>

#define NONE UINT32_MAX

struct stretch {
	LLVMValueRef first, last;
	uint32_t node, decision;
	struct deps_list next, prev;
	uint32_t way;	  /* number on the way back from the end, NONE: not met */
	uint32_t certain; /* the next stretch that is certain to follow */
	uint8_t colour;	  /* of the search: 0 new, 1 open, 2 done */
	bool reached;
};

/* The last two are the return and the end. */
struct control {
	struct deps_build *b;
	VEC(struct stretch) all;
	struct ptrmap of_block; /* block -> number of its first stretch + 1 */
	struct deps_list order; /* against the flow, from the end */
	uint32_t back, end;
};

static uint32_t add(struct control *c, LLVMValueRef first)
{
	struct stretch s = {.first = first,
			    .node = DEPS_NO_NODE,
			    .decision = DEPS_NO_NODE,
			    .way = NONE,
			    .certain = NONE};

	vec_push(&c->all, s);
	return (uint32_t)c->all.count - 1;
}

static void link_to(struct control *c, uint32_t from, uint32_t to)
{
	vec_push(&c->all.items[from].next, to);
}

/* Stretches of a block; those behind a call that may stay follow it directly. */
static void cut_block(struct control *c, LLVMBasicBlockRef block)
{
	LLVMValueRef i = LLVMGetFirstInstruction(block);
	uint32_t at = add(c, i);

	ptrmap_set(&c->of_block, block, at + 1);
	for (; i; i = LLVMGetNextInstruction(i)) {
		c->all.items[at].last = i;
		if (LLVMIsATerminatorInst(i) || !deps_calls_is(i) || !deps_calls_stay(c->b, i))
			continue;
		at = add(c, LLVMGetNextInstruction(i));
		link_to(c, at - 1, at);
	}
}

static void link_stretches(struct control *c)
{
	for (uint32_t s = 0; s < c->back; s++) {
		LLVMValueRef last = c->all.items[s].last;
		uintptr_t to;

		if (!LLVMIsATerminatorInst(last)) {
			link_to(c, s, c->end);
			continue;
		}
		for (unsigned i = 0; i < LLVMGetNumSuccessors(last); i++)
			if (ptrmap_get(&c->of_block, LLVMGetSuccessor(last, i), &to))
				link_to(c, s, (uint32_t)to - 1);
		if (LLVMIsAReturnInst(last))
			link_to(c, s, c->back);
		else if (!LLVMGetNumSuccessors(last))
			link_to(c, s, c->end);
	}
	link_to(c, c->back, c->end);
}

struct step {
	uint32_t at, next;
};

/* Every edge back to an open stretch closes a cycle: its source may go on for ever. */
static bool open_cycles(struct control *c)
{
	VEC(struct step) path = VEC_INIT;
	struct step start = {0, 0};
	bool any = false;

	vec_push(&path, start);
	while (path.count) {
		struct step *p = &vec_last(&path);
		struct stretch *s = &c->all.items[p->at];
		uint32_t to;

		s->colour = 1;
		s->reached = true;
		if (p->next == s->next.count) {
			s->colour = 2;
			path.count--;
			continue;
		}
		to = s->next.items[p->next++];
		if (c->all.items[to].colour == 1) {
			vec_push(&s->next, c->end);
			any = true;
		} else if (!c->all.items[to].colour) {
			struct step down = {to, 0};

			vec_push(&path, down);
		}
	}
	vec_free(&path);
	return any;
}

static void control_init(struct control *c, struct deps_build *b, LLVMValueRef function)
{
	*c = (struct control){.b = b, .of_block = PTRMAP_INIT};
	for (LLVMBasicBlockRef k = LLVMGetFirstBasicBlock(function); k;
	     k = LLVMGetNextBasicBlock(k))
		cut_block(c, k);
	c->back = add(c, NULL);
	c->end = add(c, NULL);
	link_stretches(c);
}

static void control_fini(struct control *c)
{
	for (size_t i = 0; i < c->all.count; i++) {
		vec_free(&c->all.items[i].next);
		vec_free(&c->all.items[i].prev);
	}
	vec_free(&c->all);
	vec_free(&c->order);
	ptrmap_free(&c->of_block);
}

bool deps_control_stays(struct deps_build *b, LLVMValueRef function)
{
	struct control c;
	bool stays;

	control_init(&c, b, function);
	stays = open_cycles(&c);
	for (uint32_t s = 0; s < c.back && !stays; s++) {
		struct deps_list *next = &c.all.items[s].next;

		for (size_t i = 0; i < next->count; i++)
			stays |= c.all.items[s].reached && next->items[i] == c.end;
	}
	control_fini(&c);
	return stays;
}

/* Numbers the stretches so that whatever follows a stretch has mostly a smaller number. */
static void find_order(struct control *c)
{
	VEC(struct step) path = VEC_INIT;
	struct step start = {c->end, 0};

	for (uint32_t s = 0; s < c->all.count; s++) {
		for (size_t i = 0; i < c->all.items[s].next.count && c->all.items[s].reached; i++)
			vec_push(&c->all.items[c->all.items[s].next.items[i]].prev, s);
		c->all.items[s].colour = 0;
	}
	vec_push(&path, start);
	c->all.items[c->end].colour = 1;
	while (path.count) {
		struct step *p = &vec_last(&path);
		struct stretch *s = &c->all.items[p->at];

		if (p->next == s->prev.count) {
			vec_push(&c->order, p->at);
			path.count--;
			continue;
		}
		struct step down = {s->prev.items[p->next++], 0};

		if (c->all.items[down.at].colour)
			continue;
		c->all.items[down.at].colour = 1;
		vec_push(&path, down);
	}
	for (size_t i = 0; i < c->order.count; i++)
		c->all.items[c->order.items[i]].way = (uint32_t)(c->order.count - 1 - i);
	vec_free(&path);
}

static uint32_t meet(const struct control *c, uint32_t a, uint32_t b)
{
	while (a != b) {
		while (c->all.items[a].way > c->all.items[b].way)
			a = c->all.items[a].certain;
		while (c->all.items[b].way > c->all.items[a].way)
			b = c->all.items[b].certain;
	}
	return a;
}

/* Immediate post-dominators, as ir/cfg.c finds dominators. */
static void find_certain(struct control *c)
{
	bool changed = true;

	find_order(c);
	c->all.items[c->end].certain = c->end;
	while (changed) {
		changed = false;
		for (size_t i = c->order.count - 1; i-- > 0;) {
			struct stretch *s = &c->all.items[c->order.items[i]];
			uint32_t best = NONE;

			for (size_t k = 0; k < s->next.count; k++) {
				uint32_t to = s->next.items[k];

				if (c->all.items[to].certain == NONE)
					continue;
				best = best == NONE ? to : meet(c, best, to);
			}
			changed |= s->certain != best;
			s->certain = best;
		}
	}
}

static void make_nodes(struct control *c, const struct deps_function *f)
{
	struct deps_graph *g = &c->b->g;

	for (uint32_t n = 0; n < c->back; n++) {
		struct stretch *s = &c->all.items[n];

		s->node = deps_graph_node(g);
		s->decision = LLVMIsATerminatorInst(s->last) ? deps_build_node(c->b, s->last)
							     : deps_build_return(c->b, s->last);
		deps_graph_edge(g, f->runs, s->node);
		for (LLVMValueRef i = s->first; i; i = LLVMGetNextInstruction(i)) {
			ptrmap_set(&c->b->stretches, i, s->node + 1);
			deps_graph_edge(g, s->node, deps_build_node(c->b, i));
			if (i == s->last)
				break;
		}
	}
	c->all.items[c->back].node = f->back;
}

void deps_control_function(struct deps_build *b, const struct deps_function *f)
{
	struct control c;

	control_init(&c, b, f->value);
	open_cycles(&c);
	find_certain(&c);
	make_nodes(&c, f);
	for (uint32_t n = 0; n < c.back; n++) {
		const struct stretch *s = &c.all.items[n];

		for (size_t i = 0; i < s->next.count && s->certain != NONE; i++) {
			for (uint32_t to = s->next.items[i]; to != s->certain && to != c.end;
			     to = c.all.items[to].certain)
				deps_graph_edge(&b->g, s->decision, c.all.items[to].node);
		}
	}
	control_fini(&c);
}
