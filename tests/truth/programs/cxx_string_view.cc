/*
 * string_view, substr, find and numbers from text, on a string that another thread extends under
 * the same lock.
 *
 * expect: 0
 */
#include <cassert>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

static std::mutex lock;
static std::string text = "key=12";

int main()
{
	std::thread other([] {
		std::lock_guard<std::mutex> hold(lock);
		text += ";other=a value that makes the text long";
	});
#ifdef KEPT
	std::string_view view = text;
#endif
	{
		std::lock_guard<std::mutex> hold(lock);
#ifndef KEPT
		std::string_view view = text;
#endif
		size_t at = view.find('=');

		assert(at == 3 && view.substr(0, at) == "key");
		assert(std::stoi(std::string(view.substr(at + 1))) == 12);
#ifdef KEPT
		assert(view.data() == text.data());
#endif
	}
	other.join();
}
