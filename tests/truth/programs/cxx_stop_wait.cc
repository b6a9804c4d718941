/*
 * A wait that a request to stop ends; the lock inside the stop state spins with a local variable.
 *
 * expect: 0
 */
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

static std::mutex mutex;
static std::condition_variable_any changed;
static int work;

int main()
{
	std::jthread worker([](std::stop_token stop) {
		std::unique_lock<std::mutex> lock(mutex);

#ifdef DEAF
		changed.wait(lock, [] { return work > 0; });
#else
		changed.wait(lock, stop, [] { return work > 0; });
		assert(stop.stop_requested());
#endif
	});

	worker.request_stop();
}
