// Design points in hundreds or thousands of coordinates, of limits that are nearly linear in them: the gradient at the origin, one simulation per coordinate,
// leads to the limit. Whether that is so is tested on realizations of the law.
#pragma once

#include "reliability/design_point.hpp"
#include "reliability/procedure.hpp"
#include "results/reliability.hpp"

namespace aleator::core::reliability {

constexpr std::size_t most_differences = 10000;  // coordinates

Procedure find_planes(Space space, DesignSearch& out);

// Design points by these planes where there are `many` coordinates, else by a search, counted and reported. Throws where many coordinates have none.
Procedure find_points(Space space, bool many, DesignSearch& out, results::Reliability& found);

}  // namespace aleator::core::reliability
