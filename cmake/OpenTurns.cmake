# The module with OpenTURNS. It is loaded when the first random law is made and linked by nothing: OpenTURNS brings ninety
# libraries, which take longer to load than a small model takes to simulate.
#
# Where modules are: in lib/aleator beside the program's folder when installed, below it in the build folder; see
# src/base/load_module.hpp. Not in CMAKE_INSTALL_LIBDIR, whose name differs between systems: a program that was moved with its
# folders to another one finds them still.
set(ALEATOR_MODULE_DIR lib/aleator)

# What every module needs: the identity of the build, without which it is not loaded. The same file is in the engine.
set_source_files_properties(src/base/build_id.cpp PROPERTIES INCLUDE_DIRECTORIES ${generated_dir} SKIP_PRECOMPILE_HEADERS ON
                            OBJECT_DEPENDS ${generated_dir}/build_version.hpp)
function(aleator_module target)
  add_library(${target} MODULE ${ARGN} src/base/build_id.cpp)
  set_target_properties(${target} PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/${ALEATOR_MODULE_DIR}
                                             INSTALL_RPATH_USE_LINK_PATH ON)  # OpenTURNS or MPI may be anywhere
  aleator_compile(${target})
  target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/src ${CMAKE_CURRENT_SOURCE_DIR}/include)
  # The work is done by others: instrumentation of the calls is not worth its compilation.
  target_compile_options(${target} PRIVATE -fno-sanitize=all)
  add_dependencies(${target} aleator_version)
  install(TARGETS ${target} LIBRARY DESTINATION ${ALEATOR_MODULE_DIR} COMPONENT Runtime)
  # Whatever is built with the library finds the module built too.
  add_dependencies(aleator_engine ${target})
endfunction()

if(ALEATOR_OPENTURNS)
  aleator_import(Aleator::openturns openturns/OTconfig.hxx "" OT)
  if(NOT TARGET Aleator::openturns)
    message(FATAL_ERROR "OpenTURNS was not found (Debian package libopenturns-dev); -DALEATOR_OPENTURNS=OFF builds without it")
  endif()
  file(GLOB module_sources CONFIGURE_DEPENDS src/uncertainty/openturns/*.cpp)
  aleator_module(aleator_openturns ${module_sources})
  # Neither is optimisation.
  target_compile_options(aleator_openturns PRIVATE -O1)
  target_link_libraries(aleator_openturns PRIVATE Aleator::openturns Eigen3::Eigen fmt::fmt)
endif()
