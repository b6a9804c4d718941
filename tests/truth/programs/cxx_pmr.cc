/*
 * Containers on a monotonic buffer of each thread, results in a shared total.
 *
 * expect: 0
 */
#include <atomic>
#include <cassert>
#include <memory_resource>
#include <numeric>
#include <thread>
#include <vector>

static std::atomic<int> total;

static void work(int n)
{
	char room[256];
	std::pmr::monotonic_buffer_resource buffer(room, sizeof(room));
	std::pmr::vector<int> numbers(&buffer);

	for (int i = 0; i < n; i++)
		numbers.push_back(i);
	int sum = std::accumulate(numbers.begin(), numbers.end(), 0);
#ifdef SPLIT
	total = total + sum;
#else
	total += sum;
#endif
}

int main()
{
	std::thread other(work, 3);

	work(3);
	other.join();
	assert(total == 6);
}
