/*
 * A signal that nobody handles ends the process.
 *
 * expect: 1
 * match: signal 15 ends the process
 * drawn
 */
#include <signal.h>

int main(void)
{
	raise(SIGTERM);
	return 0;
}
