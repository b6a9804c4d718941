/*
 * A thread shows others what it was given by value.
 *
 * analyze: race v 1
 */
#include <atomic>
#include <thread>

struct box {
	int v;
};
static std::atomic<box *> shown;

int main()
{
	box mine{1};
	std::thread t([mine]() mutable {
		shown = &mine;
		mine.v = 2;
	});
	box *there;

	while (!(there = shown))
		;
	there->v = 3;
	t.join();
	return 0;
}
