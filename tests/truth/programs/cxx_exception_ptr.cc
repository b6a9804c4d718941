/*
 * An exception thrown in one thread is carried to another and thrown again there.
 *
 * expect: 0
 */
#include <cassert>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>

int main()
{
	std::exception_ptr carried;
	std::thread other([&carried] {
		try {
			throw std::runtime_error("a message that needs memory of its own");
		} catch (...) {
			carried = std::current_exception();
		}
	});

#ifndef EARLY
	other.join();
#endif
	assert(carried);
	try {
		std::rethrow_exception(carried);
	} catch (const std::runtime_error &e) {
		assert(std::string(e.what()).size() == 38);
	}
#ifdef EARLY
	other.join();
#endif
}
