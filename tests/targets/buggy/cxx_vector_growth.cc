/*
 * Bug: a reader looks at memory the vector has given back.
 * Cause: push_back moves the elements while another thread holds a reference to one.
 * expect: use-after-free
 * flags: -std=c++17
 */
#include <mutex>
#include <thread>
#include <vector>

static std::mutex lock;
static std::vector<int> log_lines;
static volatile int seen;

int main()
{
	log_lines.reserve(1);
	log_lines.push_back(1);
	std::thread reader([] {
		const int *line;
		{
			std::lock_guard<std::mutex> hold(lock);
			line = &log_lines.front();
		}
		seen = *line;
	});
	std::thread writer([] {
		std::lock_guard<std::mutex> hold(lock);
		log_lines.push_back(2);
	});
	reader.join();
	writer.join();
	return 0;
}
