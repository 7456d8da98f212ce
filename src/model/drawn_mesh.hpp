// A mesh as results keep it: few enough triangles to be drawn, in one list of numbers.
#pragma once

#include <cstddef>
#include <vector>

#include "model/mass_properties.hpp"

namespace aleator::core {

// So many triangles of one shape and of all, with which a report stays a file of a few megabytes.
inline constexpr std::size_t drawn_triangles = 20'000, all_drawn_triangles = 100'000;

// How many points, their coordinates (m, in the axes of the shape), and the corners of each triangle, counter-clockwise from outside.
std::vector<double> drawn_mesh(const DrawnShape& shape, std::size_t most);

}  // namespace aleator::core
