/* Names of C++ functions as people write them. */
#ifndef HEDDLE_IR_DEMANGLE_H
#define HEDDLE_IR_DEMANGLE_H

/* "std::thread::join" for "_ZNSt6thread4joinEv", without parameters; other symbols as they are. */
char *ir_demangle(const char *symbol);

#endif
