#include "collect/rate.h"

#include "base/fs.h"

#define SECOND UINT64_C(1000000000)
#define WAYS 8

void collect_rate_init(struct collect_rate *r, uint64_t per_second, uint64_t burst)
{
	pthread_mutex_init(&r->lock, NULL);
	r->per_second = per_second;
	r->burst = burst ? burst : 1;
}

void collect_rate_fini(struct collect_rate *r)
{
	pthread_mutex_destroy(&r->lock);
}

/* The client's row, or the one whose bucket is or will be full first: it loses least. */
static struct collect_rate_row *find(struct collect_rate *r, uint64_t client)
{
	uint64_t hash = fs_hash(FS_HASH_START, &client, sizeof(client));
	struct collect_rate_row *set = &r->rows[hash % (COLLECT_RATE_CLIENTS / WAYS) * WAYS];
	struct collect_rate_row *best = set;

	for (unsigned i = 0; i < WAYS; i++) {
		if (set[i].client == client)
			return &set[i];
		if (set[i].full_ns < best->full_ns)
			best = &set[i];
	}
	*best = (struct collect_rate_row){client, 0};
	return best;
}

unsigned collect_rate_take(struct collect_rate *r, uint64_t client, uint64_t now_ns)
{
	struct collect_rate_row *row;
	uint64_t one, room, from;
	unsigned wait = 0;

	if (!r->per_second)
		return 0;
	one = SECOND / r->per_second ? SECOND / r->per_second : 1;
	room = one * r->burst;
	pthread_mutex_lock(&r->lock);
	row = find(r, client ? client : 1);
	from = row->full_ns > now_ns ? row->full_ns : now_ns;
	if (from - now_ns + one > room)
		wait = (unsigned)((from - now_ns + one - room + SECOND - 1) / SECOND);
	else
		row->full_ns = from + one;
	pthread_mutex_unlock(&r->lock);
	return wait;
}
