/*
 * Each kind of state a process has, by its name as the argument: it must be as the shell left it
 * when main begins, and is changed afterwards.  A second run in the same process that finds the
 * change has not begun where the first one did.
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static char word[64];

static void input_read(void)
{
	assert(read(0, word, 5) == 5 && memcmp(word, "alpha", 5) == 0);
}

static void input_readv(void)
{
	struct iovec parts[2] = {{word, 2}, {word + 2, 3}};

	assert(readv(0, parts, 2) == 5 && memcmp(word, "alpha", 5) == 0);
}

static void input_pread(void)
{
	assert(pread(0, word, 4, 6) == 4 && memcmp(word, "beta", 4) == 0);
	assert(lseek(0, 0, SEEK_CUR) == 0);
}

static void input_lseek(void)
{
	assert(lseek(0, 0, SEEK_CUR) == 0 && lseek(0, 6, SEEK_SET) == 6);
	assert(read(0, word, 4) == 4 && memcmp(word, "beta", 4) == 0);
}

static void input_fgets(void)
{
	assert(fgets(word, sizeof(word), stdin) && strcmp(word, "alpha\n") == 0);
}

static void input_getchar(void)
{
	assert(getchar() == 'a' && getchar() == 'l');
	ungetc('x', stdin);
}

static void input_scanf(void)
{
	int n = 0;

	assert(scanf("%9s %9s %d", word, word + 10, &n) == 3 && n == 42);
}

static void input_getline(void)
{
	char *line = NULL;
	size_t room = 0;

	assert(getline(&line, &room, stdin) == 6 && strcmp(line, "alpha\n") == 0);
	free(line);
}

static void input_fread(void)
{
	assert(fread(word, 1, 60, stdin) == 14 && feof(stdin));
}

static void input_close(void)
{
	assert(fcntl(0, F_GETFD) >= 0);
	close(0);
}

static void input_flags(void)
{
	assert(!(fcntl(0, F_GETFL) & O_NONBLOCK));
	fcntl(0, F_SETFL, O_NONBLOCK);
}

static void input_ioctl(void)
{
	int one = 1;

	assert(!(fcntl(0, F_GETFL) & O_NONBLOCK));
	ioctl(0, FIONBIO, &one);
}

static void input_dup(void)
{
	int fd = dup(0);

	assert(fd >= 0 && read(fd, word, 5) == 5 && memcmp(word, "alpha", 5) == 0);
}

static void input_mmap(void)
{
	char *at = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, 0, 0);

	assert(at != MAP_FAILED && memcmp(at, "alpha", 5) == 0);
}

static void file_open(void)
{
	static int first = -1;
	int fd = open("data", O_RDONLY);

	assert(fd >= 0 && first == -1 && read(fd, word, 4) == 4);
	first = fd;
	assert(fcntl(200, F_GETFD) < 0);
}

static void file_stream(void)
{
	static FILE *f;

	assert(!f);
	f = fopen("data", "r");
	assert(f && fgets(word, 3, f) && strcmp(word, "on") == 0);
}

static void file_seek(void)
{
	int fd = open("data", O_RDONLY);

	assert(lseek(fd, 3, SEEK_SET) == 3 && read(fd, word, 2) == 2 && word[0] == '\n');
}

static void file_mmap(void)
{
	int fd = open("data", O_RDONLY);
	char *at = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);

	assert(at != MAP_FAILED && at[0] == 'o');
	at[0] = 'x';
}

static void file_write(void)
{
	int fd = open("made", O_WRONLY | O_CREAT, 0600);

	assert(fd >= 0 && write(fd, "x", 1) == 1);
	close(fd);
	unlink("made");
}

static void fd_dup2(void)
{
	assert(fcntl(100, F_GETFD) < 0);
	assert(dup2(1, 100) == 100);
}

static void signal_mask(void)
{
	sigset_t set;

	sigprocmask(SIG_BLOCK, NULL, &set);
	assert(!sigismember(&set, SIGUSR1));
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_SETMASK, &set, NULL);
}

static void signal_action(void)
{
	struct sigaction now;

	sigaction(SIGUSR1, NULL, &now);
	assert(now.sa_handler == SIG_DFL);
	signal(SIGUSR1, SIG_IGN);
}

static void environment(void)
{
	assert(!getenv("RESTORED_A") && !getenv("RESTORED_B"));
	setenv("RESTORED_A", "1", 1);
	putenv((char *)"RESTORED_B=1");
}

static void directory(void)
{
	assert(access("data", R_OK) == 0);
	assert(chdir("/") == 0);
}

static void file_mask(void)
{
	mode_t before = umask(0777);

	assert(before != 0777);
}

static void locale(void)
{
	assert(strcmp(setlocale(LC_ALL, NULL), "C") == 0);
	setlocale(LC_ALL, "C.UTF-8");
}

static void resource(void)
{
	struct rlimit r;

	getrlimit(RLIMIT_NOFILE, &r);
	assert(r.rlim_cur != 77);
	r.rlim_cur = 77;
	setrlimit(RLIMIT_NOFILE, &r);
}

static void timer(void)
{
	struct itimerval t = {{0, 0}, {1000, 0}}, now;

	getitimer(ITIMER_REAL, &now);
	assert(now.it_value.tv_sec == 0);
	setitimer(ITIMER_REAL, &t, NULL);
}

static void mapping(void)
{
	char *at = mmap((void *)0x450000000000, 4096, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

	assert(at == (void *)0x450000000000 && at[0] == 0);
	at[0] = 1;
}

static void program_break(void)
{
	static void *seen;

	assert(!seen);
	seen = sbrk(4096);
	assert(seen != (void *)-1 && *(char *)seen == 0);
	*(char *)seen = 1;
}

static void tokens(void)
{
	static char text[] = "a b c";

	assert(strtok(text, " ") == text && strcmp(strtok(NULL, " "), "b") == 0);
}

static void options(void)
{
	char *words[] = {(char *)"p", (char *)"-a", (char *)"-b", NULL};

	assert(optind == 1 && getopt(3, words, "ab") == 'a' && getopt(3, words, "ab") == 'b');
}

static void stream_mode(void)
{
	static char buffer[64];

	assert(setvbuf(stdout, buffer, _IOFBF, sizeof(buffer)) == 0);
	assert(ftell(stdin) == 0);
	printf("%d", 17);
}

static void error_number(void)
{
	assert(errno == 0);
	errno = 99;
}

static void heap(void)
{
	static char *kept;

	assert(!kept);
	kept = malloc(1 << 22);
	memset(kept, 1, 1 << 22);
}

#define KINDS                                                                                      \
	X(input_read)                                                                              \
	X(input_readv) X(input_pread) X(input_lseek) X(input_fgets) X(input_getchar) X(input_scanf)\
	X(input_getline) X(input_fread) X(input_close) X(input_flags) X(input_ioctl) X(input_dup)  \
	X(input_mmap) X(file_open) X(file_stream) X(file_seek) X(file_mmap) X(file_write)          \
	X(fd_dup2) X(signal_mask) X(signal_action) X(environment) X(directory) X(file_mask)        \
	X(locale) X(resource) X(timer) X(mapping) X(program_break) X(tokens) X(options)            \
	X(stream_mode) X(error_number) X(heap)

static const struct {
	const char *name;
	void (*change)(void);
} kinds[] = {
#define X(kind) {#kind, kind},
	KINDS
#undef X
};

static int shared;

static void *other(void *arg)
{
	shared++;
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (argc < 2)
			puts(kinds[i].name);
		else if (strcmp(argv[1], kinds[i].name) == 0)
			kinds[i].change();
	}
	pthread_create(&t, NULL, other, NULL);
	shared++;
	pthread_join(t, NULL);
	return 0;
}
