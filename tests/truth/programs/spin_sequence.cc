/*
 * A sequence lock: the reader begins again when somebody wrote meanwhile.
 *
 * expect: 0
 */
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<unsigned> sequence;
static std::atomic<int> first, second;

static void write(int value)
{
	sequence.fetch_add(1);
	first = value;
	second = value;
	sequence.fetch_add(1);
}

int main()
{
	std::thread writer([] { write(1), write(2); });
	int one, two;
	unsigned seen;

	do {
		while ((seen = sequence.load()) & 1)
			std::this_thread::yield();
		one = first;
		two = second;
#ifdef ONCE
	} while (false);
#else
	} while (sequence.load() != seen);
#endif
	writer.join();
	assert(one == two);
}
