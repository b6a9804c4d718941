/*
 * ./world pipe|fifo|child|alone|signal|status|section: waits for a pipe of its own, one that has a name, or
 * a child, has a child without threads, sends a signal, or ends with a status.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "heddle/stable.h"

static int ends[2], in_section;

static void *pass(void *arg)
{
	char byte = 0;
	ssize_t n;

	if (in_section)
		pcs_enter();
	n = read(ends[0], &byte, 1);
	if (in_section)
		pcs_exit();
	return n == 1 ? arg : NULL;
}

static void ignore(int number)
{
	(void)number;
}

static void *have_child(void *arg)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	waitpid(pid, NULL, 0);
	return arg;
}

/* Others may open it, too. */
static int open_fifo(void)
{
	unlink("fifo");
	if (mkfifo("fifo", 0600) != 0)
		return -1;
	ends[0] = ends[1] = open("fifo", O_RDWR);
	return ends[0] < 0 ? -1 : 0;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	pthread_t t;

	if (strcmp(what, "status") == 0)
		return 3;
	if (strcmp(what, "alone") == 0)
		return have_child(NULL) != NULL;
	if (strcmp(what, "signal") == 0)
		signal(SIGCONT, ignore);
	in_section = strcmp(what, "section") == 0;
	if ((strcmp(what, "fifo") == 0 ? open_fifo() : pipe(ends)) != 0)
		return 1;
	pthread_create(&t, NULL, strcmp(what, "child") == 0 ? have_child : pass, NULL);
	if (strcmp(what, "signal") == 0)
		pthread_kill(t, SIGCONT);
	if (write(ends[1], "a", 1) != 1)
		return 1;
	pthread_join(t, NULL);
	return 0;
}
