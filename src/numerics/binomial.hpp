// What `count` of n independent trials say about a probability.
#pragma once

namespace aleator::core {

struct BinomialInterval {
  double low, high;
};

// The interval of Clopper and Pearson (1934): whatever the probability is, it lies inside with at least this confidence, and it is below,
// or above, with at most half of the rest each. None of n: 0 to 1 − (0.025)^(1/n) with 95 %, some 3.7/n.
BinomialInterval clopper_pearson(double count, double n, double confidence = 0.95);

}  // namespace aleator::core
