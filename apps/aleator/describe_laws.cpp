// What is uncertain, for people: each law with its parameters, what was solved, mean and spread, and a small histogram.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "commands.hpp"
#include "study_summary.hpp"

namespace aleator::app {
namespace {

constexpr int draws = 4000, bins = 32;

// The middle 99.8 % of the draws in bars of eight heights.
std::string histogram(std::vector<double> x) {
  std::sort(x.begin(), x.end());
  const double low = x[x.size() / 1000], high = x[x.size() - 1 - x.size() / 1000];
  if (!(high > low)) return fmt::format("always {}", number(low));
  if (!std::isfinite(high - low)) return fmt::format("{:>10} … {}", number(low), number(high));
  std::vector<int> count(bins);
  for (const double v : x)
    if (v >= low && v <= high) ++count[std::min(bins - 1, int((v - low) / (high - low) * bins))];
  const int most = *std::max_element(count.begin(), count.end());
  const char* const bars[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  std::string out;
  for (const int c : count) out += bars[(8 * c + most - 1) / most];
  return fmt::format("{:>10} {} {}", number(low), out, number(high));
}

// Some laws have no mean or no variance.
std::string existing(double x) { return std::isfinite(x) ? number(x) : "none"; }

std::string vector_words(const Vec3<double>& v) { return fmt::format("[{}, {}, {}]", number(v.x), number(v.y), number(v.z)); }

std::string symmetric_words(const auto& m, int n) {
  if (n == 1) return number(m(0, 0));
  return fmt::format("xx {} yy {} zz {} xy {} xz {} yz {}", number(m(0, 0)), number(m(1, 1)), number(m(2, 2)), number(m(0, 1)),
                     number(m(0, 2)), number(m(1, 2)));
}

void print_center_of_mass(const CenterOfMassLaw& law) {
  const bool uniform = norm(law.lambda()) == 0;
  fmt::print("      {}\n", uniform ? "lambda = 0: uniform, its mean is the barycentre"
                                   : fmt::format("lambda {} 1/m, log C0 {}", vector_words(law.lambda()), number(law.log_c0())));
  if (law.acceptance() < 1) fmt::print("      exact draws by rejection, {:.0f} % accepted\n", 100 * law.acceptance());
}

template <int N>
void print_kummer_beta(const KummerBeta<N>& g) {
  fmt::print("      G_max {}\n", symmetric_words(g.gmax(), N));
  fmt::print("      mu {}; E{{G}} = I to {:.1g}; dispersion of G {}\n", symmetric_words(g.mu(), N), g.mean_error(),
             number(g.dispersion()));
  if (g.exact())
    fmt::print("      exact, independent draws by rejection, {:.0f} % accepted\n", 100 * g.acceptance());
  else
    fmt::print(
        "      Metropolis-Hastings, one chain per realization: {:.0f} % accepted, autocorrelation time {:.3g}, burn-in {}, "
        "split R-hat {:.4f}\n",
        100 * g.acceptance(), g.chain().autocorrelation_time, g.chain().burn_in, g.chain().split_r_hat);
}

// One number, or the range over all beams.
std::string mean_words(const BeamField& f) {
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (const auto& beam : f.beams)
    for (const double x : beam.mean) low = std::min(low, x), high = std::max(high, x);
  return low == high ? number(low) : fmt::format("{} … {}", number(low), number(high));
}

// The law, and how much of the variance each number of terms loses where it loses most.
void print_field(const BeamField& field) {
  const results::FieldSummary f = summary_of(field);
  std::string beams;
  for (const auto& beam : field.beams) beams += (beams.empty() ? "" : ", ") + beam.name;
  fmt::print("  {}: random field along {}; {}, mean {}, correlation {}\n", f.name, beams, f.law, mean_words(field),
             f.correlation);
  fmt::print("      {} with {} term{}; largest variance error by number of terms:", f.method, f.terms, f.terms == 1 ? "" : "s");
  for (size_t i = 0; i < f.error_curve.size(); ++i)
    fmt::print("{} {} {}{}", i == 0 ? "" : ",", i + 1, number(f.error_curve[i]), int(i) + 1 == f.terms ? " (this)" : "");
  fmt::print("\n");
}

struct Spread {
  double mean, std;
};

Spread spread_of(const Quantity& q, size_t column, const std::vector<double>& x) {
  if (q.scalar) return {q.scalar->mean(), q.scalar->standard_deviation()};
  if (q.center_of_mass) {
    const int axis = q.columns[column].back() - 'x';
    return {q.center_of_mass->mean()[axis], std::sqrt(q.center_of_mass->covariance()[axis][axis])};
  }
  double mean = 0, square = 0;
  for (const double v : x) mean += v / double(x.size());
  for (const double v : x) square += (v - mean) * (v - mean) / double(x.size() - 1);
  return {mean, std::sqrt(square)};
}

}  // namespace

void print_laws(const RandomModel& random, std::uint64_t seed) {
  if (random.empty()) return;
  fmt::print("\nuncertain ({} random {}, {} number{})\n", random.quantities().size(),
             random.quantities().size() == 1 ? "quantity" : "quantities", random.columns().size(),
             random.columns().size() == 1 ? "" : "s");
  std::vector<std::vector<double>> drawn(random.columns().size());
  for (int k = 0; k < draws; ++k) {
    const std::vector<double> sample = random.sample(seed, std::uint64_t(k));
    for (size_t c = 0; c < sample.size(); ++c) drawn[c].push_back(sample[c]);
  }
  for (const BeamField& f : random.fields()) print_field(f);
  for (const Quantity& q : random.quantities()) {
    fmt::print("  {}: {}\n", q.name, law_words(q));
    if (q.center_of_mass && q.same_as.empty()) print_center_of_mass(*q.center_of_mass);
    if (q.inertia && q.same_as.empty()) {
      if (const auto* g = q.inertia->space_law()) print_kummer_beta(*g);
      if (const auto* g = q.inertia->planar_law()) print_kummer_beta(*g);
    }
    for (size_t c = 0; c < q.columns.size(); ++c) {
      const auto& x = drawn[size_t(q.first_column) + c];
      const Spread s = spread_of(q, c, x);
      const std::string label = q.columns.size() == 1 ? "" : q.columns[c].substr(q.columns[c].rfind('.') + 1);
      fmt::print("      {:<3} mean {:>10}  std {:>10}  {}{}\n", label, existing(s.mean), existing(s.std), histogram(x),
                 q.unit.empty() ? "" : " " + q.unit);
    }
  }
  for (const Dependence& d : random.dependences()) {
    std::string names;
    for (const int q : d.quantities) names += (names.empty() ? "" : ", ") + random.quantities()[size_t(q)].name;
    fmt::print("  {}: {}\n", names, d.words);
  }
}

}  // namespace aleator::app
