/*
 * A value goes from a promise to a future.
 *
 * expect: 0
 */
#include <cassert>
#include <future>
#include <string>
#include <thread>

int main()
{
	std::promise<std::string> promise;
	std::future<std::string> future = promise.get_future();
	std::thread other([&promise] {
		promise.set_value("an answer that needs memory of its own");
	});

	assert(future.get().size() == 38);
	other.join();
}
