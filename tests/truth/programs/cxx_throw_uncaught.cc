/*
 * An exception that nobody catches, in one order of several.
 *
 * expect: 1
 * match: abort
 * drawn
 */
#include <atomic>
#include <thread>

static std::atomic<int> x;

int main()
{
	std::thread t([] {
		if (x == 2)
			throw 1;
	});

	x = 1;
	x = 2;
	x = 3;
	t.join();
}
