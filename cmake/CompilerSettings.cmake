# How our own targets are compiled; nothing here reaches those of a project that contains this one.
if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
  if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release)
  endif()
  find_program(CCACHE_PROGRAM ccache)
  if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    # Paths relative to the sources, so that another clone of the same text finds what this one compiled.
    # Precompiled headers are told by what they contain, not by their date.
    set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1 CCACHE_DEPEND=1
        CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime)
    if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
      # Those of clang contain where they were made: ccache is told by a sum beside each, and by an option whose path it makes relative.
      list(APPEND CMAKE_CXX_COMPILER_LAUNCHER CCACHE_PCH_EXTSUM=1 ${CMAKE_SOURCE_DIR}/cmake/cached-clang)
      set(CMAKE_CXX_COMPILE_OPTIONS_USE_PCH -include-pch <PCH_FILE>)
    endif()
    list(APPEND CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
  endif()
endif()

# Megabytes for each core.
cmake_host_system_information(RESULT ALEATOR_MEMORY QUERY TOTAL_PHYSICAL_MEMORY)
cmake_host_system_information(RESULT ALEATOR_CORES QUERY NUMBER_OF_LOGICAL_CORES)
math(EXPR ALEATOR_MEMORY "${ALEATOR_MEMORY} / ${ALEATOR_CORES}")

function(aleator_compile target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  # g++ sweeps its memory after every few megabytes; where there is enough of it, less often: a sixth of the time of a batch.
  if(ALEATOR_MEMORY GREATER_EQUAL 2000)
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=524288>)
  endif()
  # -O3: with -O2 a realization alone takes 25 to 40 % longer. Assertions stay on: they guard invariants outside the time loop and cost nothing there.
  target_compile_options(${target} PRIVATE $<$<AND:$<CONFIG:Release>,$<COMPILE_LANGUAGE:CXX>>:-O3> $<$<CONFIG:Debug>:-Og>
                                           $<$<COMPILE_LANGUAGE:CXX>:-UNDEBUG>)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wshadow=local $<$<BOOL:${ALEATOR_WERROR}>:-Werror>)
  # No contraction, so that rounding is what the text says, in scalars and lanes alike; no errno, so that sqrt stays an instruction.
  target_compile_options(${target} PRIVATE -ffp-contract=off -fno-math-errno)
  # Lanes are ours: g++ 12 makes the scalar kernels slower (the sparse LU by 1.8) when it vectorises across them.
  target_compile_options(${target} PRIVATE -fno-tree-vectorize -fno-tree-slp-vectorize)
  # g++ 12 sees overlapping copies in "text" + string(), and writes past the end inside fmt, where there are none (GCC bug
  # 105651 and its relatives); with precompiled headers it forgets that these are not our files.
  target_compile_options(${target} PRIVATE -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds)
  # Fields left out of a list of fields are empty: that is what we mean.
  target_compile_options(${target} PRIVATE -Wno-missing-field-initializers)
  # Assertions name files as the repository does, whatever machine compiled them.
  target_compile_options(${target} PRIVATE -ffile-prefix-map=${PROJECT_SOURCE_DIR}/=)
  # The baseline every x86-64 processor since 2009 has. Wider instruction sets are chosen at run time, never
  # by the machine that happened to compile.
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
    target_compile_options(${target} PRIVATE -march=x86-64-v2)
  endif()
  if(ALEATOR_SANITIZE OR ALEATOR_SANITIZE_THREADS)
    # The instrumentation itself confuses these two; the release build judges them.
    target_compile_options(${target} PRIVATE -Wno-error=maybe-uninitialized -Wno-error=array-bounds)
    # Eigen allocates differently under sanitizers; files with and without them must agree.
    target_compile_definitions(${target} PUBLIC EIGEN_MALLOC_ALREADY_ALIGNED=1)
  endif()
  # clang does not know all of these options. Masks have no &&, and a bool is the mask of one realization.
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    target_compile_options(${target} PRIVATE -Wno-unknown-warning-option -Wno-unused-command-line-argument -Wno-bitwise-instead-of-logical -Wno-missing-braces)
  endif()
endfunction()

# aleator_position_independent(TARGET...): for the program and for shared libraries alike, such as the module of the Python package. No
# function is replaced by another library's, so that calls are inlined as in a program.
function(aleator_position_independent)
  set_target_properties(${ARGN} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  foreach(target IN LISTS ARGN)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fno-semantic-interposition>)
  endforeach()
endfunction()

# Instrumentation is a property of the whole build: what is linked together must agree.
# Without -g, which takes a sixth of the time to compile: reports name functions, and those of undefined behaviour also lines.
if(ALEATOR_SANITIZE)
  add_compile_options(-O1 -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()
# sanitize_lightly(TARGET): without the checks of every single access that the address sanitizer makes as well, or that x86 does not need;
# they take a third of the time to compile. What reads files keeps them.
function(sanitize_lightly target)
  if(ALEATOR_SANITIZE)
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:Clang>:-fno-sanitize=null,alignment,vptr,object-size,pointer-overflow>)
  endif()
endfunction()
if(ALEATOR_SANITIZE_THREADS)
  add_compile_options(-O1 -g1 -fsanitize=thread)
  add_link_options(-fsanitize=thread)
endif()
