#include "support_memo.h"

#include <string.h>

void kit_begin(struct kit *k)
{
	memset(k, 0, sizeof(*k));
	k->pool = expr_pool_new();
	for (unsigned i = 0; i < 4; i++)
		k->inputs[i] = (struct memo_input){.kind = MEMO_REGION, .width = 8, .a = i};
}

void kit_end(struct kit *k)
{
	expr_pool_free(k->pool);
}

expr_id kit_number(struct kit *k, unsigned region)
{
	return expr_read(k->pool, region, 8);
}

expr_id kit_constant(struct kit *k, uint8_t value)
{
	return expr_const(k->pool, 8, value);
}

expr_id kit_compare(struct kit *k, enum expr_op op, unsigned region, uint8_t value, bool holds)
{
	expr_id e = expr_binary(k->pool, op, kit_constant(k, value), kit_number(k, region));

	return holds ? e : expr_not(k->pool, e);
}

void kit_add(struct kit *k, struct memo_terms *to, expr_id e)
{
	if (!memo_terms_add(to, k->pool, e, k->inputs))
		abort();
}

void kit_loop(struct kit *k, unsigned region, uint8_t rounds, struct memo_terms *to)
{
	for (uint8_t i = 0; i <= rounds; i++)
		kit_add(k, to, kit_compare(k, EXPR_SLT, region, i, i < rounds));
}

void kit_order(const char *threads, struct memo_schedule *to)
{
	for (; *threads; threads++)
		vec_push(to, ((struct memo_element){.tid = (uint32_t)(*threads - '0'), .op = 9}));
}

struct memo_given kit_given(struct memo_region regions[2], const uint8_t numbers[2])
{
	regions[0] = (struct memo_region){&numbers[0], 1};
	regions[1] = (struct memo_region){&numbers[1], 1};
	return (struct memo_given){.regions = regions, .region_count = 2};
}
