# Completion for shells, made by heddle itself from its tables of options.
set(completion ${CMAKE_BINARY_DIR}/share/completion)
file(MAKE_DIRECTORY ${completion})
foreach(shell bash zsh fish)
  add_custom_command(OUTPUT ${completion}/${shell}
    COMMAND $<TARGET_FILE:heddle> completion ${shell} > ${completion}/${shell}
    DEPENDS heddle VERBATIM)
  list(APPEND completion_files ${completion}/${shell})
endforeach()
add_custom_target(completion ALL DEPENDS ${completion_files})
install(FILES ${completion}/bash DESTINATION share/bash-completion/completions RENAME heddle)
install(FILES ${completion}/zsh DESTINATION share/zsh/vendor-completions RENAME _heddle)
install(FILES ${completion}/fish DESTINATION share/fish/vendor_completions.d RENAME heddle.fish)
