/*
 * The control block: one shared mapping between the host (heddle) and the guest (libheddle.so).
 *
 * The host makes a memory file, fills in this header, the job and, for a replay, the schedule, and
 * starts the program with the file as descriptor WIRE_CTL_FD and HEDDLE_CTL in the environment (its
 * value is always WIRE_CTL_VALUE: a changing length would move the stack).  The guest maps it
 * at WIRE_CTL_ADDR in every process of a run, so what it wrote survives a crash.
 *
 * Hand-shake over `state', a futex both sides use (process-shared):
 *
 *   host: STARTING ------------------------------------------------> (program loads)
 *   guest: READY at main (or at the first thread); waits for JOB
 *   host: fills job, state = JOB, wake                  guest: state = RUNNING, executes
 *   guest: fills result, state = DONE, wake             host: reads, next JOB or QUIT
 *
 * With JOB_ONCE the job is there from the start, the guest runs it in its own process without
 * asking and lets the process end by itself; state ends as DONE.
 *
 * Offsets are from the start of the block, sizes in bytes, all set by the host and checked by the
 * guest.  A guest never trusts schedule contents; a host never trusts anything the guest wrote.
 */
#ifndef HEDDLE_WIRE_CTL_H
#define HEDDLE_WIRE_CTL_H

#include <stdint.h>

#include "wire/event.h"
#include "wire/models.h"

#define WIRE_VERSION 1
#define WIRE_MAGIC UINT64_C(0x4c54434c44444548) /* "HEDDLCTL" */
#define WIRE_CTL_FD 198
#define WIRE_CTL_ENV "HEDDLE_CTL"
#define WIRE_CTL_VALUE "198"
#define WIRE_CTL_ADDR UINT64_C(0x6e0000000000)

#define WIRE_MAX_THREADS 1024 /* created in one execution, finished ones included */
#define WIRE_MAX_LIVE 256     /* alive at the same time */
/* Memory that threads allocate; reads as zero when it is handed out. */
#define WIRE_HEAP_ADDR UINT64_C(0x100000000000)
#define WIRE_HEAP_BYTES (UINT64_C(4) << 40)
/* Stacks of threads other than main, one slot after the other; a slot outlives its threads. */
#define WIRE_SLOTS_ADDR UINT64_C(0x300000000000)
#define WIRE_SLOT_BYTES (UINT64_C(16) << 20)
#define WIRE_MAX_NOTES 32
#define WIRE_MAX_UNSEEN 16
#define WIRE_TRUST_BYTES 1024
#define WIRE_NOTE_BYTES 240
#define WIRE_MAX_HELD 8
#define WIRE_MAX_STACK 12

enum wire_state { STATE_STARTING, STATE_READY, STATE_JOB, STATE_RUNNING, STATE_DONE, STATE_QUIT };

enum wire_engine { ENGINE_AUTO, ENGINE_RESET, ENGINE_FORK, ENGINE_THREADS };

enum wire_strategy {
	STRATEGY_RANDOM, /* uniform over enabled actions, seeded */
	STRATEGY_PCT,	 /* priorities with `bound' change points over `expected_steps' */
	STRATEGY_RR,	 /* round robin, a quantum drawn from the seed */
	STRATEGY_DFS,	 /* systematic, preemption or delay bound; state kept over the runs of a job */
	STRATEGY_REPLAY, /* the schedule area, then lowest thread first, stores at once */
	STRATEGY_BATCH,	 /* like REPLAY, run i follows the i-th schedule: struct wire_batch_run */
	STRATEGY_CORES,	 /* `bound' simulated cores with queues and slices */
	STRATEGY_SURW,	 /* selectively uniform: every order of some events is equally likely */
	STRATEGY_POS,	 /* partial order sampling */
	STRATEGY_FEEDBACK, /* wishes which write a read sees, from what runs before have shown */
	STRATEGY_MIX,	 /* all that draw, more of those that show something new */
	STRATEGY_TURNS,	 /* threads come to shared elements in given orders (wire/coop.h) */
};

enum wire_job_flag {
	JOB_EVENTS = 1,		/* log events */
	JOB_ONCE = 2,		/* run in this very process, then let it end */
	JOB_KEEP_GOING = 4,	/* failures do not end the batch */
	JOB_EXIT_IS_FAILURE = 8,/* non-zero exit status is a failure */
	JOB_DELAY_BOUND = 16,	/* DFS: bound counts delays, not preemptions */
	JOB_EXACT = 32,		/* REPLAY: running out of the schedule is a divergence */
	JOB_MARKERS = 64,	/* log BRANCH, ENTER, CALL events too (with JOB_EVENTS) */
	JOB_DFS_RESUME = 128,	/* DFS and strategies that learn: go on where the last job stopped */
	JOB_PASS_OUTPUT = 256,	/* the program's descriptors 1 and 2 are the user's: do not rewind */
	JOB_STAY = 512,		/* REPLAY, BATCH: after the schedule its last thread goes on */
	JOB_DETAILS = 1024,	/* with JOB_EVENTS: DRAIN, DATA and PENDING events too; a cycle of
				   waiting threads does not end a run in which others can go on */
	JOB_SPURIOUS = 1 << 16,	/* strategies that draw draw CHOICE_SPURIOUS too */
	JOB_WISH = 1 << 17,	/* REPLAY: an UNTIL or COMMIT that does not fit is passed over */
	JOB_DESTROY_BUSY = 1 << 18, /* destroying a mutex that is held answers EBUSY, as the C
				       library does, and is no failure */
	JOB_PAST_MISUSE = 1 << 19, /* accesses to freed blocks, and reads and writes beside blocks that
				      change nothing of the heap's own, are no failures */
	JOB_KNOWN_THREAD = 1 << 20, /* JOB_SKIP_KNOWN: not known when it was another thread */
	JOB_SKIP_KNOWN = 2048,	/* failures in the table `known' do not end the batch */
};

/* What a run is, not how it is asked for: it is made again with these. */
#define JOB_NATURE ((uint32_t)(JOB_EXIT_IS_FAILURE | JOB_DESTROY_BUSY | JOB_PAST_MISUSE))

/*
 * Fences the program does not have but is run as if it had (TSO, PSO): they take behaviours away
 * and add none, so what runs with them runs without them along the same schedule.
 */
enum wire_fence_kind {
	FENCE_FULL = 1,	   /* after the store: it and all older ones arrive before the next operation */
	FENCE_RELEASE = 2, /* before the store: older ones arrive before it and before later ones */
};

struct wire_fence {
	uint32_t site; /* of a store */
	uint32_t kind; /* enum wire_fence_kind */
};
#define WIRE_MAX_FENCES 16

struct wire_job {
	uint32_t engine;   /* enum wire_engine, never AUTO */
	uint32_t strategy;
	uint32_t model;
	uint32_t flags;
	uint64_t seed;	   /* of the first run; run i uses seed + i, DFS always this one */
	uint64_t runs;
	uint64_t max_steps; /* per run; reaching it ends the run as OUTCOME_LIMIT */
	uint64_t deadline;  /* CLOCK_MONOTONIC ns, checked between runs; 0 = none */
	uint64_t expected_steps; /* PCT; 0: as its own runs show */
	uint32_t bound;	    /* PCT depth, DFS preemptions or delays */
	uint32_t spare;
	uint64_t schedule_count; /* choices in the schedule area to follow (REPLAY) */
	uint32_t fence_count;
	uint32_t fence_spare;
	struct wire_fence fences[WIRE_MAX_FENCES];
};

enum wire_outcome {
	OUTCOME_NONE,
	OUTCOME_CLEAN,
	OUTCOME_FAILURE,
	OUTCOME_LIMIT,	  /* step limit: inconclusive */
	OUTCOME_DIVERGED, /* the schedule did not fit the program */
	OUTCOME_STEPDOWN, /* this engine cannot host what the program does: see reason */
	OUTCOME_TROUBLE,  /* the guest had to step aside: see reason */
	OUTCOME_ASSUME,	  /* an assumption of the test does not hold: no failure, no behaviour */
};

enum wire_failure_kind {
	FAILURE_NONE,
	FAILURE_ASSERT,
	FAILURE_ABORT,
	FAILURE_SIGNAL,	  /* value = signal number, addr = faulting address */
	FAILURE_DEADLOCK,
	FAILURE_LIVELOCK,
	FAILURE_DOUBLE_FREE,
	FAILURE_INVALID_FREE,
	FAILURE_USE_AFTER_FREE,
	FAILURE_HEAP_RANGE, /* access outside every live block of the heap */
	FAILURE_EXIT,	  /* value = exit status */
	FAILURE_SYNC_MISUSE, /* unlock of a mutex not held, destroy of a locked one, … where undefined */
};

enum wire_object_kind { OBJECT_UNKNOWN, OBJECT_NULL, OBJECT_HEAP, OBJECT_FREED, OBJECT_STACK, OBJECT_GLOBAL };

struct wire_failure {
	uint32_t kind;
	uint32_t tid;
	uint32_t site;
	uint32_t object;      /* enum wire_object_kind of addr */
	uint64_t addr;
	uint64_t value;
	uint64_t object_base; /* heap block or stack */
	uint64_t object_size;
	uint32_t alloc_site, alloc_tid;
	uint32_t free_site, free_tid;
	uint32_t stack_depth; /* return addresses, innermost first */
	uint32_t spare;
	uint64_t stack[WIRE_MAX_STACK];
	char text[WIRE_NOTE_BYTES];
};

enum wire_thread_state {
	THREAD_UNUSED,
	THREAD_PARKED,	 /* at an operation it could perform */
	THREAD_BLOCKED,	 /* at an operation it cannot perform now */
	THREAD_SPINNING, /* parked in a loop that re-reads unchanged values */
	THREAD_FINISHED, /* ended, not joined */
	THREAD_GONE,	 /* ended and joined or detached */
};

/* Threads of ours, like sleeping timers, are numbered apart: their index has this bit. */
#define WIRE_INNER_CHILD (1u << 31)

/* The state of each thread when the execution ended, for reports. */
struct wire_thread {
	uint16_t tid, parent;
	uint8_t state;	      /* enum wire_thread_state */
	uint8_t pending_kind; /* enum event_kind of the operation it stands at */
	uint8_t held_count, flags;
	uint32_t pending_site;
	uint32_t create_site;
	uint64_t pending_addr;
	uint32_t waits_for;   /* thread that holds what it waits for, THREAD_NONE when none */
	uint32_t child_index; /* how many threads its parent had created before it */
	uint64_t start;	      /* start routine */
	uint64_t events;
	struct {
		uint64_t addr;
		uint32_t site;
		uint32_t kind; /* enum wire_obj */
	} held[WIRE_MAX_HELD];
	char name[16];
};

#define WIRE_PATH_BYTES 4096 /* what the kernel takes */

struct wire_module {
	uint64_t sites_begin; /* address */
	uint64_t sites_count;
	uint64_t load_bias;
	uint32_t first_site;  /* number of its first site */
	uint32_t spare;
	char path[WIRE_PATH_BYTES]; /* empty: the executable */
};
#define WIRE_MAX_MODULES 64

/* DFS: whether something is left within the bound. */
enum wire_exhausted {
	EXHAUSTED_NOT_YET,
	EXHAUSTED_ALL,	/* every schedule was run */
	EXHAUSTED_SOME, /* no other is left, but some were not looked at: see the notes */
};

struct wire_result {
	uint32_t outcome;     /* of the last run */
	uint32_t engine;      /* that carried it */
	uint64_t runs;	      /* completed in this job */
	uint64_t failures;    /* among them */
	uint64_t limits;
	uint64_t assumes;     /* runs that ended where an assumption does not hold */
	uint64_t seed;	      /* of the last run */
	uint64_t steps;	      /* scheduling steps of the last run */
	uint64_t total_steps; /* of all runs of the job */
	uint64_t max_steps_seen;
	uint64_t diverged_at; /* index of the choice that did not fit */
	uint32_t exhausted;   /* enum wire_exhausted */
	uint32_t threads;     /* entries of the thread table in use */
	uint32_t known_new;   /* entry of `known' that the last run's failure was given, plus 1; or 0 */
	uint32_t drawn_by;    /* enum wire_strategy of the last run; MIX: the one it took */
	uint64_t exit_status;
	uint64_t event_count; /* logged */
	uint64_t event_lost;  /* not logged for lack of room */
	uint64_t choice_count;
	uint64_t choice_lost;
	uint64_t clock;	      /* virtual ns at the end */
	uint64_t preemptions;
	struct wire_failure failure;
	char reason[WIRE_NOTE_BYTES]; /* STEPDOWN, TROUBLE, DIVERGED: why */
};

/*
 * STRATEGY_BATCH: the scratch area is an array of these, one per run of the job.  The host says
 * which part of the follow area is the schedule; the guest appends the events of all runs to the
 * event area and says which part is whose.  The job ends early when the event area is full: runs
 * tells how many are complete.
 */
struct wire_batch_run {
	uint64_t first, count;		   /* in: choices of the follow area */
	uint64_t event_first, event_count; /* out */
	uint32_t outcome;
	uint32_t failure_kind, failure_site, failure_tid;
	uint64_t failure_addr;
	uint64_t exit_status;
	uint64_t steps;
};

/*
 * JOB_SKIP_KNOWN: failures that ended a job of this process before.  A run that fails in a known way
 * is counted and the batch goes on; one that fails in a new way is entered as the last one and ends
 * the job, and so does any failure once the table is full.  Equal entries are equal failures, but
 * not the other way round: the host decides what it calls the same.
 */
struct wire_known {
	uint32_t kind, site;
	uint64_t value; /* of an exit */
	uint64_t stuck; /* deadlocks: hash over what every thread stands at and waits for */
	uint64_t count; /* runs of this job that were skipped */
};
#define WIRE_MAX_KNOWN 64

/*
 * Something the program did that heddle neither saw nor models: the run went on, but nothing may
 * be called clean because of it.  Once per text; kept over the jobs of a process.
 */
struct wire_unseen {
	char text[WIRE_NOTE_BYTES]; /* what and where, as a sentence without its end */
};

struct wire_area {
	uint64_t offset, bytes;
};

struct wire_ctl {
	uint64_t magic;
	uint32_t version;  /* WIRE_LAYOUT */
	uint32_t state;	   /* enum wire_state; futex */
	uint64_t bytes;	   /* of the whole block */
	uint64_t heartbeat;/* raised at every scheduling step; the host's watchdog reads it */
	uint32_t guest_pid;
	uint32_t run_pid;  /* the process carrying the current run */
	struct wire_area follow;   /* struct wire_choice[]: schedule to follow, by the host */
	struct wire_area choices;  /* struct wire_choice[]: schedule made, by the guest */
	struct wire_area events;   /* struct wire_event[] */
	struct wire_area scratch;  /* guest private state that outlives a run (DFS stack) */
	struct wire_area inputs;   /* struct wire_feed: what comes from outside; by the host */
	struct wire_job job;
	struct wire_result result;
	uint32_t module_count;
	uint32_t note_count;
	struct wire_module modules[WIRE_MAX_MODULES];
	char notes[WIRE_MAX_NOTES][WIRE_NOTE_BYTES];
	uint32_t unseen_count;
	uint32_t unseen_lost; /* that did not fit */
	struct wire_unseen unseen[WIRE_MAX_UNSEEN];
	char trust[WIRE_TRUST_BYTES]; /* functions the user vouches for: names, each ends with NUL; by the host */
	uint32_t known_count;
	uint32_t known_spare;
	struct wire_known known[WIRE_MAX_KNOWN];
	struct wire_thread threads[WIRE_MAX_THREADS];
};

/*
 * What the version word of the block holds: host and guest of different builds may share a
 * WIRE_VERSION and still lay the block out differently.
 */
#define WIRE_LAYOUT ((uint32_t)WIRE_VERSION << 24 | (uint32_t)sizeof(struct wire_ctl))

#endif
