# Script: writes OUTPUT with VERSION and the commit of SOURCE_DIR, when it changed.
set(commit "unknown")  # for instance a source archive without history
find_program(GIT git)
if(GIT AND EXISTS ${SOURCE_DIR}/.git)
  # No optional locks: a build must not disturb a commit that is being made.
  set(git ${CMAKE_COMMAND} -E env GIT_OPTIONAL_LOCKS=0 ${GIT} -C ${SOURCE_DIR})
  execute_process(COMMAND ${git} rev-parse HEAD OUTPUT_VARIABLE head RESULT_VARIABLE failed ERROR_QUIET
                  OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT failed)
    set(commit ${head})
    # Only what the program is made of counts: an edited document does not change results.
    execute_process(COMMAND ${git} status --porcelain -- src include apps cmake CMakeLists.txt OUTPUT_VARIABLE changes
                    ERROR_QUIET)
    if(changes)
      string(APPEND commit "-modified")
    endif()
  endif()
endif()

set(text "// Written by cmake/WriteVersion.cmake.
#pragma once

namespace aleator::build {
inline constexpr char version[] = \"${VERSION}\";
inline constexpr char commit[] = \"${commit}\";
}  // namespace aleator::build
")
set(old "")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} old)
endif()
if(NOT old STREQUAL text)
  file(WRITE ${OUTPUT} "${text}")
endif()
