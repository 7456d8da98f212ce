# cmake --install: the program with its modules, manual pages, completions, schemas, examples and documents (component Runtime); the
# library, its headers, and what find_package(Aleator) needs (component Development).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(doc_dir ${CMAKE_INSTALL_DATAROOTDIR}/doc/aleator)

# --- Runtime; the modules are installed where they are made (cmake/OpenTurns.cmake) ---
if(TARGET aleator_app)
  set_target_properties(aleator_app PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)  # libraries may be anywhere
  install(TARGETS aleator_app RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT Runtime)
  install(DIRECTORY schema DESTINATION ${CMAKE_INSTALL_DATADIR}/aleator COMPONENT Runtime)
  install(DIRECTORY examples DESTINATION ${doc_dir} COMPONENT Runtime)
  file(GLOB documents CONFIGURE_DEPENDS docs/*.md)
  install(FILES ${documents} DESTINATION ${doc_dir}/docs COMPONENT Runtime)
  install(DIRECTORY docs/images DESTINATION ${doc_dir}/docs COMPONENT Runtime PATTERN "*.py" EXCLUDE)
  install(FILES README.md CHANGELOG.md CITATION.cff LICENSE DESTINATION ${doc_dir} COMPONENT Runtime)
endif()

# Manual pages and completions, written by a program of its own from the tables of the command line.
if(TARGET aleator_manual)
  set(manual_dir ${CMAKE_CURRENT_BINARY_DIR}/manual)
  add_custom_command(OUTPUT ${manual_dir}/written COMMAND aleator_manual ${manual_dir} COMMAND ${CMAKE_COMMAND} -E touch ${manual_dir}/written
                     DEPENDS aleator_manual COMMENT "Writing manual pages and completions" VERBATIM)
  add_custom_target(aleator_manual_pages ALL DEPENDS ${manual_dir}/written)
  # Not there when only the program was built.
  install(DIRECTORY ${manual_dir}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT Runtime OPTIONAL)
  install(FILES ${manual_dir}/completions/aleator.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME aleator
          COMPONENT Runtime OPTIONAL)
  install(FILES ${manual_dir}/completions/_aleator DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions COMPONENT Runtime
          OPTIONAL)
endif()

# --- Development ---
set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Aleator)
install(TARGETS aleator_engine aleator EXPORT AleatorTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT Development)
install(EXPORT AleatorTargets NAMESPACE Aleator:: DESTINATION ${config_dir} COMPONENT Development)
install(DIRECTORY include/aleator DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT Development)
configure_package_config_file(cmake/AleatorConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/AleatorConfig.cmake INSTALL_DESTINATION ${config_dir}
                              PATH_VARS ALEATOR_MODULE_DIR NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/AleatorConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/AleatorConfig.cmake cmake/AleatorDependencies.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/AleatorConfigVersion.cmake DESTINATION ${config_dir} COMPONENT Development)
