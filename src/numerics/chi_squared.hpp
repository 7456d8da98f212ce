// The χ² law: how far a log-likelihood falls at the edge of a confidence region (Wilks), and whether squares add up to what noise explains.
#pragma once

namespace aleator::core {

double chi_squared_probability(double x, double freedom);  // P(χ²_ν ≤ x) = P(ν/2, x/2), the regularised incomplete gamma function
double chi_squared_tail(double x, double freedom);         // P(χ²_ν > x), also where it is tiny
double chi_squared_mean_log(double freedom);               // E{ln χ²_ν} = ln 2 + ψ(ν/2)
double chi_squared_quantile(double p, double freedom);  // the x with P(χ²_ν ≤ x) = p, 0 ≤ p < 1

}  // namespace aleator::core
