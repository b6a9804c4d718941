/*
 * An unordered_map of strings that grows while two threads insert: hashing of bytes and the
 * library's rule for the number of buckets.
 *
 * expect: 0
 */
#include <cassert>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>

static std::mutex lock;
static std::unordered_map<std::string, int> ages;

static void add(const char *name, int age)
{
#ifndef UNLOCKED
	std::lock_guard<std::mutex> hold(lock);
#endif
	ages.emplace(name, age);
}

int main()
{
	std::thread other(add, "ada", 36);

	add("a name that does not fit into the string itself", 20);
	other.join();
	assert(ages.size() == 2 && ages.at("ada") == 36);
}
