#include "reliability/elementary_events.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <stdexcept>
#include <string>

#include "reliability/normal_law.hpp"
#include "reliability/normal_numbers.hpp"
#include "reliability/vectors.hpp"
#include "reliability/weighted_sample.hpp"

namespace aleator::core::reliability {
namespace elementary {  // not nameless: what a coroutine keeps must have linkage where files are compiled together

// Responses of the channels that have limits.
struct LinearResponse {
  std::size_t times = 0, channels = 0;
  std::vector<ChannelLimit> limits;
  std::vector<std::size_t> rows;  // [limits] which channel of those that are kept
  std::vector<std::size_t> kept;  // their places among all channels
  std::vector<double> start;      // [kept · times] x_t(0)
  dense::MatrixXd gradients;      // [u][kept · times] a_t

  explicit LinearResponse(const std::vector<ChannelLimit>& of) : limits(of) {
    for (const ChannelLimit& l : limits) {
      const std::size_t channel = static_cast<std::size_t>(l.channel);
      const auto at = std::find(kept.begin(), kept.end(), channel);
      rows.push_back(static_cast<std::size_t>(at - kept.begin()));
      if (at == kept.end()) kept.push_back(channel);
    }
    channels = static_cast<std::size_t>(limits[0].channels);
  }
  std::vector<double> values_of(const Response& r) const {
    std::vector<double> x;
    for (const std::size_t c : kept) {
      for (std::size_t t = 0; t < times; ++t) x.push_back(r.values[t * channels + c]);
    }
    return x;
  }
  std::size_t place(std::size_t limit, std::size_t t) const { return rows[limit] * times + t; }
  // By how much the limit is passed by a value.
  double beyond_limit(std::size_t limit, double x) const {
    return limits[limit].above ? x - limits[limit].threshold : limits[limit].threshold - x;
  }
};

// The events, their probabilities, and how to draw from them.
struct ElementaryEvents {
  std::vector<double> deviation;         // [kept · times] |a_t|
  std::vector<double> beta, cumulative;  // [limits · times]
  double total = 0;

  explicit ElementaryEvents(const LinearResponse& x) {
    for (dense::Index j = 0; j < x.gradients.cols(); ++j) deviation.push_back(x.gradients.col(j).norm());
    for (std::size_t l = 0; l < x.limits.size(); ++l) {
      for (std::size_t t = 0; t < x.times; ++t) {
        const std::size_t j = x.place(l, t);
        const double margin = -x.beyond_limit(l, x.start[j]);
        beta.push_back(deviation[j] > 0 ? margin / deviation[j] : std::copysign(40.0, margin));
        total += normal_tail(beta.back());
        cumulative.push_back(total);
      }
    }
  }
  std::size_t choose(double uniform) const {
    const auto i = std::upper_bound(cumulative.begin(), cumulative.end(), uniform * total);
    return std::min(static_cast<std::size_t>(i - cumulative.begin()), cumulative.size() - 1);
  }
};

// How far the simulated values are from the linear ones, as a share of the largest deviation.
double misfit(const LinearResponse& x, const ElementaryEvents& events, const Point& point, const Response& simulated) {
  const dense::VectorXd change = x.gradients.transpose() * as_vector(point.u);
  const std::vector<double> values = x.values_of(simulated);
  double worst = 0, scale = *std::max_element(events.deviation.begin(), events.deviation.end());
  for (std::size_t j = 0; j < values.size(); ++j)
    worst = std::max(worst, std::abs(values[j] - x.start[j] - change(static_cast<dense::Index>(j))));
  return scale > 0 ? worst / scale : std::numeric_limits<double>::infinity();
}

// Realizations of the union.
struct Drawn {
  Point point;
  double share = 0;          // 1 / (number of events it lies in)
  std::vector<bool> limits;  // passed
};
// Numbers first, first + 1, … of the sample; together, so that their responses are one product of matrices.
std::vector<Drawn> draw_events(const LinearResponse& x, const ElementaryEvents& events, std::uint64_t seed, std::uint64_t first,
                               std::size_t n) {
  std::vector<Drawn> all(n);
  std::vector<std::size_t> own(n);
  dense::MatrixXd points(x.gradients.rows(), static_cast<dense::Index>(n));
  for (std::size_t k = 0; k < n; ++k) {
    const Source source{seed, first + k, 0x6576656e7473};
    std::vector<double>& z = all[k].point.u;
    z.resize(static_cast<std::size_t>(x.gradients.rows()));
    fill_normals(source, z);
    own[k] = events.choose(uniform_number(source, 0));
    const std::size_t limit = own[k] / x.times, j = x.place(limit, own[k] % x.times);
    if (events.deviation[j] > 0) {
      Eigen::Map<dense::VectorXd> u(z.data(), static_cast<dense::Index>(z.size()));
      const auto a = x.gradients.col(static_cast<dense::Index>(j)) * ((x.limits[limit].above ? 1 : -1) / events.deviation[j]);
      u += (beyond(events.beta[own[k]], uniform_number(source, 1)) - a.dot(u)) * a;
    }
    points.col(static_cast<dense::Index>(k)) = as_vector(z);
  }
  const dense::MatrixXd change = dense::transposed_times(x.gradients, points);
  for (std::size_t k = 0; k < n; ++k) {
    long inside = 0;
    all[k].limits.assign(x.limits.size(), false);
    for (std::size_t l = 0; l < x.limits.size(); ++l) {
      for (std::size_t t = 0; t < x.times; ++t) {
        const std::size_t j = x.place(l, t);
        const double value = x.start[j] + change(static_cast<dense::Index>(j), static_cast<dense::Index>(k));
        if (l * x.times + t != own[k] && !(x.beyond_limit(l, value) > 0)) continue;  // its own may be missed by round-off
        ++inside;
        all[k].limits[l] = true;
      }
    }
    all[k].share = 1.0 / static_cast<double>(inside);
  }
  return all;
}

struct Mean {
  double sum = 0, squares = 0, n = 0;
  void add(double x) {
    sum += x;
    squares += x * x;
    n += 1;
  }
  double mean() const { return sum / n; }
  double cov() const {
    return sum > 0 ? std::sqrt(std::max(0.0, squares / n - mean() * mean()) / n) / mean()
                   : std::numeric_limits<double>::quiet_NaN();
  }
};

}  // namespace elementary

using namespace elementary;

Procedure elementary_events(Space space, Settings settings, std::vector<ChannelLimit> linear, results::Reliability& found,
                            Harvest& harvest) {
  const std::size_t batch = 256, tests = 8, verified = 100;
  const double tolerance = 0.01;  // of the largest standard deviation: what integration and interpolation may differ by

  // What each number does.
  LinearResponse x(linear);
  for (std::size_t first = 0; first <= space.dimension; first += batch) {
    Request request;
    request.phase = "response to each random number";
    request.with_values = true;
    for (std::size_t i = first; i < std::min(first + batch, space.dimension + 1); ++i) {
      Point p;
      p.u.assign(space.dimension, 0.0);
      if (i > 0) p.u[i - 1] = 1;
      request.points.push_back(std::move(p));
    }
    const std::vector<Response> y = co_await ask(std::move(request));
    found.simulations += static_cast<long>(y.size());
    for (std::size_t k = 0; k < y.size(); ++k) {
      if (!y[k].ok() || y[k].values.empty()) {
        throw std::invalid_argument(
            "a simulation with a single random number failed, so that the linear response is not known: use subset-simulation");
      }
      if (first + k == 0) {
        x.times = y[0].values.size() / x.channels;
        x.start = x.values_of(y[0]);
        x.gradients.resize(static_cast<dense::Index>(space.dimension), static_cast<dense::Index>(x.start.size()));
        continue;
      }
      const std::vector<double> values = x.values_of(y[k]);
      for (std::size_t j = 0; j < values.size(); ++j) {
        x.gradients(static_cast<dense::Index>(first + k - 1), static_cast<dense::Index>(j)) = values[j] - x.start[j];
      }
    }
  }
  const ElementaryEvents events(x);
  if (!(events.total > 0)) {
    throw std::invalid_argument("the limits are out of reach of the linear response: no probability above 1e-300");
  }

  // Realizations of the event, with weights; no simulations.
  const std::uint64_t seed = space.seed;
  std::vector<Mean> mean(space.limits + 1);
  std::vector<Mean> parts(4);
  std::vector<Drawn> drawn;
  const double goal = settings.accuracy > 0 ? settings.accuracy : 0.03;
  const long least = 512, most = 20480, together = 128;
  for (long first_one = 0; first_one < most && (first_one < least || mean.back().cov() > goal); first_one += together) {
    std::vector<Drawn> more = draw_events(x, events, seed, static_cast<std::uint64_t>(first_one), together);
    for (std::size_t k = 0; k < more.size(); ++k) {
      const double weight = events.total * more[k].share;
      for (std::size_t l = 0; l < space.limits; ++l) mean[l].add(more[k].limits[l] ? weight : 0);
      mean.back().add(weight);
      parts[k % 4].add(weight);
      if (drawn.size() < verified) drawn.push_back(std::move(more[k]));
    }
  }

  // Is it linear, and do they fail? Realizations of the law, and some of those drawn.
  Request request;
  request.phase = "check that the response is linear";
  request.with_values = true;
  for (std::size_t k = 0; k < tests; ++k) {
    Point p;
    p.u.resize(space.dimension);
    fill_normals({seed, k, 0x6c696e656172}, p.u);
    request.points.push_back(std::move(p));
  }
  for (const Drawn& d : drawn) request.points.push_back(d.point);
  const std::vector<Point> points = request.points;
  const std::vector<Response> y = co_await ask(std::move(request));
  found.simulations += static_cast<long>(y.size());
  double worst = 0, shares = 0;
  long passed = 0, simulated = 0;
  for (std::size_t k = 0; k < y.size(); ++k) {
    if (!y[k].ok()) {
      ++found.failed;
      continue;
    }
    worst = std::max(worst, misfit(x, events, points[k], y[k]));
    if (k < tests) continue;
    ++simulated;
    if (largest_excess(y[k]) > 0) ++passed;
    shares += drawn[k - tests].share;
    harvest.members.push_back({points[k], y[k].excess, drawn[k - tests].share});
  }
  if (worst > tolerance) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f %%", 100 * worst);
    throw std::invalid_argument(
        "the model has " + std::to_string(space.dimension) +
        " random numbers and its response is not linear in them: simulations differ from the linear response by up to " + text +
        " of its largest standard deviation. Use subset-simulation");
  }
  for (auto& m : harvest.members) m.weight *= mean.back().mean() / shares;

  for (const Mean& m : mean) found.of.push_back(probability_of(m.mean(), m.cov()));
  std::vector<double> errors;
  for (const Mean& m : parts) {
    found.sets.push_back(m.mean());
    errors.push_back(m.mean() * m.cov());
  }
  found.agreement = agreement_of(found.sets, errors);
  if (passed < 0.97 * static_cast<double>(simulated)) {
    found.doubts.push_back("Of " + std::to_string(simulated) + " realizations that the linear response says fail, " +
                           std::to_string(simulated - passed) +
                           " do not when they are simulated. The response is not quite linear. Compare with subset-simulation.");
  }
}

}  // namespace aleator::core::reliability
