/*
 * expect: 1
 * match: beyond the end of a block of 14
 *
 * An array from new[] has exactly its elements.
 */
#include <thread>

static short *numbers;

int main()
{
	numbers = new short[7];
	std::thread t([] { numbers[7] = 1; });

	t.join();
	delete[] numbers;
	return 0;
}
