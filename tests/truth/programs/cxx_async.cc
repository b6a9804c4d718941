/*
 * std::async in a thread of its own, and a deferred one that runs where it is asked for.
 *
 * expect: 0
 */
#include <cassert>
#include <future>
#include <string>

#ifdef SHARED
static int calls;
#endif

static int length(std::string text)
{
#ifdef SHARED
	int now = calls;
	calls = now + 1;
#endif
	return (int)text.size();
}

int main()
{
	auto now = std::async(std::launch::async, length, "run at once in another thread");
	auto later = std::async(std::launch::deferred, length, "later");
	int sum = later.get() + now.get();

	assert(sum == 34);
#ifdef SHARED
	assert(calls == 2);
#endif
}
