# The module with MPI, where there is MPI. It is loaded when the program is started by mpirun or srun and linked by nothing: the
# program is the same with and without it.
if(NOT ALEATOR_MPI)
  return()
endif()
set(MPI_CXX_SKIP_MPICXX TRUE)
find_package(MPI QUIET COMPONENTS CXX)
if(MPI_CXX_FOUND)
  file(GLOB mpi_sources CONFIGURE_DEPENDS src/ensemble/mpi/*.cpp)
  aleator_module(aleator_mpi ${mpi_sources})
  target_link_libraries(aleator_mpi PRIVATE MPI::MPI_CXX)
  target_link_options(aleator_mpi PRIVATE LINKER:--as-needed)  # not its C++ classes, which we do not use
else()
  message(STATUS "MPI was not found (Debian package libopenmpi-dev): the program runs as one process")
endif()
