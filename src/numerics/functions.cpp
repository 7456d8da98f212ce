#include "numerics/functions.hpp"

namespace aleator::core {

double sin(double x) { return functions::sin(x); }
double cos(double x) { return functions::cos(x); }
double tan(double x) { return functions::tan(x); }
double asin(double x) { return functions::asin(x); }
double acos(double x) { return functions::acos(x); }
double atan2(double y, double x) { return functions::atan2(y, x); }
double tanh(double x) { return functions::tanh(x); }
double exp(double x) { return functions::exp(x); }
double log(double x) { return functions::log(x); }

}  // namespace aleator::core
