/* Killed by a signal that nobody handles. */
#include <signal.h>
#include <unistd.h>
int main(void) { kill(getpid(), SIGKILL); for (;;) pause(); }
