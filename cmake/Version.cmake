# Version and commit for the results files. The commit is looked up at every build, but the header is
# rewritten only when it changed, and a single source (src/results/version.cpp) includes it.
set(generated_dir ${CMAKE_CURRENT_BINARY_DIR}/generated)
set(write_version ${CMAKE_COMMAND} -D SOURCE_DIR=${CMAKE_CURRENT_SOURCE_DIR} -D VERSION=${PROJECT_VERSION}
    -D OUTPUT=${generated_dir}/build_version.hpp -P ${CMAKE_CURRENT_SOURCE_DIR}/cmake/WriteVersion.cmake)
add_custom_target(aleator_version COMMAND ${write_version} BYPRODUCTS ${generated_dir}/build_version.hpp
                  COMMENT "Looking up the commit" VERBATIM)
add_dependencies(aleator_reading aleator_version)
target_include_directories(aleator_reading PRIVATE ${generated_dir})
