/*
 * Nobody keeps the promise while it lives: the reader waits for ever.
 *
 * expect: 1
 * match: deadlock
 */
#include <future>
#include <thread>

int main()
{
	std::promise<int> promise;
	std::future<int> future = promise.get_future();
	int ready = 0;
	std::thread other([&] {
		if (ready)
			promise.set_value(1);
	});

	ready = 1;
	int got = future.get();
	other.join();
	return got - 1;
}
