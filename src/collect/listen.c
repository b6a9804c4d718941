#include "collect/listen.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/mem.h"

#define FIRST_HANDED 3
#define BACKLOG 1024
#define UNIX_PREFIX "unix:"

static bool is_local(int fd)
{
	union {
		struct sockaddr any;
		struct sockaddr_in v4;
		struct sockaddr_in6 v6;
		struct sockaddr_storage room;
	} a = {.room = {0}};
	socklen_t n = sizeof(a);

	if (getsockname(fd, &a.any, &n) != 0)
		return false;
	if (a.any.sa_family == AF_INET)
		return ntohl(a.v4.sin_addr.s_addr) >> 24 == 127;
	if (a.any.sa_family == AF_INET6)
		return IN6_IS_ADDR_LOOPBACK(&a.v6.sin6_addr);
	return a.any.sa_family == AF_UNIX;
}

/* What the service manager opened for us; only one, and only for this process. */
static int open_handed(struct collect_listen *l, struct err *e)
{
	const char *pid = getenv("LISTEN_PID"), *count = getenv("LISTEN_FDS");
	struct stat st;
	int listens = 0;
	socklen_t n = sizeof(listens);

	if (!pid || !count || strtol(pid, NULL, 10) != (long)getpid())
		return err_set(e, ERR_USAGE, "--listen is missing, and no socket was handed over");
	if (strcmp(count, "1") != 0)
		return err_set(e, ERR_USAGE, "%s sockets were handed over; one is served", count);
	if (fstat(FIRST_HANDED, &st) != 0 || !S_ISSOCK(st.st_mode) ||
	    getsockopt(FIRST_HANDED, SOL_SOCKET, SO_ACCEPTCONN, &listens, &n) != 0 || !listens)
		return err_set(e, ERR_USAGE, "what was handed over is no listening socket");
	fcntl(FIRST_HANDED, F_SETFD, FD_CLOEXEC);
	fcntl(FIRST_HANDED, F_SETFL, fcntl(FIRST_HANDED, F_GETFL) | O_NONBLOCK);
	l->fd = FIRST_HANDED;
	/* Workers are no service of the manager's. */
	unsetenv("LISTEN_PID");
	unsetenv("LISTEN_FDS");
	unsetenv("LISTEN_FDNAMES");
	return 0;
}

/* Does a collector answer there?  A socket that nobody listens at is left over from one. */
static bool is_taken(const struct sockaddr_un *a)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	bool taken = fd < 0 || connect(fd, (const struct sockaddr *)a, sizeof(*a)) == 0 ||
		     errno != ECONNREFUSED;

	if (fd >= 0)
		close(fd);
	return taken;
}

static int open_unix(struct collect_listen *l, const char *path, struct err *e)
{
	struct sockaddr_un a = {.sun_family = AF_UNIX};
	struct stat st;

	if (!*path || strlen(path) >= sizeof(a.sun_path))
		return err_set(e, ERR_USAGE,
			       "a path of 1 to %zu bytes follows unix:", sizeof(a.sun_path) - 1);
	strcpy(a.sun_path, path);
	if (lstat(path, &st) == 0) {
		if (!S_ISSOCK(st.st_mode) || is_taken(&a))
			return err_set(e, ERR_IO, "%s is there already", path);
		unlink(path);
	}
	l->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (l->fd < 0 || bind(l->fd, (struct sockaddr *)&a, sizeof(a)) != 0)
		return err_errno(e, ERR_IO, "cannot listen at %s", path);
	l->remove = xstrdup(path);
	return 0;
}

/* Splits at the last colon; brackets around an address go. */
static int split(char *text, char **host, char **port)
{
	char *colon = strrchr(text, ':'), *end;
	unsigned long number;

	if (!colon || !colon[1])
		return -1;
	*colon = '\0';
	*port = colon + 1;
	number = strtoul(*port, &end, 10);
	if (*end || **port < '0' || **port > '9' || number > 65535)
		return -1;
	*host = text;
	if (*text == '[') {
		if (colon == text + 1 || colon[-1] != ']')
			return -1;
		colon[-1] = '\0';
		*host = text + 1;
	} else if (strchr(text, ':')) {
		return -1;
	}
	return 0;
}

static int bind_one(struct collect_listen *l, const struct addrinfo *a, struct err *e)
{
	int on = 1, off = 0;

	l->fd = socket(a->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (l->fd < 0)
		return err_errno(e, ERR_IO, "cannot make a socket");
	setsockopt(l->fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (a->ai_family == AF_INET6)
		setsockopt(l->fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof(off));
	if (bind(l->fd, a->ai_addr, a->ai_addrlen) == 0)
		return 0;
	err_errno(e, ERR_IO, "cannot listen there");
	close(l->fd);
	l->fd = -1;
	return e->code;
}

static int open_tcp(struct collect_listen *l, const char *where, struct err *e)
{
	struct addrinfo hints = {.ai_flags = AI_PASSIVE | AI_NUMERICHOST | AI_NUMERICSERV,
				 .ai_socktype = SOCK_STREAM};
	struct addrinfo *found = NULL;
	char *copy = xstrdup(where), *host = NULL, *port = NULL;
	int rc = split(copy, &host, &port);

	if (rc || getaddrinfo(*host ? host : NULL, port, &hints, &found) != 0)
		rc = err_set(e, ERR_USAGE,
			     "'%s' is not ADDR:PORT (an address in digits) or unix:PATH", where);
	for (struct addrinfo *a = found; a && l->fd < 0; a = a->ai_next)
		rc = bind_one(l, a, e);
	if (rc && rc != ERR_USAGE)
		err_wrap(e, "%s", where);
	if (found)
		freeaddrinfo(found);
	free(copy);
	return rc;
}

int collect_listen_open(struct collect_listen *l, const char *where, struct err *e)
{
	size_t n = strlen(UNIX_PREFIX);
	int rc;

	*l = (struct collect_listen){.fd = -1};
	if (!where)
		rc = open_handed(l, e);
	else if (!strncmp(where, UNIX_PREFIX, n))
		rc = open_unix(l, where + n, e);
	else
		rc = open_tcp(l, where, e);
	if (!rc && where && listen(l->fd, BACKLOG) != 0)
		rc = err_errno(e, ERR_IO, "cannot listen at %s", where);
	if (rc) {
		if (l->fd >= 0)
			close(l->fd);
		l->fd = -1;
		collect_listen_fini(l);
		return rc;
	}
	l->local = is_local(l->fd);
	return 0;
}

void collect_listen_fini(struct collect_listen *l)
{
	if (l->remove)
		unlink(l->remove);
	free(l->remove);
	l->remove = NULL;
}

void collect_listen_name(const struct collect_listen *l, struct strbuf *to)
{
	struct sockaddr_storage a = {0};
	socklen_t n = sizeof(a);
	char host[64], port[16];

	if (getsockname(l->fd, (struct sockaddr *)&a, &n) != 0)
		return;
	if (a.ss_family == AF_UNIX)
		strbuf_addf(to, UNIX_PREFIX "%s", ((struct sockaddr_un *)&a)->sun_path);
	else if (getnameinfo((struct sockaddr *)&a, n, host, sizeof(host), port, sizeof(port),
			     NI_NUMERICHOST | NI_NUMERICSERV) == 0)
		strbuf_addf(to, a.ss_family == AF_INET6 ? "[%s]:%s" : "%s:%s", host, port);
}

void collect_listen_notify(const char *state)
{
	const char *path = getenv("NOTIFY_SOCKET");
	struct sockaddr_un a = {.sun_family = AF_UNIX};
	socklen_t n;
	int fd;

	if (!path || (*path != '/' && *path != '@') || strlen(path) >= sizeof(a.sun_path))
		return;
	strcpy(a.sun_path, path);
	n = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(path));
	if (*path == '@')
		a.sun_path[0] = '\0';
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return;
	(void)!sendto(fd, state, strlen(state), MSG_NOSIGNAL, (struct sockaddr *)&a, n);
	close(fd);
}
