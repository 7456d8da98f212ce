# The libraries Aleator stands on. Used by our own build and, installed, by find_package(Aleator): the
# library is static, so whoever links it needs the same ones.
include(CMakeFindDependencyMacro)
find_dependency(Eigen3 3.4 NO_MODULE)
find_dependency(fmt)
find_dependency(yaml-cpp)
find_dependency(pugixml)
find_dependency(muparser)
find_dependency(TBB)
find_dependency(NLopt)

# An imported target from headers and libraries, for packages that bring no CMake configuration.
# It is not created when something is missing.
function(aleator_import target header suffix)
  string(MAKE_C_IDENTIFIER ${target} id)
  find_path(${id}_INCLUDE ${header} PATH_SUFFIXES ${suffix})
  set(found ${${id}_INCLUDE})
  set(libraries)
  foreach(name IN LISTS ARGN)
    find_library(${id}_${name} ${name})
    mark_as_advanced(${id}_${name})
    if(NOT ${id}_${name})
      set(found FALSE)
    endif()
    list(APPEND libraries ${${id}_${name}})
  endforeach()
  mark_as_advanced(${id}_INCLUDE)
  if(found AND NOT TARGET ${target})
    add_library(${target} INTERFACE IMPORTED)
    set_target_properties(${target} PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${${id}_INCLUDE}"
                                               INTERFACE_LINK_LIBRARIES "${libraries}")
  endif()
endfunction()

aleator_import(Aleator::klu klu.h suitesparse klu amd colamd btf suitesparseconfig)
# The serial HDF5: Debian can have several side by side. The high-level library has the dimension labels.
aleator_import(Aleator::hdf5 hdf5.h hdf5/serial hdf5_serial hdf5_serial_hl)
# SUNDIALS IDA is the independent reference integrator; without it `integrator: ida` is not available.
aleator_import(Aleator::ida ida/ida.h "" sundials_ida sundials_nvecserial sundials_sunmatrixdense sundials_sunlinsoldense)

if(NOT TARGET Aleator::klu)
  message(FATAL_ERROR "KLU of SuiteSparse was not found (Debian package libsuitesparse-dev)")
endif()
if(NOT TARGET Aleator::hdf5)
  message(FATAL_ERROR "HDF5 was not found (Debian package libhdf5-dev)")
endif()
