/*
 * Lines that say `in' may decide what is printed at `here', those that say `out' do not; `once'
 * only does when two threads run.
 *
 * analyze: none
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum, other, limit;

static int scaled(int x)
{
	other++;	  /* out */
	return x * limit; /* in */
}

static void *work(void *arg)
{
	int n = *(int *)arg; /* in */

	pthread_mutex_lock(&lock);
	sum += scaled(n); /* in */
	other += n;	  /* out */
	pthread_mutex_unlock(&lock);
	return NULL;
}

static void check(int n)
{
	if (n > 9)	 /* in */
		exit(n); /* in */
}

static void second(pthread_t *t, int *n)
{
	*n = 5;				  /* once */
	pthread_create(t, NULL, work, n); /* once */
}

int main(int argc, char **argv)
{
	pthread_t t[2];
	int numbers[2] = {3, 4}, bystander = argc; /* in */

	limit = argc > 1 ? atoi(argv[1]) : 2;	    /* in */
	bystander += limit;			    /* in */
	check(argc);				    /* in */
	pthread_create(&t[0], NULL, work, numbers); /* in */
	if (argc > 2)				    /* once */
		second(&t[1], &numbers[1]);	    /* once */
	pthread_join(t[0], NULL);
	if (argc > 2)
		pthread_join(t[1], NULL);
	if (bystander == 77)	   /* in */
		abort();	   /* in */
	printf("%d\n", bystander); /* out */
	pthread_mutex_lock(&lock);
	printf("%d\n", sum); /* here */
	if (other > 99)
		abort();       /* out */
	printf("%d\n", other); /* out */
	pthread_mutex_unlock(&lock);
	return 0;
}
