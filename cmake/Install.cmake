# cmake --install: program, library, headers, and what find_package(Aleator) needs.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Aleator)
install(TARGETS aleator_engine aleator EXPORT AleatorTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT AleatorTargets NAMESPACE Aleator:: DESTINATION ${config_dir})
install(DIRECTORY include/aleator DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(TARGET aleator_app)
  install(TARGETS aleator_app RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/AleatorConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES cmake/AleatorConfig.cmake cmake/AleatorDependencies.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/AleatorConfigVersion.cmake DESTINATION ${config_dir})
