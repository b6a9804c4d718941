/*
 * A program that ends before it begins a thread has one behaviour.
 * expect: 0
 * match: all 1 behaviour
 */
#include <stdlib.h>

int main(void)
{
	exit(0);
}
