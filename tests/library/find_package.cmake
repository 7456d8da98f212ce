# Script: installs the library into a staging folder, builds examples/library against it and runs the result.
set(stage ${BUILD_DIR}/install-test)
file(REMOVE_RECURSE ${stage})
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)

run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${stage}/prefix)
# The public headers, and nothing of ours beside them.
file(GLOB_RECURSE headers RELATIVE ${stage}/prefix/include ${stage}/prefix/include/*)
set(public aleator/aleator.hpp aleator/design.hpp aleator/identification.hpp aleator/import.hpp aleator/model.hpp aleator/reliability.hpp aleator/report.hpp aleator/results.hpp
    aleator/simulation.hpp aleator/study.hpp aleator/uncertainty.hpp)
list(SORT headers)
if(NOT headers STREQUAL public)
  message(FATAL_ERROR "installed headers: ${headers}")
endif()
run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${SOURCE_DIR}/examples/library -B ${stage}/build -DCMAKE_BUILD_TYPE=Release
    -DCMAKE_PREFIX_PATH=${stage}/prefix)
run(${CMAKE_COMMAND} --build ${stage}/build)
run(${stage}/build/main ${stage}/out)
