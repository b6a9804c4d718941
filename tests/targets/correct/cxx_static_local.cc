/*
 * A function-local static, constructed once by whoever comes first; std::call_once likewise.
 * expect: clean
 * flags: -std=c++17
 */
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

static std::atomic<int> constructions, calls;
static std::once_flag flag;

struct table {
	int entries[2];
	table() : entries{1, 2} { constructions++; }
};

static const table &instance()
{
	static table t;
	return t;
}

static void user()
{
	assert(instance().entries[0] == 1 && instance().entries[1] == 2);
	std::call_once(flag, [] { calls++; });
	assert(calls == 1);
}

int main()
{
	std::thread a(user), b(user);

	a.join();
	b.join();
	assert(constructions == 1 && calls == 1);
	return 0;
}
