// The motion of a mechanism as a series of files for ParaView.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "results/run.hpp"

namespace aleator::core::report {

// One time as VTK polydata (.vtp): triangles in inertial axes, of each the number and the name of its body.
std::string vtk_frame(const results::Run& run, std::size_t time);

// The list of the series (.pvd): which file belongs to which time.
std::string vtk_series(const std::vector<double>& times, const std::vector<std::string>& files);

}  // namespace aleator::core::report
