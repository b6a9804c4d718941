/*
 * What a recorded run got from outside, for a controlled one: the area `inputs' of the control block.
 *
 * A struct wire_feed, then a struct wire_feed_task per recorded thread, then for each thread the
 * records of its input log (struct record_input with its data, as the recording has them).  A thread
 * of the controlled run takes the log of the recorded one that was the same child of the same
 * creator; of each kind of call the first record answers the first call, and so on.
 *
 * The data of a record is what the call wrote: the bytes read, the address of the peer (accept), the
 * array of struct pollfd or epoll_event, the three sets one after the other (select), the struct
 * timespec or timeval.  Before all others of the first thread stand the files it read (RECORD_IN_FILE),
 * whichever thread did.  Filled in by the host, and never trusted.
 */
#ifndef HEDDLE_WIRE_FEED_H
#define HEDDLE_WIRE_FEED_H

#include <stdint.h>

#include "wire/record.h"

#define WIRE_FEED_MAGIC UINT32_C(0x44454546) /* "FEED" */
/* The index of a row that is one run of a signal handler in the thread that created it. */
#define WIRE_FEED_HANDLER (RECORD_NO_THREAD - 1)

#define WIRE_FEED_THREADS 128 /* of a run that get anything */

struct wire_feed {
	uint32_t magic;
	uint32_t tasks;
};

struct wire_feed_task {
	uint32_t creator; /* RECORD_NO_THREAD: the first one */
	uint32_t index;
	uint64_t at, bytes; /* its records, from the beginning of the area */
};

#endif
