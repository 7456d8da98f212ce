#include "analysis/chaos_statistics.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "analysis/chaos_fit.hpp"
#include "analysis/time_integral.hpp"
#include "base/constants.hpp"

namespace aleator::core::analysis {

using Eigen::Index;

namespace {

using Sums = std::vector<double>;  // [outputs]

double ratio(double part, double whole) { return whole > 0 ? part / whole : nan; }

// ∫ x dt of each channel.
Sums integrals(const Sums& x, std::span<const double> times, int channels) {
  const Sums w = trapezoidal_weights(times);
  const std::size_t nc = std::size_t(channels);
  if (x.size() != w.size() * nc)
    throw std::invalid_argument(fmt::format("{} outputs are not {} times of {} channels", x.size(), w.size(), nc));
  Sums sums(nc, 0.0);
  for (std::size_t t = 0, j = 0; t < w.size(); ++t)
    for (std::size_t c = 0; c < nc; ++c, ++j) sums[c] += w[t] * x[j];
  return sums;
}

void add_squares(const RowMatrix& coefficients, Index term, Sums& to) {
  const double* const c = coefficients.row(term).data();
  for (std::size_t j = 0; j < to.size(); ++j) to[j] += c[j] * c[j];
}

// Which groups have a variable in a term, each once.
std::vector<int> groups_in(const ChaosBasis& basis, int term, std::span<const int> group_of_variable) {
  std::vector<int> in;
  const std::span<const int> index = basis.degrees_of(term);
  for (std::size_t j = 0; j < index.size(); ++j)
    if (index[j] > 0 && std::find(in.begin(), in.end(), group_of_variable[j]) == in.end()) in.push_back(group_of_variable[j]);
  return in;
}

// Shares of each output, and of each channel over time.
FitError relative_error(const Sums& mean_square, const Sums& of_variance, std::span<const double> times, int channels) {
  FitError e{relative_to(of_variance, mean_square), integrals(mean_square, times, channels)};
  const Sums whole = integrals(of_variance, times, channels);
  for (std::size_t c = 0; c < whole.size(); ++c) e.integrated[c] = ratio(e.integrated[c], whole[c]);
  return e;
}

}  // namespace

std::vector<double> mean(const Expansion& e) {
  const auto row = e.coefficients.row(0);
  return {row.data(), row.data() + row.size()};
}

std::vector<double> variance(const Expansion& e) {
  Sums v(std::size_t(e.coefficients.cols()), 0.0);
  for (Index k = 1; k < e.coefficients.rows(); ++k) add_squares(e.coefficients, k, v);
  return v;
}

results::SobolIndices shares(const Expansion& e, std::vector<std::string> groups, std::span<const int> group_of_variable,
                             std::span<const double> times, int channels) {
  if (group_of_variable.size() != e.basis.families.size())
    throw std::invalid_argument(
        fmt::format("groups of {} variables are given, and there are {}", group_of_variable.size(), e.basis.families.size()));
  const Sums v = variance(e), whole = integrals(v, times, channels);
  std::vector<Sums> first(groups.size(), Sums(v.size(), 0.0)), total = first;
  for (int k = 1; k < e.basis.terms; ++k) {
    const std::vector<int> in = groups_in(e.basis, k, group_of_variable);
    for (const int g : in) add_squares(e.coefficients, k, total.at(std::size_t(g)));
    if (in.size() == 1) add_squares(e.coefficients, k, first.at(std::size_t(in[0])));
  }

  const std::size_t nc = std::size_t(channels);
  results::SobolIndices out{std::move(groups), e.points,
                            std::vector(nc, std::vector<results::SobolIndices::OfGroup>(first.size()))};
  for (std::size_t g = 0; g < first.size(); ++g) {
    const Sums of_first = integrals(first[g], times, channels), of_total = integrals(total[g], times, channels);
    for (std::size_t c = 0; c < nc; ++c) {
      results::SobolIndices::OfGroup& s = out.of[c][g];
      double largest = 0;
      for (std::size_t j = c; j < v.size(); j += nc) largest = std::max(largest, v[j]);
      for (std::size_t j = c; j < v.size(); j += nc) {
        const double scatter = v[j] > 1e-14 * largest ? v[j] : 0;  // round-off has no causes
        s.first.push_back(ratio(first[g][j], scatter));
        s.total.push_back(ratio(total[g][j], scatter));
      }
      s.integrated_first = {ratio(of_first[c], whole[c]), nan};
      s.integrated_total = {ratio(of_total[c], whole[c]), nan};
    }
  }
  return out;
}

FitError difference_error(const Responses& differences, const Responses& y, std::span<const double> times, int channels) {
  Sums mean_square(std::size_t(y.cols()));
  const Eigen::RowVectorXd squares = differences.colwise().squaredNorm() / double(y.rows());
  std::copy(squares.begin(), squares.end(), mean_square.begin());
  return relative_error(mean_square, sample_variance(y), times, channels);
}

FitError held_out_error(const Expansion& e, std::span<const double> points, const Responses& y, std::span<const double> times,
                        int channels) {
  check_responses(e.basis, points, y);
  const RowMatrix differences = evaluate(e, points) - y;
  return difference_error(differences, y, times, channels);
}

FitError leave_one_out_error(const Expansion& e, std::span<const double> times, int channels) {
  Sums mean_square = e.loo;
  for (std::size_t j = 0; j < mean_square.size(); ++j) mean_square[j] = e.scattered[j] == 0 ? 0 : e.loo[j] * e.scattered[j];
  return relative_error(mean_square, e.scattered, times, channels);
}

std::vector<std::vector<double>> decay(const Expansion& e, std::span<const double> times, int channels) {
  int highest = 0;
  for (int k = 0; k < e.basis.terms; ++k) highest = std::max(highest, e.basis.total_degree(k));
  const Sums v = variance(e), whole = integrals(v, times, channels);
  std::vector<Sums> by_degree(std::size_t(highest) + 1, Sums(v.size(), 0.0));
  for (int k = 1; k < e.basis.terms; ++k) add_squares(e.coefficients, k, by_degree[std::size_t(e.basis.total_degree(k))]);
  std::vector<std::vector<double>> out(whole.size());
  for (int degree = 1; degree <= highest; ++degree) {
    const Sums part = integrals(by_degree[std::size_t(degree)], times, channels);
    for (std::size_t c = 0; c < out.size(); ++c) out[c].push_back(ratio(part[c], whole[c]));
  }
  return out;
}

int complete_degree(std::span<const int> degrees, int variables) {
  std::vector<double> terms;  // by total degree
  for (std::size_t k = 0; k < degrees.size(); k += std::size_t(variables)) {
    const std::size_t degree = std::size_t(std::accumulate(&degrees[k], &degrees[k] + variables, 0));
    if (terms.size() <= degree) terms.resize(degree + 1);
    ++terms[degree];
  }
  double all = 1;  // C(degree + d − 1, degree)
  int complete = 0;
  for (std::size_t degree = 1; degree < terms.size(); ++degree, ++complete) {
    all = std::round(all * double(degree + std::size_t(variables) - 1) / double(degree));
    if (terms[degree] < all) break;
  }
  return complete;
}

namespace {

// Shares of the variance.
constexpr double accurate = 0.01, usable = 0.1;              // leave-one-out error
constexpr double converged = 1e-4, nearly_converged = 0.01;  // of the highest complete degrees

std::string percent(double x) { return fmt::format("{:.2g} %", 100 * x); }

// Of one channel: what is left over, as a share of its variance, and where; 0 good, 1 good for mean and standard deviation, 2 poor.
struct Judgement {
  int grade = 0;
  double share = 0;
  std::string where;  // empty: not known
};

Judgement judge(const results::Chaos& chaos, std::size_t channel) {
  if (const double e = chaos.loo[channel]; !std::isnan(e))
    return {e < accurate ? 0 : e < usable ? 1 : 2, e, fmt::format("leave-one-out error {}", percent(e))};
  const std::vector<double>& decay = chaos.decay[channel];
  const int complete = std::min(complete_degree(chaos.degrees, int(chaos.variables.size())), int(decay.size()));
  if (complete < 1) return {2, std::nan(""), ""};
  const double last = decay[std::size_t(complete) - 1], before = complete > 1 ? decay[std::size_t(complete) - 2] : 0;
  const double held = std::max(last, before);
  return {held < converged          ? 0
          : held < nearly_converged ? 1
                                    : 2,
          held,
          before > last ? fmt::format("degree {} has {}", complete - 1, percent(before))
                        : fmt::format("degree {}, the highest complete one, has {}", complete, percent(last))};
}

struct GradeWords {
  const char *is, *advice;
};

GradeWords words_of(int grade, bool fitted) {
  const GradeWords of_fits[] = {{"accurate", ""},
                                {"accurate enough for mean and standard deviation", ", not for single realizations"},
                                {"not accurate", ": more realizations, or a sampling method, are needed"}};
  const GradeWords of_projections[] = {{"converged", ""},
                                       {"nearly converged", ": good for mean and standard deviation"},
                                       {"not converged", ": a higher order, or a sampling method, is needed"}};
  return (fitted ? of_fits : of_projections)[grade];
}

std::string some_of(const std::vector<std::string>& names) {
  constexpr std::size_t most = 4;
  const std::vector<std::string> first(names.begin(), names.begin() + long(std::min(most, names.size())));
  return fmt::format("{}{}", fmt::join(first, ", "), names.size() > most ? fmt::format(" and {} more", names.size() - most) : "");
}

}  // namespace

std::string expansion_verdict(const results::Chaos& chaos, std::size_t channel) {
  const Judgement j = judge(chaos, channel);
  if (j.where.empty()) return "not known";
  const GradeWords w = words_of(j.grade, !std::isnan(chaos.loo[channel]));
  return fmt::format("{}{} ({} of the variance)", w.is, w.advice, j.where);
}

std::string expansion_summary(const results::Chaos& chaos, const std::vector<std::string>& channels,
                              const std::vector<char>& varies) {
  const bool fitted = std::any_of(chaos.loo.begin(), chaos.loo.end(), [](double e) { return !std::isnan(e); });
  std::vector<std::string> of_grade[3];
  double worst[3] = {0, 0, 0};
  for (std::size_t c = 0; c < channels.size(); ++c) {
    if (!varies[c]) continue;
    const Judgement j = judge(chaos, c);
    of_grade[j.grade].push_back(channels[c]);
    worst[j.grade] = std::max(worst[j.grade], j.share);
  }
  const std::size_t all = of_grade[0].size() + of_grade[1].size() + of_grade[2].size();
  std::string text;
  int last = 0;
  for (int grade = 0; grade < 3; ++grade) {
    const std::vector<std::string>& names = of_grade[grade];
    if (names.empty()) continue;
    last = grade;
    text += fmt::format("{}{} for {}", text.empty() ? "" : ", ", words_of(grade, fitted).is,
                        names.size() < all ? some_of(names)
                        : all == 1         ? names[0]
                                           : "all outputs");
  }
  if (!text.empty())
    text += fmt::format(" ({} {} of the variance){}", fitted ? "leave-one-out error up to" : "the highest degrees have up to",
                        percent(worst[last]), words_of(last, fitted).advice);
  return text.empty() ? "no output varies" : text;
}

}  // namespace aleator::core::analysis
