// deadlock: two threads, each waits for what the other promises after it; or one has a lock made of
// a futex and wants a mutex, the other has them the other way round.
#include <atomic>
#include <cstring>
#include <future>
#include <mutex>
#include <thread>

static std::atomic<int> word;
static std::mutex mutex;
static std::promise<void> mine, yours;

static void take_word()
{
	while (word.exchange(1))
		word.wait(1);
}

static void futures()
{
	std::thread other([] {
		mine.get_future().wait();
		yours.set_value();
	});
	yours.get_future().wait();
	mine.set_value();
	other.join();
}

static void locks()
{
	take_word();
	std::thread other([] {
		std::lock_guard<std::mutex> guard(mutex);
		mine.set_value();
		take_word();
	});
	mine.get_future().wait();
	mutex.lock();
	other.join();
}

int main(int argc, char **argv)
{
	argc > 1 && std::strcmp(argv[1], "locks") == 0 ? locks() : futures();
}
