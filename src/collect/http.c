/* The only file that knows libmicrohttpd. */
#include "collect/http.h"

#include <arpa/inet.h>
#include <assert.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fs.h"

#define HEAD_BYTES ((size_t)32 << 10) /* of one request */
#define DOWNLOAD 10		      /* times the timeout for an answer to be taken */
#define LARGE ((size_t)64 << 10)
#define SECOND UINT64_C(1000000000)
#define STOP_STEP_NS 2000000

/* A connection in the list of those that are watched. */
struct peer {
	struct peer *next, **at;
	int fd;
	uint64_t end_ns;
	bool closed;
};

struct collect_http {
	struct collect_service *service;
	struct MHD_Daemon *daemon;
	unsigned timeout;
	_Atomic size_t pending; /* uploads that the writer has */
	pthread_mutex_t lock;	/* of what follows */
	pthread_cond_t over;
	struct peer *peers;
	bool ends;
	pthread_t watch;
};

struct request {
	struct collect_http *http;
	struct MHD_Connection *connection;
	struct collect_target target;
	struct strbuf body;
	size_t reserved;
	bool busy, handed, answered, whole, asks;
	struct collect_answer ready; /* to what asks, until the request is at its end */
	struct collect_job job;
};

/* ---- connections that take too long: half-open, or a byte now and then ---- */

static void set_end(struct collect_http *h, struct peer *p, unsigned seconds)
{
	pthread_mutex_lock(&h->lock);
	p->end_ns = clock_now_ns() + seconds * SECOND;
	pthread_mutex_unlock(&h->lock);
}

static struct peer *peer_of(struct MHD_Connection *c)
{
	return MHD_get_connection_info(c, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
}

static void on_connection(void *arg, struct MHD_Connection *c, void **context,
			  enum MHD_ConnectionNotificationCode code)
{
	struct collect_http *h = arg;
	struct peer *p = *context;

	if (code == MHD_CONNECTION_NOTIFY_STARTED) {
		p = xcalloc(1, sizeof(*p));
		p->fd = MHD_get_connection_info(c, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
		p->end_ns = clock_now_ns() + h->timeout * SECOND;
		pthread_mutex_lock(&h->lock);
		p->next = h->peers;
		p->at = &h->peers;
		if (p->next)
			p->next->at = &p->next;
		h->peers = p;
		pthread_mutex_unlock(&h->lock);
		*context = p;
		return;
	}
	/* Before the descriptor is closed: nobody else's is shut down. */
	pthread_mutex_lock(&h->lock);
	*p->at = p->next;
	if (p->next)
		p->next->at = p->at;
	pthread_mutex_unlock(&h->lock);
	free(p);
}

static void *watch(void *arg)
{
	struct collect_http *h = arg;
	struct timespec next;

	pthread_mutex_lock(&h->lock);
	while (!h->ends) {
		uint64_t now = clock_now_ns();

		for (struct peer *p = h->peers; p; p = p->next) {
			if (p->closed || p->end_ns > now)
				continue;
			p->closed = true;
			COLLECT_COUNT(&h->service->counts, slow, 1);
			shutdown(p->fd, SHUT_RDWR);
		}
		clock_gettime(CLOCK_MONOTONIC, &next);
		next.tv_sec++;
		pthread_cond_timedwait(&h->over, &h->lock, &next);
	}
	pthread_mutex_unlock(&h->lock);
	return NULL;
}

/* ---- answers ---- */

static void add_headers(struct MHD_Response *r, const struct collect_answer *a)
{
	char text[64];

	MHD_add_response_header(r, "Content-Type", a->type);
	MHD_add_response_header(r, "Cache-Control", "no-store");
	MHD_add_response_header(r, "X-Content-Type-Options", "nosniff");
	MHD_add_response_header(r, "Content-Security-Policy",
				"default-src 'none'; style-src 'unsafe-inline'; "
				"frame-ancestors 'none'");
	if (a->retry_after) {
		snprintf(text, sizeof(text), "%u", a->retry_after);
		MHD_add_response_header(r, "Retry-After", text);
	}
	if (a->name) {
		snprintf(text, sizeof(text), "attachment; filename=\"%s\"", a->name);
		MHD_add_response_header(r, "Content-Disposition", text);
	}
	if (a->status == 401)
		MHD_add_response_header(r, "WWW-Authenticate", "Basic realm=\"heddle\"");
	if (a->status == 405)
		MHD_add_response_header(r, "Allow", "GET, HEAD");
}

static enum MHD_Result answer(struct request *q, struct collect_answer *a)
{
	size_t n = a->body.length;
	struct MHD_Response *r =
		MHD_create_response_from_buffer(n, strbuf_take(&a->body), MHD_RESPMEM_MUST_FREE);
	enum MHD_Result result;

	if (!r)
		return MHD_NO;
	add_headers(r, a);
	q->answered = true;
	set_end(q->http, peer_of(q->connection), q->http->timeout * DOWNLOAD);
	result = MHD_queue_response(q->connection, a->status, r);
	MHD_destroy_response(r);
	return result;
}

/* ---- requests ---- */

/* One client: an address, or a network of version 6; who comes by a Unix socket is one. */
static uint64_t client_of(struct MHD_Connection *c)
{
	const union MHD_ConnectionInfo *i =
		MHD_get_connection_info(c, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
	const struct sockaddr *a = i ? i->client_addr : NULL;

	if (a && a->sa_family == AF_INET)
		return fs_hash(FS_HASH_START, &((const struct sockaddr_in *)a)->sin_addr, 4);
	if (a && a->sa_family == AF_INET6) {
		const struct in6_addr *six = &((const struct sockaddr_in6 *)a)->sin6_addr;

		if (IN6_IS_ADDR_V4MAPPED(six))
			return fs_hash(FS_HASH_START, six->s6_addr + 12, 4);
		return fs_hash(FS_HASH_START, six->s6_addr, 8);
	}
	return 1;
}

static enum collect_method method_of(const char *method)
{
	if (!strcmp(method, "GET"))
		return COLLECT_GET;
	if (!strcmp(method, "HEAD"))
		return COLLECT_HEAD;
	return strcmp(method, "PUT") ? COLLECT_OTHER : COLLECT_PUT;
}

static const char *header(struct MHD_Connection *c, const char *name)
{
	return MHD_lookup_connection_value(c, MHD_HEADER_KIND, name);
}

/* Large answers count as bodies do: they lie in memory until the client has them. */
static void hold(struct request *q, struct collect_answer *a)
{
	if (collect_service_reserve(q->http->service, a->body.length)) {
		q->reserved = a->body.length;
		return;
	}
	strbuf_free(&a->body);
	*a = (struct collect_answer){.body = STRBUF_INIT};
	collect_service_busy(q->http->service, a);
}

static enum MHD_Result begin(struct collect_http *h, struct MHD_Connection *c, const char *url,
			     const char *method, void **context)
{
	struct request *q = xcalloc(1, sizeof(*q));
	struct collect_answer a = {.body = STRBUF_INIT};
	struct collect_request r = {.method = method_of(method),
				    .url = url,
				    .authorization = header(c, "Authorization"),
				    .encoding = header(c, "Content-Encoding"),
				    .length = header(c, "Content-Length"),
				    .chunked = header(c, "Transfer-Encoding") != NULL,
				    .client = client_of(c)};

	*context = q;
	q->http = h;
	q->connection = c;
	collect_service_begin(h->service, &r, &q->target, &a);
	if (a.body.length > LARGE)
		hold(q, &a);
	/* An answer before the end of a request closes the connection; a question has no body. */
	q->asks = a.status && r.method <= COLLECT_HEAD;
	q->ready = a;
	return a.status && !q->asks ? answer(q, &q->ready) : MHD_YES;
}

/* What does not fit into memory is read and forgotten, and the client is told in the end. */
static void more(struct request *q, const char *bytes, size_t n)
{
	struct collect_service *s = q->http->service;

	if (q->busy)
		return;
	if (collect_service_reserve(s, n)) {
		q->reserved += n;
		strbuf_add_bytes(&q->body, bytes, n);
		return;
	}
	q->busy = true;
	strbuf_free(&q->body);
	collect_service_release(s, q->reserved);
	q->reserved = 0;
}

/* In the thread of the writer. */
static void on_done(struct collect_job *job)
{
	struct request *q = job->arg;
	struct collect_http *h = q->http;

	/* From here on the request belongs to its own thread. */
	MHD_resume_connection(q->connection);
	h->pending--;
}

static enum MHD_Result finish(struct request *q)
{
	struct collect_service *s = q->http->service;
	struct collect_answer a = {.body = STRBUF_INIT};

	q->whole = true;
	if (q->handed) {
		collect_service_added(s, &q->job, &a);
		return answer(q, &a);
	}
	/* Counted before it is asked: whoever sets `ends' waits for all that were let through. */
	q->http->pending++;
	if (q->busy || s->ends)
		collect_service_busy(s, &a);
	else if (collect_service_take(s, &q->target, &q->body, &q->job.upload, &a)) {
		q->handed = true;
		q->job.done = on_done;
		q->job.arg = q;
		MHD_suspend_connection(q->connection);
		collect_writer_add(s->writer, &q->job);
		return MHD_YES;
	}
	q->http->pending--;
	return answer(q, &a);
}

static enum MHD_Result on_request(void *arg, struct MHD_Connection *c, const char *url,
				  const char *method, const char *version, const char *bytes,
				  size_t *n, void **context)
{
	struct request *q = *context;

	(void)version;
	if (!q)
		return begin(arg, c, url, method, context);
	if (*n) {
		if (!q->answered && !q->asks)
			more(q, bytes, *n);
		*n = 0;
		return MHD_YES;
	}
	if (q->asks && !q->answered)
		return answer(q, &q->ready);
	return q->answered ? MHD_YES : finish(q);
}

static void on_completed(void *arg, struct MHD_Connection *c, void **context,
			 enum MHD_RequestTerminationCode code)
{
	struct collect_http *h = arg;
	struct request *q = *context;

	COLLECT_COUNT(&h->service->counts, requests, 1);
	if (!q)
		return;
	if (!q->whole && !q->answered)
		COLLECT_COUNT(&h->service->counts, cut_off, 1);
	collect_service_release(h->service, q->reserved);
	collect_upload_fini(&q->job.upload);
	strbuf_free(&q->body);
	strbuf_free(&q->ready.body);
	set_end(h, peer_of(c), h->timeout);
	free(q);
	*context = NULL;
	(void)code;
}

/* ---- beginning and end ---- */

static struct MHD_Daemon *start(struct collect_http *h, int fd, const struct collect_http_opts *o)
{
	unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME;

	return MHD_start_daemon(
		flags, 0, NULL, NULL, on_request, h, MHD_OPTION_LISTEN_SOCKET, fd,
		MHD_OPTION_THREAD_POOL_SIZE, o->threads, MHD_OPTION_CONNECTION_LIMIT,
		o->connections, MHD_OPTION_PER_IP_CONNECTION_LIMIT, o->connections_per_client,
		MHD_OPTION_CONNECTION_TIMEOUT, o->timeout, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
		HEAD_BYTES, MHD_OPTION_NOTIFY_CONNECTION, on_connection, h,
		MHD_OPTION_NOTIFY_COMPLETED, on_completed, h, MHD_OPTION_STRICT_FOR_CLIENT, 1,
		MHD_OPTION_END);
}

int collect_http_new(struct collect_http **out, struct collect_service *s, int fd,
		     const struct collect_http_opts *o, struct err *e)
{
	struct collect_http *h = xcalloc(1, sizeof(*h));
	pthread_condattr_t clock;

	h->service = s;
	h->timeout = o->timeout;
	pthread_mutex_init(&h->lock, NULL);
	pthread_condattr_init(&clock);
	pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
	pthread_cond_init(&h->over, &clock);
	pthread_condattr_destroy(&clock);
	h->daemon = start(h, fd, o);
	if (!h->daemon || pthread_create(&h->watch, NULL, watch, h) != 0) {
		if (h->daemon)
			MHD_stop_daemon(h->daemon);
		free(h);
		return err_set(e, ERR_IO, "cannot serve the socket");
	}
	*out = h;
	return 0;
}

void collect_http_free(struct collect_http *h)
{
	struct timespec step = {.tv_nsec = STOP_STEP_NS};
	int fd;

	if (!h)
		return;
	fd = MHD_quiesce_daemon(h->daemon);
	h->service->ends = true;
	/* What was accepted by the writer is answered; the connection may not be stopped before. */
	while (h->pending)
		nanosleep(&step, NULL);
	nanosleep(&(struct timespec){.tv_nsec = 50 * STOP_STEP_NS}, NULL);
	MHD_stop_daemon(h->daemon);
	pthread_mutex_lock(&h->lock);
	h->ends = true;
	pthread_cond_signal(&h->over);
	pthread_mutex_unlock(&h->lock);
	pthread_join(h->watch, NULL);
	if (fd >= 0)
		close(fd);
	pthread_mutex_destroy(&h->lock);
	pthread_cond_destroy(&h->over);
	assert(!h->peers);
	free(h);
}
