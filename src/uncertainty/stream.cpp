#include "uncertainty/stream.hpp"

#include <Random123/philox.h>

#include <cmath>

#include "uncertainty/variates.hpp"

namespace aleator::core {

Stream::Stream(std::uint64_t seed, std::uint64_t realization, std::uint64_t quantity, std::uint64_t replicate)
    : counter_{0, realization, quantity, replicate}, key_{seed, 0} {}

double Stream::uniform() {
  if (used_ == 4) {
    const auto words = r123::Philox4x64{}(r123::Philox4x64::ctr_type{{counter_[0], counter_[1], counter_[2], counter_[3]}},
                                          r123::Philox4x64::key_type{{key_[0], key_[1]}});
    for (int i = 0; i < 4; ++i) words_[i] = words[i];
    ++counter_[0];
    used_ = 0;
  }
  return (static_cast<double>(words_[used_++] >> 12) + 0.5) * 0x1p-52;
}

double Stream::normal() {
  const double u = uniform();
  return normal_variate(u, uniform());
}

double Stream::gamma(double shape) {
  // For shape < 1: gamma(shape) = gamma(shape + 1) u^(1/shape).
  if (shape < 1) {
    const double larger = gamma(shape + 1);
    return larger * std::pow(uniform(), 1 / shape);
  }
  const GammaTry of(shape);
  for (;;) {
    const double x = normal();
    const TriedGamma<double> t = tried_gamma(of.d, of.c, x, uniform());
    if (t.accepted) return t.value;
  }
}

}  // namespace aleator::core
