/*
 * std::async, std::promise, std::packaged_task; an exception travels through a future.
 * expect: clean
 * flags: -std=c++17
 */
#include <cassert>
#include <future>
#include <stdexcept>
#include <thread>

static int twice(int n)
{
	return 2 * n;
}

int main()
{
	std::promise<int> question;
	std::future<int> answer = question.get_future();
	std::packaged_task<int(int)> task(twice);
	std::future<int> task_result = task.get_future();
	std::future<void> failing = std::async(std::launch::async, [] {
		throw std::runtime_error("expected");
	});
	std::thread one([&question] { question.set_value(42); });
	std::thread two(std::move(task), 21);
	bool caught = false;

	assert(answer.get() == 42);
	assert(task_result.get() == 42);
	try {
		failing.get();
	} catch (const std::runtime_error &) {
		caught = true;
	}
	assert(caught);
	one.join();
	two.join();
	return 0;
}
