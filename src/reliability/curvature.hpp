// Probabilities of second order: of the paraboloid v > β + ½ Σ κᵢ yᵢ², with the curvatures of the limit state at its design point.
#pragma once

#include <string>
#include <vector>

#include "reliability/design_point.hpp"

namespace aleator::core::reliability {

double breitung(double beta, const std::vector<double>& curvatures);  // asymptotic, β → ∞; NaN where 1 + βκ < 0
double hohenbichler_rackwitz(double beta, const std::vector<double>& curvatures);  // the same with φ(β)/Φ(−β) for β
double tvedt(double beta,
             const std::vector<double>& curvatures);  // exact for the paraboloid: an integral along a line in the complex plane

// Points that tell the Hessian of the excess across the design point, and what becomes of their responses: principal curvatures, rising. Empty responses of a few
// points leave those entries zero.
std::vector<Point> curvature_points(const DesignPoint& p);
std::vector<double> curvatures_of(const DesignPoint& p, const std::vector<Response>& responses);

}  // namespace aleator::core::reliability
