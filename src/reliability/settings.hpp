// What methods for rare events are told. Defaults are those of the language (docs/model-language.md).
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace aleator::core::reliability {

// A share of the realizations, computed by a process that knows nothing of the others.
struct Share {
  long number = -1, of = 1;  // number from 0; -1: all of them

  bool divided() const { return of > 1; }
  bool single() const { return number >= 0; }
  long begin(long n) const { return single() ? boundary(n, number) : 0; }
  long end(long n) const { return single() ? boundary(n, number + 1) : n; }
  // [of] how many of the realizations first … last − 1 of n are those of each part; none where they are not divided.
  std::vector<long> counts(long n, long first, long last) const {
    std::vector<long> out;
    for (long k = 0; k < of && divided(); ++k)
      out.push_back(std::max(0L, std::min(last, boundary(n, k + 1)) - std::max(first, boundary(n, k))));
    return out;
  }

 private:
  long boundary(long n, long k) const { return n / of * k + n % of * k / of; }
};

struct Settings {
  long samples = 1000;             // per level of subset simulation, all sets together; of importance and line sampling in all
  double accuracy = 0;             // coefficient of variation to reach; 0: as many as `samples` say
  int sets = 4;                    // independent sets of chains
  double level_probability = 0.1;  // p0
  double smallest = 1e-12;         // a probability below this is not looked for
  long most = 1000000;             // simulations in all
  Share share;                     // of methods that can be divided: subset simulation, importance sampling, enhanced Monte Carlo
};

}  // namespace aleator::core::reliability
