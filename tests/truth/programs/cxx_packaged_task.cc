/*
 * A packaged task that runs in another thread; its exception comes out of the future.
 *
 * expect: 0
 */
#include <cassert>
#include <future>
#include <stdexcept>
#include <thread>

static int half(int n)
{
	if (n % 2)
		throw std::invalid_argument("odd");
	return n / 2;
}

int main()
{
	std::packaged_task<int(int)> even(half), odd(half);
	std::future<int> a = even.get_future(), b = odd.get_future();
	std::thread other([&] {
		even(6);
		odd(7);
	});
	bool failed = false;

	try {
		b.get();
	} catch (const std::invalid_argument &) {
		failed = true;
	}
#ifdef IMPATIENT
	assert(a.wait_for(std::chrono::seconds(0)) == std::future_status::timeout);
#endif
	assert(failed && a.get() == 3);
	other.join();
}
