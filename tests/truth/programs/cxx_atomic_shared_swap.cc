/*
 * A shared pointer that is swapped for a newer one, and the lock inside it.
 *
 * expect: 0
 */
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

static std::atomic<std::shared_ptr<int>> current{std::make_shared<int>(0)};

static void increment()
{
	auto seen = current.load();

#ifdef BLIND
	current.store(std::make_shared<int>(*seen + 1));
#else
	while (!current.compare_exchange_strong(seen, std::make_shared<int>(*seen + 1)))
		;
#endif
}

int main()
{
	std::thread t(increment);

	increment();
	t.join();
	assert(*current.load() == 2);
}
