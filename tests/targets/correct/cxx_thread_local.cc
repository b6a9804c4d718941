/*
 * thread_local objects with constructors and destructors.
 * expect: clean
 * flags: -std=c++17
 */
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> alive, total;

struct tally {
	int n = 0;
	tally() { alive++; }
	~tally()
	{
		total += n;
		alive--;
	}
};

static thread_local tally mine;

static void count(int n)
{
	for (int i = 0; i < n; i++)
		mine.n++;
	assert(mine.n == n);
}

int main()
{
	std::thread a(count, 2), b(count, 3);

	a.join();
	b.join();
	assert(total == 5 && alive == 0);
	return 0;
}
