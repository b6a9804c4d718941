/*
 * Bug: two threads wait for each other.
 * Cause: lock guards taken in opposite orders; std::scoped_lock over both would be right.
 * expect: deadlock
 * flags: -std=c++17
 */
#include <mutex>
#include <thread>

static std::mutex first, second;
static int value;

int main()
{
	std::thread a([] {
		std::lock_guard<std::mutex> one(first);
		std::lock_guard<std::mutex> two(second);
		value++;
	});
	std::thread b([] {
		std::lock_guard<std::mutex> two(second);
		std::lock_guard<std::mutex> one(first);
		value--;
	});
	a.join();
	b.join();
	return 0;
}
