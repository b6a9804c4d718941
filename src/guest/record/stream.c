#include "guest/record/record.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "guest/os/sys.h"
#include "wire/record_paths.h"

#define FIRST_CHUNK 4096u
#define LARGEST_CHUNK (256u << 10)
#define WINDOW (UINT64_C(1) << 35) /* of the data file that is mapped */
#define EXTENT (UINT64_C(1) << 32) /* and there from the start, without blocks */
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

/*
 * Where words go that nobody wants: the last word of a page, because whole words (backend `paths') are
 * written up to the end of one.  Threads that nothing is known of have the first; some have one to
 * themselves.
 */
#define SINKS 64u
#define SINK_WORDS (RECORD_PATH_PAGE / sizeof(uint64_t))
static uint64_t sinks[SINKS][SINK_WORDS] __attribute__((aligned(RECORD_PATH_PAGE)));

__thread uint64_t *heddle_record_at __attribute__((tls_model("initial-exec"))) =
	&sinks[0][SINK_WORDS - 1];
__thread struct rec_thread rec_self __attribute__((tls_model("initial-exec")));

static char data_path[4096];
static uint8_t *window;
static uint64_t window_bytes;
static uint64_t extent; /* of the file: so far it can be filled without opening it again */

/* Going beyond the limit would be a signal for the program, not an error. */
static bool within_file_limit(uint64_t end)
{
	struct rlimit limit;
	long rc = sys_call(SYS_prlimit64, 0, RLIMIT_FSIZE, 0, (long)&limit, 0, 0);

	return rc || limit.rlim_cur == RLIM_INFINITY || end <= limit.rlim_cur;
}

void rec_stream_init(const char *dir)
{
	size_t n = strlen(dir);
	long fd, at;

	if (n + sizeof(RECORD_DATA_FILE) + 2 > sizeof(data_path))
		return;
	memcpy(data_path, dir, n);
	memcpy(data_path + n, "/" RECORD_DATA_FILE, sizeof(RECORD_DATA_FILE) + 1);
	fd = sys_call(SYS_openat, AT_FDCWD, (long)data_path, O_RDWR | O_CLOEXEC, 0, 0, 0);
	if (fd < 0)
		return;
	/* One mapping for everything: no descriptor is kept that the program could close. */
	for (window_bytes = WINDOW; window_bytes >= (1u << 20); window_bytes /= 4) {
		at = sys_call(SYS_mmap, 0, (long)window_bytes, PROT_READ | PROT_WRITE,
			      MAP_SHARED | MAP_NORESERVE, fd, 0);
		if (at < 0 && at > -4096)
			continue;
		window = (uint8_t *)at;
		break;
	}
	if (within_file_limit(EXTENT) &&
	    !sys_call(SYS_ftruncate, fd, (long)(EXTENT < window_bytes ? EXTENT : window_bytes), 0, 0,
		      0, 0))
		extent = EXTENT < window_bytes ? EXTENT : window_bytes;
	sys_close((int)fd);
}

void rec_loss(struct rec_thread *t, uint32_t loss)
{
	if (rec_ctl)
		__atomic_fetch_or(&rec_ctl->loss, loss, __ATOMIC_RELAXED);
	if (t->row)
		__atomic_fetch_or(&t->row->loss, loss, __ATOMIC_RELAXED);
}

static uint64_t *sink_of(const struct rec_thread *t)
{
	uint64_t *sink = &sinks[t->id % SINKS][SINK_WORDS - 1];

	*(volatile uint64_t *)sink = 1;
	return sink;
}

void rec_sink(struct rec_thread *t)
{
	t->streams[RECORD_STREAM_BITS].map = NULL;
	heddle_record_at = sink_of(t);
}

static bool write_zeros(int fd, uint64_t at, uint64_t bytes)
{
	static const char zeros[4096];

	while (bytes) {
		long n = sys_call(SYS_pwrite64, fd, (long)zeros,
				  (long)(bytes < sizeof(zeros) ? bytes : sizeof(zeros)), (long)at, 0,
				  0);

		if (n == -EINTR)
			continue;
		if (n <= 0)
			return false;
		at += (uint64_t)n;
		bytes -= (uint64_t)n;
	}
	return true;
}

/*
 * The program may be somewhere else (chroot), somebody else (setuid) or have no descriptor left: then
 * the mapping itself is asked for blocks.  What a full disk makes of that is an error, no signal.
 */
static bool reserve_in_place(uint64_t at, uint64_t bytes)
{
	uint64_t from = at & ~UINT64_C(4095);

	return at + bytes <= extent && !sys_call(SYS_madvise, (long)(window + from),
						 (long)(at + bytes - from), MADV_POPULATE_WRITE, 0, 0,
						 0);
}

/* Space that is there: touching a hole on a full disk would kill the program. */
static bool reserve(uint64_t at, uint64_t bytes)
{
	long fd, rc;

	if (at + bytes > window_bytes || !within_file_limit(at + bytes))
		return false;
	fd = sys_call(SYS_openat, AT_FDCWD, (long)data_path, O_RDWR | O_CLOEXEC, 0, 0, 0);
	if (fd < 0)
		return reserve_in_place(at, bytes);
	do {
		rc = sys_call(SYS_fallocate, fd, 0, (long)at, (long)bytes, 0, 0);
	} while (rc == -EINTR);
	if (rc == -EOPNOTSUPP || rc == -ENOSYS)
		rc = write_zeros((int)fd, at, bytes) ? 0 : -1;
	sys_close((int)fd);
	return rc == 0;
}

static struct record_chunk *chunk_table(void)
{
	return (struct record_chunk *)((char *)rec_ctl + RECORD_CHUNKS_AT);
}

static struct record_chunk *new_chunk(struct rec_thread *t, enum record_stream s, uint32_t bytes)
{
	uint32_t row = __atomic_fetch_add(&rec_ctl->chunks, 1, __ATOMIC_RELAXED);
	struct record_chunk *c;
	uint64_t at;

	if (row >= RECORD_MAX_CHUNKS || !window) {
		rec_loss(t, row >= RECORD_MAX_CHUNKS ? RECORD_LOSS_TOO_MANY : RECORD_LOSS_NO_SPACE);
		return NULL;
	}
	at = __atomic_fetch_add(&rec_ctl->data, bytes, __ATOMIC_RELAXED);
	if (!reserve(at, bytes)) {
		rec_loss(t, RECORD_LOSS_NO_SPACE);
		return NULL;
	}
	c = chunk_table() + row;
	c->at = at;
	c->bytes = bytes;
	c->thread = t->id;
	c->stream = s;
	return c;
}

static uint32_t next_bytes(const struct rec_stream *stream)
{
	uint32_t bytes = stream->bytes ? stream->bytes * 4 : FIRST_CHUNK;

	return bytes < LARGEST_CHUNK ? bytes : LARGEST_CHUNK;
}

/* The oldest chunk of the ring, emptied; NULL while the ring still grows. */
static struct record_chunk *oldest(struct rec_thread *t, const struct rec_stream *stream)
{
	struct record_chunk *c = t->ring[stream->seq % RECORD_RING_SLOTS];

	if (!c)
		return NULL;
	__atomic_store_n(&c->ready, 0, __ATOMIC_RELEASE);
	memset(window + c->at, 0, c->bytes);
	t->row->lost_chunks++;
	rec_loss(t, RECORD_LOSS_RING);
	return c;
}

static uint32_t ring_bytes(void)
{
	uint64_t bytes = (rec_ctl->ring / RECORD_RING_SLOTS + 4095) & ~UINT64_C(4095);

	return bytes < 4096 ? 4096 : bytes > (64u << 20) ? 64u << 20 : (uint32_t)bytes;
}

/* Opens the next chunk of a stream; false: lost. */
static bool advance(struct rec_thread *t, enum record_stream s)
{
	struct rec_stream *stream = &t->streams[s];
	bool ring = s == RECORD_STREAM_BITS && rec_ctl->ring;
	struct record_chunk *c = ring ? oldest(t, stream) : NULL;

	if (!c)
		c = new_chunk(t, s, ring ? ring_bytes() : next_bytes(stream));
	if (!c)
		return false;
	if (ring)
		t->ring[stream->seq % RECORD_RING_SLOTS] = c;
	if (stream->map && s == RECORD_STREAM_BITS)
		stream->before += stream->bytes / 8 * (uint64_t)RECORD_WORD_BITS;
	c->seq = stream->seq++;
	c->used = 0;
	stream->map = window + c->at;
	stream->bytes = c->bytes;
	stream->used = 0;
	stream->row = c;
	__atomic_store_n(&c->ready, 1, __ATOMIC_RELEASE);
	return true;
}

bool rec_stream_begin(struct rec_thread *t)
{
	if (!rec_ctl || !t->row || !advance(t, RECORD_STREAM_BITS)) {
		rec_sink(t);
		return false;
	}
	heddle_record_at = (uint64_t *)t->streams[RECORD_STREAM_BITS].map;
	*heddle_record_at = 1;
	return true;
}

uint64_t rec_stream_bits(const struct rec_thread *t)
{
	const struct rec_stream *s = &t->streams[RECORD_STREAM_BITS];
	uint64_t word = *heddle_record_at;

	if (!s->map)
		return 0;
	return s->before + (uint64_t)(heddle_record_at - (uint64_t *)s->map) * RECORD_WORD_BITS +
	       (word ? 63u - (unsigned)__builtin_clzll(word) : 0);
}

/*
 * The word at `at' is full: where the next one is.  The code in the program (or the stub) begins it.
 */
uint64_t *rec_stream_spill(uint64_t *at);
uint64_t *rec_stream_spill(uint64_t *at)
{
	struct rec_thread *t = &rec_self;
	struct rec_stream *s = &t->streams[RECORD_STREAM_BITS];
	int saved = errno;

	if (!s->map || at < (uint64_t *)s->map || (uint8_t *)at >= s->map + s->bytes)
		return sink_of(t);
	if ((uint8_t *)(at + 1) < s->map + s->bytes)
		return at + 1;
	if (!advance(t, RECORD_STREAM_BITS)) {
		rec_sink(t);
		at = sink_of(t);
	} else {
		at = (uint64_t *)s->map;
		*at = 1;
		heddle_record_at = at;
		rec_stamp(t, RECORD_AT_FLUSH, 0);
	}
	errno = saved;
	return at;
}

static void push_bit(unsigned bit)
{
	uint64_t *at = heddle_record_at, word = *at * 2 + bit;

	*(volatile uint64_t *)at = word;
	if ((int64_t)word >= 0)
		return;
	at = rec_stream_spill(at);
	*(volatile uint64_t *)at = 1;
	heddle_record_at = at;
}

RECORD_EXPORT void heddle_record_push(uint64_t value, uint64_t bits);
RECORD_EXPORT void heddle_record_push(uint64_t value, uint64_t bits)
{
	uint64_t *at = heddle_record_at, word = *at;

	/* All of it into the word under way, without filling it? */
	if (bits < 63 && word < UINT64_C(1) << (62 - bits)) {
		*(volatile uint64_t *)at = word << bits | value;
		return;
	}
	while (bits--)
		push_bit(value >> bits & 1);
}

bool rec_stream_add(struct rec_thread *t, enum record_stream s, const void *bytes, uint32_t n)
{
	struct rec_stream *stream = &t->streams[s];
	const uint8_t *from = bytes;

	if (!rec_ctl || !t->row)
		return false;
	while (n) {
		uint32_t room = stream->map ? stream->bytes - stream->used : 0;
		uint32_t part = n < room ? n : room;

		if (!part) {
			if (!advance(t, s))
				return false;
			continue;
		}
		memcpy(stream->map + stream->used, from, part);
		stream->used += part;
		__atomic_store_n(&stream->row->used, stream->used, __ATOMIC_RELEASE);
		from += part;
		n -= part;
	}
	return true;
}

struct record_thread *rec_row(uint32_t *id)
{
	*id = __atomic_fetch_add(&rec_ctl->threads, 1, __ATOMIC_RELAXED);
	if (*id >= RECORD_MAX_THREADS) {
		__atomic_fetch_or(&rec_ctl->loss, RECORD_LOSS_TOO_MANY, __ATOMIC_RELAXED);
		return NULL;
	}
	return (struct record_thread *)((char *)rec_ctl + RECORD_THREADS_AT) + *id;
}
