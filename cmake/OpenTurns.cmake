# The module with OpenTURNS. It is loaded when the first random law is made and linked by nothing: OpenTURNS brings ninety
# libraries, which take longer to load than a small model takes to simulate.
include(GNUInstallDirs)
if(ALEATOR_OPENTURNS)
  aleator_import(Aleator::openturns openturns/OTconfig.hxx "" OT)
  if(NOT TARGET Aleator::openturns)
    message(FATAL_ERROR "OpenTURNS was not found (Debian package libopenturns-dev); -DALEATOR_OPENTURNS=OFF builds without it")
  endif()
  file(GLOB module_sources CONFIGURE_DEPENDS src/uncertainty/openturns/*.cpp)
  add_library(aleator_openturns MODULE ${module_sources})
  set_target_properties(aleator_openturns PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
  target_include_directories(aleator_openturns PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/src ${CMAKE_CURRENT_SOURCE_DIR}/include)
  # The work is done inside OpenTURNS: neither optimisation nor instrumentation of the calls is worth its compilation.
  aleator_compile(aleator_openturns)
  target_compile_options(aleator_openturns PRIVATE -O1 -fno-sanitize=all)
  target_link_libraries(aleator_openturns PRIVATE Aleator::openturns Eigen3::Eigen fmt::fmt)
  install(TARGETS aleator_openturns LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/aleator)
  # Whatever is built with the library finds the module built too.
  add_dependencies(aleator_engine aleator_openturns)
endif()

# … and where.
set_property(SOURCE src/base/load_module.cpp APPEND PROPERTY COMPILE_DEFINITIONS
             ALEATOR_MODULE_BUILD_DIR="${CMAKE_BINARY_DIR}"
             ALEATOR_MODULE_INSTALL_DIR="${CMAKE_INSTALL_FULL_LIBDIR}/aleator")
