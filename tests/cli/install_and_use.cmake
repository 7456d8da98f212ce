# Script: installs the library into a staging folder, builds examples/library against it and runs the result.
set(stage ${BUILD_DIR}/install-test)
file(REMOVE_RECURSE ${stage})

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE failed OUTPUT_VARIABLE out ERROR_VARIABLE out)
  if(failed)
    string(JOIN " " command ${ARGN})
    message(FATAL_ERROR "${command}\nfailed (${failed}):\n${out}")
  endif()
  message(STATUS "${out}")
endfunction()

set(flags)
if(SANITIZE)
  set(flags -DCMAKE_EXE_LINKER_FLAGS=-fsanitize=address,undefined)
endif()
run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${stage}/prefix)
run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${SOURCE_DIR}/examples/library -B ${stage}/build
    -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH=${stage}/prefix ${flags})
run(${CMAKE_COMMAND} --build ${stage}/build)
run(${CMAKE_COMMAND} -E chdir ${stage}/build ./main)
