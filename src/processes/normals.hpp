// Standard normal numbers of a process: a function of its draw and its name alone (Philox4x64-10, Box–Muller).
#pragma once

#include <span>
#include <string_view>

namespace aleator::core::processes {

void fill_normals(double draw, std::string_view name, std::span<double> out);

}  // namespace aleator::core::processes
