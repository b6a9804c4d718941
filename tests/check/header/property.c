/* heddle/heddle.h in a program of its own: with an argument the assertion fails; C and C++. */
#include <heddle/heddle.h>

int main(int argc, char **argv)
{
	(void)argv;
	heddle_assume(argc == 1);
	heddle_assert(argc == 1);
	return 0;
}
