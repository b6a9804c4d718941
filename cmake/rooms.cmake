# A host room is a static library of every .c file in src/<room> and its subrooms; its links name
# the rooms below it.
function(heddle_room name)
  cmake_parse_arguments(ROOM "" "" "LINKS;EXCLUDE" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${name}/*.c
    ${CMAKE_SOURCE_DIR}/src/${name}/*/*.c)
  foreach(pattern ${ROOM_EXCLUDE})
    list(FILTER sources EXCLUDE REGEX "/${pattern}$")
  endforeach()
  if(NOT sources)
    return()
  endif()
  add_library(room_${name} STATIC ${sources})
  if(HEDDLE_SANITIZE)
    target_compile_options(room_${name} PUBLIC -fsanitize=address,undefined
      -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
    target_link_options(room_${name} PUBLIC -fsanitize=address,undefined)
  endif()
  target_link_libraries(room_${name} PUBLIC ${ROOM_LINKS})
endfunction()
