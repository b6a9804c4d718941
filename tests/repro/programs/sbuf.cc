/*
 * String buffer of old JDKs, 2 threads: append(other) asks the other's length and then copies that
 * many characters, each under the other's lock but not both under one.
 * Failure: the other was cut in between, and the copy is out of range.
 */
#include <cassert>
#include <cstring>
#include <mutex>
#include <thread>

#ifdef PROVOKE /* as the literature does: a pause where the bug is */
#include <unistd.h>
#define WINDOW() usleep(200)
#else
#define WINDOW() ((void)0)
#endif

class StringBuffer {
public:
	explicit StringBuffer(const char *text) : count(std::strlen(text))
	{
		std::memcpy(value, text, count);
	}

	std::size_t length()
	{
		std::lock_guard<std::mutex> hold(lock);

		return count;
	}

	void copy(std::size_t from, std::size_t to, char *out)
	{
		std::lock_guard<std::mutex> hold(lock);

		assert(from <= to && to <= count);
		for (std::size_t i = from; i < to; i++)
			*out++ = value[i];
	}

	void append(StringBuffer &other)
	{
		std::lock_guard<std::mutex> hold(lock);
		std::size_t more = other.length();

		assert(count + more <= sizeof(value));
		WINDOW();
		other.copy(0, more, value + count);
		count += more;
	}

	void erase()
	{
		std::lock_guard<std::mutex> hold(lock);

		count = 0;
	}

	void assign(const char *text)
	{
		std::lock_guard<std::mutex> hold(lock);

		count = std::strlen(text);
		std::memcpy(value, text, count);
	}

private:
	std::mutex lock;
	std::size_t count;
	char value[256];
};

int main()
{
	StringBuffer first("abc");
	std::thread cutter([&first] {
		for (int i = 0; i < 10; i++) {
			first.erase();
			WINDOW();
			first.assign("abc");
		}
	});

	for (int i = 0; i < 10; i++) {
		StringBuffer second("x");

		second.append(first);
	}
	cutter.join();
	return 0;
}
