/*
 * C++ threads, a mutex, a condition variable, containers and exceptions: a pipeline of two stages.
 * No bug.
 * expect: clean
 * found: --strategy=random --runs=2000
 */
#include <cassert>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

class channel {
	std::mutex lock;
	std::condition_variable changed;
	std::deque<int> items;
	bool closed = false;

public:
	void send(int item)
	{
		std::lock_guard<std::mutex> hold(lock);
		items.push_back(item);
		changed.notify_one();
	}
	void close()
	{
		std::lock_guard<std::mutex> hold(lock);
		closed = true;
		changed.notify_all();
	}
	int receive()
	{
		std::unique_lock<std::mutex> hold(lock);
		changed.wait(hold, [this] { return closed || !items.empty(); });
		if (items.empty())
			throw std::runtime_error("closed");
		int item = items.front();
		items.pop_front();
		return item;
	}
};

int main()
{
	channel raw, squares;
	std::vector<int> got;
	std::thread source([&] {
		for (int i = 1; i <= 3; i++)
			raw.send(i);
		raw.close();
	});
	std::thread stage([&] {
		try {
			for (;;) {
				int item = raw.receive();
				squares.send(item * item);
			}
		} catch (const std::runtime_error &) {
			squares.close();
		}
	});
	try {
		for (;;)
			got.push_back(squares.receive());
	} catch (const std::runtime_error &) {
	}
	source.join();
	stage.join();
	assert(got.size() == 3 && std::accumulate(got.begin(), got.end(), 0) == 14);
	return 0;
}
