# How everything is compiled.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
# -O3 for the block kernels. Assertions stay on: they guard invariants outside the time loop and cost nothing there.
set(CMAKE_CXX_FLAGS_RELEASE "-O3")
set(CMAKE_CXX_FLAGS_DEBUG "-Og -g")

# No contraction, so that rounding is what the text says, in scalars and lanes alike; no errno, so that sqrt stays an instruction.
add_compile_options(-Wall -Wextra -Wshadow -Werror -ffp-contract=off -fno-math-errno)
# Lanes are ours: g++ 12 makes the scalar kernels slower (the sparse LU by 1.8) when it vectorises across them.
add_compile_options(-fno-tree-vectorize -fno-tree-slp-vectorize)
# g++ 12 sees overlapping copies in "text" + string(), and writes past the end inside fmt, where there are none (GCC bug
# 105651 and its relatives).
add_compile_options(-Wno-restrict -Wno-stringop-overflow)
# Fields left out of a list of fields are empty: that is what we mean.
add_compile_options(-Wno-missing-field-initializers)

# The baseline every x86-64 processor since 2009 has. Wider instruction sets are chosen at run time, never
# by the machine that happened to compile.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
  add_compile_options(-march=x86-64-v2)
endif()

if(ALEATOR_SANITIZE)
  add_compile_options(-O1 -g1 -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  # The instrumentation itself confuses these two; the release build judges them.
  add_compile_options(-Wno-error=maybe-uninitialized -Wno-error=array-bounds)
  add_link_options(-fsanitize=address,undefined)
endif()

if(ALEATOR_FUZZ)
  add_compile_options(-O1 -g1)
endif()
# clang warns of other things than g++, which judges; and it knows only some of the options above.
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  add_compile_options(-Wno-everything)
endif()

if(ALEATOR_SANITIZE_THREADS)
  add_compile_options(-O1 -g1 -fsanitize=thread -Wno-error=maybe-uninitialized -Wno-error=array-bounds)
  add_link_options(-fsanitize=thread)
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Paths relative to the sources, so that another clone of the same text finds what this one compiled.
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${CCACHE_PROGRAM})
endif()
