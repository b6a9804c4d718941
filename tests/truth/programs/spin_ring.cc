/*
 * A queue without locks; both ends poll with member functions of the program.
 *
 * expect: 0
 */
#include <array>
#include <atomic>
#include <cassert>
#include <thread>

template <class T, size_t N> class ring {
	std::array<T, N> items;
	std::atomic<size_t> head{0}, tail{0};

public:
	bool push(T item)
	{
		size_t at = tail.load(std::memory_order_relaxed);

		if (at - head.load(std::memory_order_acquire) == N)
			return false;
#ifdef EARLY
		tail.store(at + 1, std::memory_order_release);
		items[at % N] = item;
#else
		items[at % N] = item;
		tail.store(at + 1, std::memory_order_release);
#endif
		return true;
	}

	bool pop(T &item)
	{
		size_t at = head.load(std::memory_order_relaxed);

		if (at == tail.load(std::memory_order_acquire))
			return false;
		item = items[at % N];
		head.store(at + 1, std::memory_order_release);
		return true;
	}
};

static ring<int, 2> numbers;

int main()
{
	std::thread producer([] {
		for (int i = 1; i <= 2; i++)
			while (!numbers.push(i))
				std::this_thread::yield();
	});
	int sum = 0, number;

	for (int i = 0; i < 2; i++) {
		while (!numbers.pop(number))
			std::this_thread::yield();
		sum += number;
	}
	producer.join();
	assert(sum == 3);
}
