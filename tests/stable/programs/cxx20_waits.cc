// atomics: what the C++ library builds on futexes and atomic operations: futures, packaged tasks,
// latches, barriers, semaphores, waits for atomics, stop tokens.
#include <atomic>
#include <barrier>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <future>
#include <latch>
#include <mutex>
#include <semaphore>
#include <stop_token>
#include <thread>
#include <vector>

#define EXPECT(condition)                                                                          \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			std::fprintf(stderr, "%d: expected %s\n", __LINE__, #condition);           \
			std::exit(99);                                                             \
		}                                                                                  \
	} while (0)

static std::mutex order_mutex;
static std::vector<int> order;

static void note(int who)
{
	std::lock_guard<std::mutex> guard(order_mutex);
	order.push_back(who);
}

static void futures()
{
	std::vector<std::promise<int>> promises(4);
	std::vector<std::thread> threads;
	for (int i = 0; i < 4; i++)
		threads.emplace_back([&promises, i] {
			int before = i ? promises[i - 1].get_future().get() : 0;
			note(i);
			promises[i].set_value(before + i);
		});
	EXPECT(promises[3].get_future().get() == 6);
	for (auto &t : threads)
		t.join();
	auto later = std::async(std::launch::async, [] { return 7; });
	EXPECT(later.get() == 7);
}

static void tasks()
{
	std::deque<std::packaged_task<int()>> queue;
	std::vector<std::future<int>> results;
	std::mutex mutex;
	for (int i = 0; i < 12; i++) {
		queue.emplace_back([i] { return i * i; });
		results.push_back(queue.back().get_future());
	}
	std::vector<std::thread> threads;
	for (int i = 0; i < 3; i++)
		threads.emplace_back([&, i] {
			for (;;) {
				std::packaged_task<int()> task;
				{
					std::lock_guard<std::mutex> guard(mutex);
					if (queue.empty())
						return;
					task = std::move(queue.front());
					queue.pop_front();
				}
				task();
				note(i);
			}
		});
	for (int i = 0; i < 12; i++)
		EXPECT(results[i].get() == i * i);
	for (auto &t : threads)
		t.join();
}

static void meetings()
{
	std::latch ready(3);
	std::barrier<> phase(3);
	std::counting_semaphore<8> items(0);
	std::atomic<int> turn{0};
	std::vector<std::thread> threads;
	for (int i = 0; i < 3; i++)
		threads.emplace_back([&, i] {
			ready.arrive_and_wait();
			for (int round = 0; round < 10; round++) {
				note(i);
				phase.arrive_and_wait();
			}
			for (int round = 0; round < 10; round++) {
				int at;
				while ((at = turn.load()) % 3 != i)
					turn.wait(at);
				note(10 + i);
				turn.store(at + 1);
				turn.notify_all();
			}
			items.release();
		});
	for (int i = 0; i < 3; i++)
		items.acquire();
	for (auto &t : threads)
		t.join();
}

static void stop()
{
	std::atomic<int> rounds{0};
	std::jthread loop([&](std::stop_token token) {
		while (!token.stop_requested()) {
			rounds++;
			std::this_thread::yield();
		}
	});
	while (rounds < 20)
		std::this_thread::yield();
}

int main()
{
	futures();
	tasks();
	meetings();
	stop();
	unsigned long hash = 5381;
	for (int who : order)
		hash = hash * 33 + (unsigned)who;
	std::printf("%lx\n", hash);
	return 0;
}
