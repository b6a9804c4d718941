/*
 * std::call_once with arguments: one of two threads runs it, the other sees the result.
 *
 * expect: 0
 */
#include <cassert>
#include <mutex>
#include <string>
#include <thread>

static std::once_flag once;
[[maybe_unused]] static bool seen;
static int runs;
static std::string result;

static void prepare(int value)
{
	runs++;
	result = "prepared with the number " + std::to_string(value);
}

static void use()
{
#ifdef DOUBLE_CHECKED
	if (!seen) {
		seen = true;
		prepare(42);
	}
#else
	std::call_once(once, prepare, 42);
#endif
	assert(result == "prepared with the number 42");
}

int main()
{
	std::thread other(use);

	use();
	other.join();
	assert(runs == 1);
}
