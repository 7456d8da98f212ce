// How often ± two standard errors cover the truth: method by method, statistic by statistic, over many seeds. The truth is a long
// Sobol sequence of the same model, whose error is a hundredth of those that are judged.
#pragma once

#include <fmt/format.h>

#include <aleator/aleator.hpp>
#include <cmath>
#include <map>
#include <string>
#include <vector>

namespace aleator::test {

struct Covered {
  long covered = 0, stated = 0, all = 0;  // within two standard errors, of those with an error, of all
  double square = 0;                      // Σ (deviation / standard error)²
  std::vector<double> of_seeds;           // share of each seed
  double share() const { return stated > 0 ? double(covered) / double(stated) : 1; }
  // Its standard error: numbers of one seed go together, seeds do not.
  double share_error() const {
    double mean = 0, square_sum = 0;
    const double n = double(of_seeds.size());
    for (const double x : of_seeds) mean += x / n;
    for (const double x : of_seeds) square_sum += (x - mean) * (x - mean);
    return n > 1 ? std::sqrt(square_sum / (n * (n - 1))) : 0;
  }
  double rms() const { return stated > 0 ? std::sqrt(square / double(stated)) : 0; }

  // `unsure`: what the truth itself may be off by.
  void add(double value, double error, double truth, double unsure) {
    ++all;
    if (std::isnan(error)) return;
    ++stated;
    error = std::hypot(error, unsure);
    const double off = std::abs(value - truth);
    covered += off <= 2 * error;
    square += off == 0 ? 0 : std::min(1e6, off * off / (error * error));
  }

  void add_seed(const Covered& seed) {
    covered += seed.covered, stated += seed.stated, all += seed.all, square += seed.square;
    if (seed.stated > 0) of_seeds.push_back(seed.share());
  }
};

using Coverage = std::map<std::string, Covered>;  // by statistic

// What is asked of one study against the truth. Times at which next to nothing scatters, and probabilities that are next to certain,
// are no questions.
constexpr double exact = 2e-5;  // of a standard deviation: the truth of 2¹⁷ realizations, by two of its seeds
inline void judge(const StudyResult& study, const StudyResult& truth, Coverage& out) {
  for (std::size_t c = 0; c < truth.statistics.size(); ++c) {
    const OutputStatistics &x = study.statistics[c], &y = truth.statistics[c];
    double most = 0;
    for (const double s : y.std) most = std::max(most, s);
    for (std::size_t t = 0; t < y.std.size(); ++t) {
      if (y.std[t] < 0.05 * most) continue;
      out["mean"].add(x.mean[t], x.mean_error[t], y.mean[t], exact * y.std[t]);
      out["std"].add(x.std[t], x.std_error[t], y.std[t], exact * y.std[t]);
      out["band"].add(x.lower[t], x.lower_error[t], y.lower[t], 30 * exact * y.std[t]);
      out["band"].add(x.upper[t], x.upper_error[t], y.upper[t], 30 * exact * y.std[t]);
    }
  }
  const auto asked = [](double p) { return p > 0.03 && p < 0.97; };
  for (std::size_t l = 0; l < truth.limits.size(); ++l) {
    const LimitStatistics &x = study.limits[l], &y = truth.limits[l];
    for (std::size_t t = 0; t < y.probability.size(); ++t)
      if (asked(y.probability[t])) out["probability"].add(x.probability[t], x.error[t], y.probability[t], 10 * exact);
    if (asked(y.ever.value)) out["ever"].add(x.ever.value, x.ever.error, y.ever.value, 10 * exact);
  }
  for (std::size_t i = 0; i < truth.scalars.size(); ++i) {
    const ScalarStatistics &x = study.scalars[i], &y = truth.scalars[i];
    out["scalar mean"].add(x.mean.value, x.mean.error, y.mean.value, exact * y.std.value);
    out["scalar std"].add(x.std.value, x.std.error, y.std.value, exact * y.std.value);
    out["scalar band"].add(x.lower.value, x.lower.error, y.lower.value, 30 * exact * y.std.value);
    out["scalar band"].add(x.upper.value, x.upper.error, y.upper.value, 30 * exact * y.std.value);
  }
  for (std::size_t c = 0; c < std::min(study.sobol.size(), truth.sobol.size()); ++c)
    for (std::size_t g = 0; g < truth.sobol[c].groups.size(); ++g) {
      const SobolIndices::OfGroup &x = study.sobol[c].groups[g], &y = truth.sobol[c].groups[g];
      out["Sobol index"].add(x.integrated_first.value, x.integrated_first.error, y.integrated_first.value, 100 * exact);
      out["Sobol index"].add(x.integrated_total.value, x.integrated_total.error, y.integrated_total.value, 100 * exact);
    }
}

// A way to study a model: a method with its settings.
struct Way {
  std::string name;
  long samples = 128;
  void (*set)(Study& study) = nullptr;  // beside the method
  std::string method = name;
};

inline StudyResult truth_of(const Model& model, long samples, bool sensitivity) {
  Study study = study_of(model);
  study.method = "sobol";
  study.samples = samples;
  study.replicates = 1;
  study.sensitivity = sensitivity;
  study.seed = 12345;
  return run_study(model, study);
}

inline Coverage coverage(const Model& model, const StudyResult& truth, const Way& way, int seeds) {
  Coverage out;
  for (int seed = 1; seed <= seeds; ++seed) {
    Study study = study_of(model);
    study.method = way.method;
    study.samples = way.samples;
    study.seed = std::uint64_t(seed);
    if (way.set) way.set(study);
    Coverage own;
    judge(run_study(model, study), truth, own);
    for (const auto& [statistic, x] : own) out[statistic].add_seed(x);
  }
  return out;
}

// "   95±2 1.02": per cent covered with its standard error, and the rms of deviations in standard errors, which should be 1.
inline void print(const std::string& title, const std::vector<std::pair<std::string, Coverage>>& rows) {
  const char* const columns[] = {"mean",        "std",        "band",        "probability", "ever",
                                 "scalar mean", "scalar std", "scalar band", "Sobol index"};
  fmt::print("{}\n{:22}", title, "");
  for (const char* c : columns) fmt::print("{:>13}", c);
  for (const auto& [name, row] : rows) {
    fmt::print("\n{:22}", name);
    for (const char* c : columns) {
      const auto at = row.find(c);
      const std::string words = at == row.end() || at->second.all == 0 ? ""
                                : at->second.stated == 0               ? "not stated"
                                                         : fmt::format("{:.0f}±{:.0f} {:.2f}{}", 100 * at->second.share(),
                                                                       100 * at->second.share_error(), at->second.rms(),
                                                                       at->second.stated < at->second.all ? "*" : "");
      fmt::print("{:>13}", words);
    }
    std::fflush(stdout);
  }
  fmt::print("\n");
}

}  // namespace aleator::test
