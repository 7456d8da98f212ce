// Power spectral densities of channels, averaged over realizations: the same numbers on however many threads.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "analysis/moments.hpp"
#include "numerics/welch.hpp"
#include "results/study.hpp"

namespace aleator::core::analysis {

struct SpectrumSettings {
  int channel = 0;
  double from = 0, segment = 0;  // s (numerics/welch.hpp)
};

class SpectrumEstimator {
 public:
  SpectrumEstimator(std::span<const SpectrumSettings> settings, std::span<const double> times, std::size_t channels,
                    std::size_t replicates);

  void add(std::span<const double> values, std::size_t replicate);  // [times][channels], all finite
  // The interval is that of a positive number, mean · exp(± 2 error/mean); with few realizations errors are larger, by Student's t.
  std::vector<results::Spectrum> finish(std::span<const double> nominal) const;

  void save(const PutState& put) const;
  void load(StateReader& from);
  void append(const SpectrumEstimator& later);
  void clear();

 private:
  struct One {
    SpectrumSettings settings;
    Welch welch;
    Moments all;
    std::vector<Moments> parts;  // [replicates], when there are several
  };
  std::vector<One> of_;
  std::size_t channels_;
};

}  // namespace aleator::core::analysis
