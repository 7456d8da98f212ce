#include "numerics/piecewise_block.hpp"

#include <cstring>

#include "base/wide.hpp"

namespace aleator::core::piecewise {

namespace {

constexpr int nodes = Block::nodes, checks = Block::checks;

// What is the same for all pieces. Nodes lie symmetrically, s_{n−1−j} = −s_j, so that sums of their values make the even coefficients and
// differences the odd ones:  c_k = (k > 0 ? 2 : 1)/n Σ_j f(s_j) cos(k θ_j),  half as many products.
struct Reference {
  static constexpr int half = nodes / 2, evens = half + 1;
  double place[Block::values];     // of nodes, s_j, falling, and of checks
  double even[evens][evens];       // [k/2][pair of nodes, the last is the middle]
  double odd[half][half];          // [(k − 1)/2][pair of nodes]
  double at_check[nodes][checks];  // T_k

  Reference() {
    const std::vector<double> cosine = cosines(nodes);
    const auto factor = [&](int j, int k) {
      return cosine[std::size_t(k * (2 * j + 1) % (4 * nodes))] * (k == 0 ? 1.0 : 2.0) / nodes;
    };
    for (int j = 0; j < nodes; ++j) place[j] = cosine[std::size_t(2 * j + 1)];
    for (int j = 0; j < evens; ++j)
      for (int k = 0; k < evens; ++k) even[k][j] = factor(j, 2 * k);
    for (int j = 0; j < half; ++j)
      for (int k = 0; k < half; ++k) odd[k][j] = factor(j, 2 * k + 1);
    for (int i = 0; i < checks; ++i) {
      const double s = place[nodes + i] = check_places[i];
      at_check[0][i] = 1, at_check[1][i] = s;
      for (int k = 2; k < nodes; ++k) at_check[k][i] = 2 * s * at_check[k - 1][i] - at_check[k - 2][i];
    }
  }
};
const Reference reference;

// Four pieces; where registers are narrower, the compiler takes two of them.
using Four = double __attribute__((vector_size(32)));
static_assert(Block::pieces % 4 == 0);

struct Columns {  // as in Block
  Four c[nodes], last, largest, slope, error;
};

ALEATOR_WIDE void compute(const Four* y, Columns& out) {
  constexpr int half = Reference::half, evens = Reference::evens;
  Four sum[evens], difference[half];
  for (int j = 0; j < half; ++j) sum[j] = y[j] + y[nodes - 1 - j], difference[j] = y[j] - y[nodes - 1 - j];
  sum[half] = y[half];
  for (int k = 0; k < evens; ++k) {
    Four r = sum[0] * reference.even[k][0];
    for (int j = 1; j < evens; ++j) r += sum[j] * reference.even[k][j];
    out.c[2 * k] = r;
  }
  for (int k = 0; k < half; ++k) {
    Four r = difference[0] * reference.odd[k][0];
    for (int j = 1; j < half; ++j) r += difference[j] * reference.odd[k][j];
    out.c[2 * k + 1] = r;
  }

  Four slope[4] = {}, largest = {}, last = {}, error = {};  // four sums side by side: none waits for another
  for (int k = 0; k < nodes; ++k) {
    const Four size = out.c[k] < 0.0 ? -out.c[k] : out.c[k];
    largest = largest < size ? size : largest;
    if (k >= degree - 2) last = last < size ? size : last;
    slope[k % 4] += double(k) * size;
  }
  for (int m = 0; m < checks; ++m) {
    Four value = out.c[0] * reference.at_check[0][m];
    for (int k = 1; k < nodes; ++k) value += out.c[k] * reference.at_check[k][m];
    const Four rest = y[nodes + m] - value;
    const Four size = rest < 0.0 ? -rest : rest;
    error = error < size ? size : error;
  }
  out.last = last, out.largest = largest, out.error = error;
  out.slope = (slope[0] + slope[1]) + (slope[2] + slope[3]);
}

}  // namespace

void Block::transform(const double* y, std::size_t stride, std::size_t count) {
  Four own[values] = {};
  Columns out;
  for (std::size_t first = 0; first < count; first += 4) {
    if (const std::size_t n = count - first; n >= 4)
      for (int j = 0; j < values; ++j) std::memcpy(&own[j], y + std::size_t(j) * stride + first, sizeof own[j]);
    else
      for (int j = 0; j < values; ++j)
        for (std::size_t i = 0; i < n; ++i) own[j][i] = y[std::size_t(j) * stride + first + i];
    compute(own, out);
    for (int k = 0; k < nodes; ++k) std::memcpy(c[k] + first, &out.c[k], sizeof(Four));
    std::memcpy(last + first, &out.last, sizeof(Four));
    std::memcpy(largest + first, &out.largest, sizeof(Four));
    std::memcpy(slope + first, &out.slope, sizeof(Four));
    std::memcpy(error + first, &out.error, sizeof(Four));
  }
}

const double* node_places() { return reference.place; }

}  // namespace aleator::core::piecewise
