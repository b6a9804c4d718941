// det: C++ threads, mutexes, condition variables with timeouts, call_once, futures.
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <future>
#include <mutex>
#include <shared_mutex>
#include <stdexcept>
#include <thread>
#include <vector>

static std::mutex mu;
static std::condition_variable cv;
static std::once_flag once;
static int ready, count, tries;

static void fail_first()
{
	if (++tries == 1)
		throw std::runtime_error("again");
}

static void work(int n)
{
	thread_local int mine = n;
	try {
		std::call_once(once, fail_first);
	} catch (const std::runtime_error &) {
		std::call_once(once, fail_first);
	}
	std::unique_lock<std::mutex> lock(mu);
	cv.wait(lock, [] { return ready != 0; });
	count += mine;
}

int main()
{
	std::vector<std::thread> threads;
	for (int i = 1; i <= 3; i++)
		threads.emplace_back(work, i);
	{
		std::unique_lock<std::mutex> lock(mu);
		if (cv.wait_for(lock, std::chrono::milliseconds(1), [] { return false; }))
			return 1;
		ready = 1;
		cv.notify_all();
	}
	for (auto &t : threads)
		t.join();
	auto f = std::async(std::launch::async, [] { return 5; });
	if (f.get() != 5 || count != 6 || tries != 2)
		return 2;
	std::puts("fine");
	return 0;
}
