# find_package(Aleator) gives the target Aleator::aleator.
include("${CMAKE_CURRENT_LIST_DIR}/AleatorDependencies.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/AleatorTargets.cmake")
