// Quantiles of the standard normal law on any scalar (Wichura 1988, AS 241): relative errors of 1e-16, also far in the tail.
#pragma once

#include <type_traits>

#include "numerics/functions.hpp"

namespace aleator::core {

namespace normal {
using functions::detail::polynomial;

// z/q for q = p − ½, |q| ≤ 0.425; −z for r = √(−ln p) up to 5, and beyond.
template <class T>
ALEATOR_INLINE T central(const T& q) {
  const T x = T(0.180625) - q * q;
  return polynomial(x, {2.5090809287301226727e+3, 3.3430575583588128105e+4, 6.7265770927008700853e+4, 4.5921953931549871457e+4,
                        1.3731693765509461125e+4, 1.9715909503065514427e+3, 1.3314166789178437745e+2, 3.3871328727963666080e0}) /
         polynomial(x, {5.2264952788528545610e+3, 2.8729085735721942674e+4, 3.9307895800092710610e+4, 2.1213794301586595867e+4,
                        5.3941960214247511077e+3, 6.8718700749205790830e+2, 4.2313330701600911252e+1, 1.0});
}
template <class T>
ALEATOR_INLINE T middle(const T& r) {
  const T x = r - T(1.6);
  return polynomial(x, {7.74545014278341407640e-4, 2.27238449892691845833e-2, 2.41780725177450611770e-1, 1.27045825245236838258e0,
                        3.64784832476320460504e0, 5.76949722146069140550e0, 4.63033784615654529590e0, 1.42343711074968357734e0}) /
         polynomial(x,
                    {1.05075007164441684324e-9, 5.47593808499534494600e-4, 1.51986665636164571966e-2, 1.48103976427480074590e-1,
                     6.89767334985100004550e-1, 1.67638483018380384940e0, 2.05319162663775882187e0, 1.0});
}
template <class T>
ALEATOR_INLINE T far(const T& r) {
  const T x = r - T(5);
  return polynomial(x,
                    {2.01033439929228813265e-7, 2.71155556874348757815e-5, 1.24266094738807843860e-3, 2.65321895265761230930e-2,
                     2.96560571828504891230e-1, 1.78482653991729133580e0, 5.46378491116411436990e0, 6.65790464350110377720e0}) /
         polynomial(x,
                    {2.04426310338993978564e-15, 1.42151175831644588870e-7, 1.84631831751005468180e-5, 7.86869131145613259100e-4,
                     1.48753612908506148525e-2, 1.36929880922735805310e-1, 5.99832206555887937690e-1, 1.0});
}

}  // namespace normal

// The z with Φ(z) = p, for 0 < p ≤ ½: z ≤ 0.
template <class T>
ALEATOR_INLINE T lower_normal_quantile(const T& p) {
  const T q = p - T(0.5);
  const auto near = abs(q) <= T(0.425);
  if constexpr (std::is_same_v<T, double>)  // the same, without what is not needed
    if (near) return q * normal::central(q);
  const T r = sqrt(-log(p));
  if constexpr (std::is_same_v<T, double>) return -(r <= 5 ? normal::middle(r) : normal::far(r));
  return select(near, q * normal::central(q), -select(r <= T(5), normal::middle(r), normal::far(r)));
}

// With these probabilities below and above; the smaller tail has more digits.
template <class T>
ALEATOR_INLINE T normal_between(const T& below, const T& above) {
  const auto lower = below < above;
  const T z = lower_normal_quantile(select(lower, below, above));
  return select(lower, z, -z);
}

}  // namespace aleator::core
