# find_package(Aleator) gives the target Aleator::aleator.
@PACKAGE_INIT@
set(_aleator_modules "@PACKAGE_ALEATOR_MODULE_DIR@")  # before other packages overwrite what it is made of
include("${CMAKE_CURRENT_LIST_DIR}/AleatorDependencies.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/AleatorTargets.cmake")

# The modules of this installation (random distributions, MPI) are found by programs that are elsewhere: each is told where, by a
# source of its own. Weak, because libraries of the same project get it, too.
set(_aleator_told "${CMAKE_CURRENT_BINARY_DIR}/aleator_module_folder.cpp")
file(CONFIGURE OUTPUT "${_aleator_told}" CONTENT "// Written by find_package(Aleator).
extern \"C\" __attribute__((weak)) const char* aleator_module_folder() { return R\"(${_aleator_modules})\"; }
")
set_property(TARGET Aleator::engine APPEND PROPERTY INTERFACE_SOURCES "${_aleator_told}")
unset(_aleator_told)
unset(_aleator_modules)
