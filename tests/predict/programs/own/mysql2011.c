/*
 * A replication thread finds the relay log active by its name and then uses its file; the I/O
 * thread rotates both in between, under a mutex of its own that the reader does not take.
 *
 * expect thr 3 lks 2 cvs 0 vars 10 evs 53 lkevs 4 coevs 0 reads 18 writes 19
 * expect r-p 33 r-hb 3 r-ucg 3 r-csr 3 r-poly 3 r-cp 3 syncp 3
 *
 * The published row has the same figures (it has none for r-hb, r-csr and syncp).
 *
 * r-p: the ten initialising writes meet each of the 26 accesses of the threads once (26), main's
 * last read of io_pos meets its four writes (4), and the reader's name, file and open_count meet
 * the rotation (3).  Fork and join decide the first thirty.  Nothing orders the last three: the two
 * threads share no lock, and the reader has read nothing that the rotation wrote.
 */
#include <heddle/heddle.h>

#include "../program.h"

static int name, file, open_count;    /* of the relay log: all change in a rotation */
static int io_pos, max_size;	      /* of the I/O thread */
static int sql_pos, sql_limit;	      /* of the reader */
static int server_id, magic, verbose; /* never change */
static pthread_mutex_t run_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;

static void *sql_thread(void *arg)
{
	int known = server_id + verbose, active, used;

	pthread_mutex_lock(&run_lock);
	sql_pos++;
	pthread_mutex_unlock(&run_lock);
	active = name;
	used = file;
	heddle_assert(used == active);
	sql_pos += open_count;
	return known + sql_limit < 0 ? arg : NULL;
}

static void *io_thread(void *arg)
{
	int known = server_id + verbose + magic;

	pthread_mutex_lock(&log_lock);
	for (int i = 0; i < 4; i++)
		io_pos += 100;
	if (io_pos >= max_size) {
		file = 2;
		name = 2;
		open_count = 2;
	}
	pthread_mutex_unlock(&log_lock);
	return known < 0 ? arg : NULL;
}

int main(void)
{
	pthread_t t[2];

	name = 1;
	file = 1;
	open_count = 1;
	io_pos = 0;
	max_size = 400;
	sql_pos = 0;
	sql_limit = 1000;
	server_id = 7;
	magic = 0xfe;
	verbose = 0;
	pthread_create(&t[0], NULL, sql_thread, NULL);
	pthread_create(&t[1], NULL, io_thread, NULL);
	join_all(t, 2);
	return io_pos != 400;
}
