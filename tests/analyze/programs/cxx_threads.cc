/*
 * What std::thread hands to its thread is no business of whoever made it: by a function, by a lambda,
 * in a container.
 *
 * analyze: none
 */
#include <mutex>
#include <thread>
#include <vector>

static std::mutex lock;
static int sum;

static void add(int n)
{
	std::lock_guard<std::mutex> guard(lock);
	sum += n;
}

int main()
{
	std::thread one(add, 1), two([] { add(2); });
	std::vector<std::thread> more;

	for (int i = 0; i < 3; i++)
		more.emplace_back(add, i);
	one.join();
	two.join();
	for (auto &t : more)
		t.join();
	return sum;
}
