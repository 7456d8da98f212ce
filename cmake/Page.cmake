# The report's page: web/ is bundled once by esbuild and compiled in. npm installs what the lock file names, when it is not there.
# Without ALEATOR_REPORT the files are empty, and write_report() says so.
enable_language(ASM)
set(page_dir ${CMAKE_CURRENT_BINARY_DIR}/page)
set(page_files ${page_dir}/page.js ${page_dir}/page.css ${page_dir}/page.sha256)
if(ALEATOR_REPORT)
  find_program(NODE_EXECUTABLE node)
  if(NOT NODE_EXECUTABLE)
    message(FATAL_ERROR "Node.js was not found (Debian packages nodejs and npm): it bundles the page of reports; "
                        "-DALEATOR_REPORT=OFF builds without them")
  endif()
  mark_as_advanced(NODE_EXECUTABLE)
  set(page_modules program)
  if(ALEATOR_TESTS)
    set(page_modules tests)  # also a browser's driver and the type checker
  endif()
  file(GLOB_RECURSE page_sources CONFIGURE_DEPENDS web/src/*.ts web/src/*.css)
  add_custom_command(
    OUTPUT ${page_files}
    COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/scripts/page-modules ${page_modules}
    COMMAND ${NODE_EXECUTABLE} web/build.mjs ${page_dir}
    DEPENDS ${page_sources} web/build.mjs web/package.json web/package-lock.json scripts/page-modules
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}
    COMMENT "Bundling the page of reports" VERBATIM)
else()
  foreach(file IN LISTS page_files)
    file(WRITE ${file} "")
  endforeach()
endif()
add_custom_target(aleator_page DEPENDS ${page_dir}/page.js)
add_dependencies(aleator aleator_page)
target_sources(aleator PRIVATE src/report/page_assets.S)
set_source_files_properties(src/report/page_assets.S PROPERTIES
  COMPILE_OPTIONS "-Wa,-I,${page_dir}" OBJECT_DEPENDS "${page_files}")
