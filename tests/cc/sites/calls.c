/* Calls: modelled ones are named, opaque ones announced, harmless and instrumented ones silent. */
#include <ctype.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static char word[16] = "heddle";

static int inner(int n)
{
	return n + 1;
}

static int counted;

int main(int argc, char **argv)
{
	int (*pointer)(int) = argc > 5 ? abs : inner;
	void *block = malloc(10); //= at malloc
	char copy[16];
	int memory = 1, alone = 1;

	pthread_mutex_lock(&m); //= at pthread_mutex_lock
	argc += inner(2); //= nothing
	argc += (int)strlen(word); //= call strlen
	argc += isalpha(word[0]) != 0; //= load word[0]; load -
	pthread_mutex_unlock(&m); //= at pthread_mutex_unlock
	argc += pointer(3); //= call pointer
	strcpy(copy, word); //= call strcpy
	__asm__ volatile("" ::: "memory"); //= nothing
	__asm__ volatile("mfence" ::: "memory"); //= fence -
	__asm__ volatile("lock; incl %0" : "+m"(counted)); //= atomic_rmw counted
	__asm__ volatile("incl %0" : "+m"(alone)); //= nothing
	__asm__ volatile("negl %0" : "+m"(memory)); //= call asm
	free(block); //= at free
	printf("%d %d %s\n", argc, memory, copy); //= load memory; call printf
	return 0;
}
