/*
 * Two consumers, and a producer that closes the channel with notify_one where notify_all is needed:
 * the consumer that is woken leaves, the other one sleeps on.
 */
#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <set>
#include <cassert>

struct Channel {
	std::mutex m;
	std::condition_variable cv;
	std::deque<std::string> items;
	bool closed = false;
};

static void consume(Channel &ch, std::set<std::string> &seen)
{
	for (;;) {
		std::unique_lock<std::mutex> l(ch.m);
		ch.cv.wait(l, [&] { return ch.closed || !ch.items.empty(); });
		if (ch.items.empty())
			return;
		seen.insert(ch.items.front());
		ch.items.pop_front();
	}
}

int main()
{
	Channel ch;
	std::set<std::string> a, b;
	std::thread c1([&] { consume(ch, a); });
	std::thread c2([&] { consume(ch, b); });
	std::thread p([&] {
		for (int i = 0; i < 2; i++) {
			std::lock_guard<std::mutex> l(ch.m);
			ch.items.push_back("job" + std::to_string(i));
			ch.cv.notify_one();
		}
		std::lock_guard<std::mutex> l(ch.m);
		ch.closed = true;
		ch.cv.notify_one();
	});
	p.join();
	c1.join();
	c2.join();
	assert(a.size() + b.size() == 2);
}
