#include "run/guest/watch.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/limit.h"
#include "base/vec.h"

#define MAX_DESCRIBED 6
#define SAMPLES 10
#define SAMPLE_NS 1000000

struct pid_list {
	VEC_FIELDS(pid_t);
};

void run_watch_begin(struct run_watch *w, const struct run_ctl *c, uint64_t limit_ns)
{
	w->limit_ns = limit_ns;
	w->heartbeat = run_ctl_heartbeat(c);
	w->state = run_ctl_state(c);
	w->since_ns = limit_now();
}

bool run_watch_expired(struct run_watch *w, const struct run_ctl *c)
{
	uint64_t beat = run_ctl_heartbeat(c), now = limit_now();
	uint32_t state = run_ctl_state(c);

	if (beat != w->heartbeat || state != w->state) {
		w->heartbeat = beat;
		w->state = state;
		w->since_ns = now;
	}
	return w->limit_ns != 0 && now - w->since_ns > w->limit_ns;
}

/* Reads /proc/PID/[task/TID/]NAME as one line; "" when it cannot. */
static void read_proc(pid_t pid, pid_t tid, const char *name, char *line, size_t bytes)
{
	char path[128];
	FILE *f;

	line[0] = '\0';
	snprintf(path, sizeof(path), "/proc/%d/task/%d/%s", (int)pid, (int)tid, name);
	f = fopen(path, "re");
	if (!f)
		return;
	if (!fgets(line, (int)bytes, f))
		line[0] = '\0';
	fclose(f);
	line[strcspn(line, "\n")] = '\0';
}

static void add_children(pid_t parent, struct pid_list *list);

static void add_children_of_task(pid_t parent, pid_t tid, struct pid_list *list)
{
	char line[4096], *at = line;

	read_proc(parent, tid, "children", line, sizeof(line));
	for (;;) {
		char *end;
		long pid = strtol(at, &end, 10);

		if (end == at)
			return;
		at = end;
		vec_push(list, (pid_t)pid);
		if (list->count < 256)
			add_children((pid_t)pid, list);
	}
}

static int next_number(DIR *d, long *number)
{
	struct dirent *entry;

	while ((entry = readdir(d)) != NULL) {
		if (!isdigit((unsigned char)entry->d_name[0]))
			continue;
		*number = strtol(entry->d_name, NULL, 10);
		return 1;
	}
	return 0;
}

static DIR *open_tasks(pid_t pid)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	return opendir(path);
}

static void add_children(pid_t parent, struct pid_list *list)
{
	DIR *d = open_tasks(parent);
	long tid;

	while (d && next_number(d, &tid))
		add_children_of_task(parent, (pid_t)tid, list);
	if (d)
		closedir(d);
}

/* System calls that wait; fd says whether the first argument is a descriptor. */
static const struct {
	long number;
	const char *name;
	bool fd;
} waiting_calls[] = {
	{SYS_read, "read", true},
	{SYS_readv, "readv", true},
	{SYS_pread64, "pread", true},
	{SYS_write, "write", true},
	{SYS_writev, "writev", true},
	{SYS_accept, "accept", true},
	{SYS_accept4, "accept4", true},
	{SYS_connect, "connect", true},
	{SYS_recvfrom, "recvfrom", true},
	{SYS_recvmsg, "recvmsg", true},
	{SYS_sendto, "sendto", true},
	{SYS_sendmsg, "sendmsg", true},
	{SYS_flock, "flock", true},
	{SYS_fcntl, "fcntl", true},
	{SYS_ioctl, "ioctl", true},
	{SYS_fsync, "fsync", true},
	{SYS_epoll_wait, "epoll_wait", true},
	{SYS_epoll_pwait, "epoll_pwait", true},
	{SYS_poll, "poll", false},
	{SYS_ppoll, "ppoll", false},
	{SYS_select, "select", false},
	{SYS_pselect6, "pselect", false},
	{SYS_open, "open", false},
	{SYS_openat, "openat", false},
	{SYS_futex, "futex", false},
	{SYS_nanosleep, "nanosleep", false},
	{SYS_clock_nanosleep, "clock_nanosleep", false},
	{SYS_wait4, "wait4", false},
	{SYS_waitid, "waitid", false},
	{SYS_pause, "pause", false},
	{SYS_rt_sigsuspend, "sigsuspend", false},
	{SYS_rt_sigtimedwait, "sigtimedwait", false},
	{SYS_msgrcv, "msgrcv", false},
	{SYS_msgsnd, "msgsnd", false},
	{SYS_semop, "semop", false},
	{SYS_semtimedop, "semtimedop", false},
	{SYS_mq_timedreceive, "mq_receive", false},
	{SYS_mq_timedsend, "mq_send", false},
	{SYS_sched_yield, "sched_yield", false},
};

static void add_call(struct strbuf *to, pid_t pid, long number, unsigned long first)
{
	char path[64], target[256];
	ssize_t n;

	for (size_t i = 0; i < sizeof(waiting_calls) / sizeof(waiting_calls[0]); i++) {
		if (waiting_calls[i].number != number)
			continue;
		if (!waiting_calls[i].fd) {
			strbuf_addf(to, "%s()", waiting_calls[i].name);
			return;
		}
		snprintf(path, sizeof(path), "/proc/%d/fd/%lu", (int)pid, first);
		n = readlink(path, target, sizeof(target) - 1);
		target[n > 0 ? n : 0] = '\0';
		strbuf_addf(to, "%s() of descriptor %lu%s%s%s", waiting_calls[i].name, first,
			    n > 0 ? " (" : "", target, n > 0 ? ")" : "");
		return;
	}
	strbuf_addf(to, "system call %ld", number);
}

/* The system call a thread is in, -1 when it runs; looks several times for one that waits. */
static long sample_call(pid_t pid, pid_t tid, unsigned long *first)
{
	static const struct timespec pause = {0, SAMPLE_NS};
	char call[256];
	long number = -1;

	for (int i = 0; i < SAMPLES && number < 0; i++) {
		if (i > 0)
			nanosleep(&pause, NULL);
		read_proc(pid, tid, "syscall", call, sizeof(call));
		if (sscanf(call, "%ld 0x%lx", &number, first) < 1)
			number = -1;
	}
	return number;
}

/* Describes one thread; false for threads that wait in a futex, as parked ones do. */
static bool describe_task(pid_t pid, pid_t tid, bool parked_too, struct strbuf *to)
{
	char comm[64], wchan[128];
	unsigned long first = 0;
	long number = sample_call(pid, tid, &first);

	if (number == SYS_futex && !parked_too)
		return false;
	/* The process that waits for the one that carries the run. */
	if (number == SYS_wait4 && to->length > 0)
		return false;
	read_proc(pid, tid, "comm", comm, sizeof(comm));
	read_proc(pid, tid, "wchan", wchan, sizeof(wchan));
	if (to->length > 0)
		strbuf_add(to, "; ");
	strbuf_addf(to, "thread %d of %s ", (int)tid, comm);
	if (number < 0) {
		strbuf_add(to, "computes without reaching a scheduling point");
		return true;
	}
	/* Sleeps of the program take no time, so this is the scheduler with nothing to schedule. */
	if (number == SYS_nanosleep || number == SYS_clock_nanosleep) {
		strbuf_add(to, "waits for a descriptor or a signal from outside");
		return true;
	}
	strbuf_add(to, "is blocked in ");
	add_call(to, pid, number, first);
	if (wchan[0] && strcmp(wchan, "0") != 0)
		strbuf_addf(to, " [%s]", wchan);
	return true;
}

static int describe_process(pid_t pid, bool parked_too, int limit, struct strbuf *to)
{
	DIR *d = open_tasks(pid);
	long tid;
	int n = 0;

	while (d && n < limit && next_number(d, &tid))
		n += describe_task(pid, (pid_t)tid, parked_too, to);
	if (d)
		closedir(d);
	return n;
}

void run_watch_describe(pid_t root, struct strbuf *to)
{
	struct pid_list list = VEC_INIT;
	int n = 0;

	vec_push(&list, root);
	add_children(root, &list);
	/* First the threads that do something of their own, then, if there is none, any. */
	for (int parked = 0; parked < 2 && n == 0; parked++)
		for (size_t i = list.count; i-- > 0 && n < MAX_DESCRIBED;)
			n += describe_process(list.items[i], parked, MAX_DESCRIBED - n, to);
	if (n == 0)
		strbuf_add(to, "nothing could be read about it from /proc");
	vec_free(&list);
}

void run_watch_kill(pid_t root, bool own_group, int *status)
{
	struct pid_list list = VEC_INIT;

	add_children(root, &list);
	if (own_group)
		kill(-root, SIGKILL);
	kill(root, SIGKILL);
	for (size_t i = 0; i < list.count; i++)
		kill(list.items[i], SIGKILL);
	vec_free(&list);
	while (waitpid(root, status, 0) < 0 && errno == EINTR)
		continue;
}
