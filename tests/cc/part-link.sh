# Sourced by run.sh: what the user defines is the user's, in archives too, with and without heddle.
rm -rf k && mkdir k && cd k || exit 3

# A library with functions of C11's names and other types, as people have who support old systems.
cat >own.h <<'END'
typedef struct { int magic; int held; } my_lock;
int mtx_lock(my_lock *l);
int mtx_unlock(my_lock *l);
void call_once(int *done, void (*f)(void));
END
cat >own.c <<'END'
#include "own.h"
int mtx_lock(my_lock *l) { if (l->magic != 4711) return 99; l->held++; return 7; }
int mtx_unlock(my_lock *l) { l->held--; return 8; }
void call_once(int *done, void (*f)(void)) { if (!*done) { *done = 1; f(); f(); } }
END
cat >pool.c <<'END'
#include <stddef.h>
#include <string.h>
static _Alignas(16) char pool[1 << 20];
static size_t used;
int pool_calls;
void *malloc(size_t n)
{
	void *p = pool + used;
	pool_calls++;
	used += (n + 31) & ~(size_t)15;
	return used > sizeof(pool) ? NULL : p;
}
void free(void *p) { (void)p; }
void *calloc(size_t n, size_t m) { void *p = malloc(n * m); return p ? memset(p, 0, n * m) : p; }
void *realloc(void *p, size_t n) { void *q = malloc(n); return p && q ? memcpy(q, p, n) : q; }
END
cat >main.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include "own.h"
extern int pool_calls __attribute__((weak));
static int count;
static void once(void) { count++; }
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *thread(void *arg) { pthread_mutex_lock(&lock); count++; pthread_mutex_unlock(&lock); return arg; }
int main(void)
{
	my_lock l = {4711, 0};
	int done = 0;
	pthread_t t;
	char *p = malloc(40);
	printf("%d %d ", mtx_lock(&l), mtx_unlock(&l));
	call_once(&done, once);
	call_once(&done, once);
	pthread_create(&t, NULL, thread, NULL);
	pthread_join(t, NULL);
	free(p);
	printf("%d %s\n", count, &pool_calls && pool_calls ? "own memory" : "system memory");
	return 0;
}
END
$cc -w -c own.c pool.c && ar rc libown.a own.o && ar rc libpool.a pool.o && clang-19 -w -c own.c -o foreign.o && ar rc libforeign.a foreign.o

# links NAME EXPECTED ARGUMENT...: the same output by itself and under control.
links()
{
	local all=0
	$cc -g -w -o prog "${@:3}" >out 2>&1 || { show out; all=1; }
	[ "$(LD_LIBRARY_PATH='' ./prog)" = "$2" ] || { ./prog >out; show out; all=1; }
	LD_LIBRARY_PATH='' "$heddle" run -q -o "$PWD/runs" ./prog >out 2>err && [ "$(cat out)" = "$2" ] || { show out err; all=1; }
	LD_LIBRARY_PATH='' "$heddle" info --events runs/prog-1.heddle >out 2>&1; grep -q '  lock' out || { show out; all=1; }
	rm -rf runs
	report "$1" $all
}
links "an archive's own mtx_lock and call_once" "7 8 3 system memory" main.c libown.a
links "with -l, and the system's libraries before it" "7 8 3 system memory" -lpthread -lc -lm main.c -L. -lown
links "in an archive that is not instrumented" "7 8 3 system memory" main.c -L. -lforeign
links "an archive's own malloc" "7 8 3 own memory" main.c -L. -lown -Wl,-u,malloc -lpool
links "an archive chosen by -Bstatic" "7 8 3 system memory" main.c -L. -Wl,-Bstatic -lown -Wl,-Bdynamic -lpthread
$cc -w -shared -fPIC -o libshared.so own.c pool.c
links "a shared library's own functions" "7 8 3 own memory" main.c -L. -lshared -Wl,-rpath,"$PWD"
cd ..
