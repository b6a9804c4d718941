/*
 * A queue of std::function that a worker runs.
 *
 * expect: 0
 */
#include <cassert>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>

static std::mutex lock;
static std::condition_variable filled;
static std::queue<std::function<void()>> tasks;
static bool closed;
static int done;

static void worker()
{
	for (;;) {
		std::function<void()> task;
		{
			std::unique_lock<std::mutex> hold(lock);
			filled.wait(hold, [] { return closed || !tasks.empty(); });
#ifdef DROP
			if (closed)
				return;
#endif
			if (tasks.empty())
				return;
			task = std::move(tasks.front());
			tasks.pop();
		}
		task();
	}
}

int main()
{
	std::thread pool(worker);
	{
		std::lock_guard<std::mutex> hold(lock);
		tasks.push([] { done += 1; });
		filled.notify_one();
	}
	{
		std::lock_guard<std::mutex> hold(lock);
		closed = true;
		filled.notify_all();
	}
	pool.join();
	assert(done == 1);
}
