# A toolchain file: the project is compiled by heddle cc and heddle c++.
#
#   cmake -B build-heddle --toolchain=.../heddle-toolchain.cmake
#
# The programs run as usual; `heddle check' takes control of them.  With -DHEDDLE_LAUNCH=ON, CMake 3.29 or
# newer also puts `heddle check' in front of every test of the project (CMAKE_TEST_LAUNCHER); with older
# versions use heddle_add_test() or heddle_discover_gtests() of find_package(heddle).
get_filename_component(heddle_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(CMAKE_C_COMPILER "${heddle_prefix}/bin/heddle-cc")
set(CMAKE_CXX_COMPILER "${heddle_prefix}/bin/heddle-c++")
# find_package(heddle) finds the heddle that compiles.
list(APPEND CMAKE_PREFIX_PATH "${heddle_prefix}")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES HEDDLE_LAUNCH)
# Reports show lines, and assertions are what fails: CMake's own RelWithDebInfo has -DNDEBUG.
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "type of build")
endif()
set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O2 -g" CACHE STRING "flags of RelWithDebInfo, assertions kept")
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g" CACHE STRING "flags of RelWithDebInfo, assertions kept")
# A warning of another compiler than the project's own is no reason not to check it.
add_compile_options(-Wno-error)
if(HEDDLE_LAUNCH)
  if(CMAKE_VERSION VERSION_LESS 3.29)
    message(WARNING "HEDDLE_LAUNCH needs CMake 3.29 (CMAKE_TEST_LAUNCHER); this is ${CMAKE_VERSION}: "
      "use heddle_add_test() or heddle_discover_gtests()")
  else()
    set(CMAKE_TEST_LAUNCHER "${heddle_prefix}/bin/heddle;check;--exit-code;--")
  endif()
endif()
