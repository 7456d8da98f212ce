// Simulated responses: realizations of the outputs that were measured.
#pragma once

#include <vector>

namespace aleator::core::inference {

struct Responses {
  std::vector<double> times;
  int channels = 0;
  std::vector<double> values;  // [realizations][times][channels]; those that failed are left out

  void append(const Responses& more) {
    times = more.times;
    channels = more.channels;
    values.insert(values.end(), more.values.begin(), more.values.end());
  }
  long count() const { return channels == 0 || times.empty() ? 0 : long(values.size() / (times.size() * channels)); }
};

}  // namespace aleator::core::inference
