// The largest that is read. Files may come from anywhere: beyond these a message says where and what would be right, and neither
// memory nor time is spent. docs/limits.md is the table for users, tests/unit/input_limits.cpp tries each.
#pragma once

#include <cstddef>

namespace aleator::core::input::limits {

// Text
inline constexpr std::size_t file_mib = 64;               // a model, a study, a table of a function
inline constexpr std::size_t measured_mib = 2048;         // a measured specimen
inline constexpr std::size_t nesting = 64;                // lists and mappings in each other
inline constexpr std::size_t values = 2'000'000;          // of a file, after aliases are expanded
inline constexpr std::size_t entries = 20'000;            // of a section, and parameters
inline constexpr std::size_t included_files = 1'000;      // of a model, with those that they include
inline constexpr std::size_t include_depth = 20;          // files that include each other
inline constexpr std::size_t instance_depth = 20;         // templates that use each other
inline constexpr std::size_t repetitions = 100'000;       // of one `repeat`
inline constexpr std::size_t name_length = 64;            // of a parameter
inline constexpr std::size_t expression_length = 10'000;  // characters
inline constexpr std::size_t expression_depth = 200;      // parentheses in each other
inline constexpr std::size_t expressions = 50'000;        // of a file: numbers that are not written in decimals
inline constexpr std::size_t expressions_mib = 4;         // all of them together

// Tables and functions of time
inline constexpr std::size_t table_rows = 1'000'000;  // of all tables of a model
inline constexpr std::size_t table_files_mib = 256;   // of all files with tables
inline constexpr std::size_t polynomial_terms = 100;
inline constexpr std::size_t function_pieces = 1'000'000;  // of polynomials, of all functions of time
inline constexpr std::size_t polyhedron_points = 200;      // of a domain of centres of mass
inline constexpr std::size_t polygon_corners = 10'000;
inline constexpr std::size_t mesh_files_mib = 256;  // of all meshes; of one: file_mib, and triangles: meshes/mesh.hpp

// The mechanism and its simulation
inline constexpr int beam_elements = 10'000;  // of one beam
inline constexpr int all_beam_elements = 20'000;
inline constexpr double steps = 1e9;
inline constexpr double output_times = 1e7;
inline constexpr double output_numbers = 2e8;  // times by channels of one simulation

// Studies
inline constexpr long long samples = 1'000'000'000'000;
inline constexpr long sequence_numbers = 100'000'000;  // of a Sobol or Halton sequence: points by dimensions
inline constexpr long chaos_order = 100;
inline constexpr long chaos_evaluations = 100'000'000;
inline constexpr long modes = 1000;
inline constexpr long trajectories = 1'000'000'000;
inline constexpr long univariate_order = 100, univariate_checks = 100'000;
inline constexpr std::size_t specimens = 100'000;

}  // namespace aleator::core::input::limits
