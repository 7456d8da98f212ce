# Man pages and completions, written by a program that walks the same table of commands: aleator_manual OUTDIR.
if(TARGET aleator_commands)
  file(GLOB manual_sources CONFIGURE_DEPENDS apps/manual/*.cpp)
  add_executable(aleator_manual ${manual_sources})
  aleator_compile(aleator_manual)
  target_link_libraries(aleator_manual PRIVATE aleator_commands)
  set_target_properties(aleator_manual PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
endif()
