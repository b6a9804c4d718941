/* Version of the product; follows project() in CMakeLists.txt. */
#ifndef HEDDLE_CLI_VERSION_H
#define HEDDLE_CLI_VERSION_H

#ifndef HEDDLE_VERSION
#define HEDDLE_VERSION "0.1.0"
#endif

#endif
