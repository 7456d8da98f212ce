#include "reliability/first_order.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>

#include "base/rounded.hpp"
#include "reliability/linearised.hpp"
#include "reliability/normal_law.hpp"
#include "reliability/normal_numbers.hpp"
#include "reliability/weighted_sample.hpp"

namespace aleator::core::reliability {
namespace {

using End = DesignSearch::End;

std::string limit_name(std::size_t l) { return "limit #" + std::to_string(l); }

std::string why_not(const DesignSearch& s, std::size_t l) {
  const std::string beyond_reach = std::to_string(static_cast<int>(s.reach));
  const std::string side = s.at_origin[l] > 0 ? " is passed everywhere within " : " is not reached within ";
  if (s.ends[l] == End::failing) return "simulations around the medians of the random quantities failed";
  if (s.ends[l] == End::flat)
    return limit_name(l) + " does not depend on any random quantity: its excess is the same for all of them";
  if (s.ends[l] == End::curved)
    return limit_name(l) +
           " does not follow the linear part of its excess, which design points in so many random numbers rest on";
  return limit_name(l) + side + beyond_reach + " standard deviations of the medians, as far as gradients lead";
}

}  // namespace

std::string in_words(double probability) {
  char text[40];
  std::snprintf(text, sizeof text, "%.2g", probability);
  return text;
}

std::string in_words(double probability, double cov) { return with_error(probability, probability * cov); }

void require_points(const DesignSearch& s) {
  if (!s.points.empty()) return;
  std::string text;
  for (std::size_t l = 0; l < s.ends.size(); ++l) text += (l > 0 ? "; " : "no design point: ") + why_not(s, l);
  throw std::invalid_argument(text + ". Check the limits, or use subset-simulation, which needs no gradients");
}

void doubts_of_search(const DesignSearch& s, results::Reliability& found) {
  for (std::size_t l = 0; l < s.ends.size(); ++l) {
    if (s.ends[l] == End::found) continue;
    found.doubts.push_back("No design point was found for one of the limits: " + why_not(s, l) +
                           ". Its probability is taken as " + (s.at_origin[l] > 0 ? "1." : "0.") +
                           " Compare with subset-simulation.");
  }
  for (const DesignPoint& p : s.points) {
    if (p.converged) continue;
    char beta[32];
    std::snprintf(beta, sizeof beta, "%.3g", p.beta);
    found.doubts.push_back(
        "The search for the design point of " + limit_name(p.limit) + " did not settle (the best point has β = " + beta +
        "). The limit state may have a corner there, as where the largest value jumps from one peak to another, or the "
        "simulations may be too inaccurate for gradients. Compare with subset-simulation.");
  }
}

void report_points(const DesignSearch& s, results::Reliability& found) {
  for (const DesignPoint& p : s.points) {
    results::Reliability::DesignPoint r;
    r.limit = std::to_string(p.limit);
    r.beta = p.beta;
    r.u = p.u;
    for (const double a : p.alpha) r.importance.push_back(a * a);
    r.form = normal_tail(p.beta);
    r.converged = p.converged;
    found.design_points.push_back(std::move(r));
  }
}

std::vector<double> first_order(const DesignSearch& s, std::size_t limits, std::uint64_t seed) {
  std::vector<double> of;
  std::vector<HalfSpace> all;
  bool certain = false;
  for (std::size_t l = 0; l < limits; ++l) {
    std::vector<HalfSpace> own;
    for (const DesignPoint& p : s.points) {
      if (p.limit == l) own.push_back({p.alpha, p.beta});
    }
    all.insert(all.end(), own.begin(), own.end());
    const bool always = own.empty() && s.at_origin[l] > 0;
    certain = certain || always;
    of.push_back(always ? 1 : probability_of_union(own, seed));
  }
  of.push_back(certain ? 1 : probability_of_union(all, seed));
  return of;
}

NormalMixture about_points(const DesignSearch& s, std::size_t dimension) {
  std::vector<std::vector<double>> centres;
  std::vector<double> shares;
  double most = 0;
  for (const DesignPoint& p : s.points) most = std::max(most, normal_tail(p.beta));
  for (const DesignPoint& p : s.points) {
    centres.push_back(p.u);
    shares.push_back(std::max(normal_tail(p.beta), 0.1 * most));  // enough of each to see whether it is right
  }
  return about(centres, shares, dimension, defensive_share);
}

Procedure weighted_sample(Space space, NormalMixture mixture, long n, std::uint64_t purpose, std::string phase, Harvest& harvest,
                          results::Reliability& found, Share share) {
  const std::size_t before = harvest.members.size();
  Request request;
  request.phase = phase;
  request.of_parts = share.counts(n, 0, n);
  for (long k = share.begin(n); k < share.end(n); ++k) {
    const std::uint64_t number = static_cast<std::uint64_t>(found.simulations + k);
    request.points.push_back({mixture.draw(space.seed, number, purpose), random_word({space.seed, number, purpose}, 1)});
  }
  const std::vector<Point> points = request.points;
  const std::vector<Response> y = co_await ask(std::move(request));
  found.simulations += static_cast<long>(y.size());
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (!y[i].ok()) {
      ++found.failed;
      continue;
    }
    harvest.members.push_back({points[i], y[i].excess, std::exp(mixture.log_ratio(points[i].u))});
  }
  // Weights are for all members together; what failed is left out.
  const double grown = static_cast<double>(harvest.members.size());
  for (std::size_t i = 0; i < harvest.members.size(); ++i)
    harvest.members[i].weight *= (i < before ? static_cast<double>(before) : 1.0) / grown;
}

void judge(const std::vector<double>& probabilities, const Harvest& check, const std::string& method,
           results::Reliability& found) {
  const int last = static_cast<int>(probabilities.size()) - 1;
  for (int i = 0; i <= last; ++i) {
    const double p = probabilities[static_cast<std::size_t>(i)];
    const WeightedEstimate e = estimate(check, i == last ? event : i);
    results::Reliability::Probability r;
    r.probability = p;
    if (e.failing > 0 && p > 0) {
      // Its error is how far the sample is away, as far as that is known.
      const results::Reliability::Probability sampled = probability_of(e.probability, e.cov);
      r.cov = std::hypot(e.probability / p - 1, e.cov * e.probability / p);
      r.lower = std::min(p, sampled.lower);
      r.upper = std::max(p, sampled.upper);
    } else {
      r.cov = 1;
      r.lower = 0;
      r.upper = std::min(1.0, std::max(3 * p, 1e-300));
    }
    found.of.push_back(r);
    if (i != last) continue;
    const std::string start = "The " + method + " probability " + in_words(p) + " is doubtful: ";
    const std::string number = std::to_string(check.members.size());
    if (e.failing == 0) {
      if (p > 1e-300 && p < 0.999) {
        found.doubts.push_back(start + "none of " + number +
                               " realizations drawn about the design points fails. Compare with subset-simulation.");
      }
      continue;
    }
    const double ratio = std::max(e.probability / p, p / e.probability);
    if (ratio > std::max(1.5, 1 + 3 * e.cov)) {
      found.doubts.push_back(
          start + number + " realizations drawn about the design points give " + in_words(e.probability, e.cov) +
          ". The limit state is curved there, or the event has other parts. Use importance-sampling or subset-simulation.");
    } else if (e.effective < 10 || e.cov > 0.5) {
      found.doubts.push_back(start + number + " realizations drawn about the design points give " +
                             in_words(e.probability, e.cov) +
                             ", too uncertain to confirm it. Use importance-sampling or subset-simulation.");
    }
  }
}

}  // namespace aleator::core::reliability
