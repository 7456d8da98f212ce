// Sampling: monte-carlo, latin-hypercube, sobol, halton.
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "propagation/method.hpp"

namespace aleator::core {
namespace {

class Sampling final : public Method {
 public:
  explicit Sampling(const Task& task)
      : study_(task.study), goals_(accuracy_goals(task.study, task.model)), plan_(sampling_plan(study_, task.random)) {}

  const Plan& plan() const override { return plan_; }
  long first_rows() override { return study_.accuracy > 0 ? rows(first_look) : plan_.rows(); }

  long enough(long done, const analysis::Accumulator& so_far, results::StudyResult&) override {
    if (!(study_.accuracy > 0)) return done;
    const Reached r = reached(study_, goals_, study_.accuracy_of_band ? so_far.finish() : so_far.moments());
    if (r.enough) return done;
    const long samples = done / plan_.per_realization();
    if (grows_by_multiples(design_of(study_).name)) return 2 * samples <= most_ ? rows(2 * samples) : done;
    // The error falls at least as n^(−1/2); not too far at once, it is itself an estimate. Whole rounds of the replicates.
    const double next = std::clamp(1.1 * r.wanted_samples, 1.25 * double(samples), 4.0 * double(samples));
    const long round = std::max<long>(8, plan_.replicates());
    return std::max(done, rows(std::min((long(std::ceil(next)) + round - 1) / round * round, most_)));
  }
  void limit(long rows) override { most_ = rows / plan_.per_realization(); }

  bool extends() const override { return !study_.sensitivity; }

  // One design does not tell how much better than independent realizations it is.
  void conclude(const analysis::StatisticsRequest&, const analysis::Accumulator&, results::StudyResult& result) const override {
    if (plan_.design && plan_.replicates() == 1 && result.statistics.realizations > 1)
      result.evidence.push_back(
          "standard errors are those of independent realizations: upper bounds, as a single design does not tell its own");
    const long n = result.statistics.realizations, least = std::lround(std::ceil(2 / (1 - result.statistics.confidence) - 1e-9));
    if (n > 0 && n < least)
      result.evidence.push_back(fmt::format("the band is the range of {} {}: quantiles of a {:g} % band need {} or more", n,
                                            n == 1 ? "realization" : "realizations", 100 * result.statistics.confidence, least));
  }

 private:
  long rows(long samples) const { return std::min(samples, plan_.samples) * plan_.per_realization(); }

  Study study_;
  std::vector<double> goals_;
  Plan plan_;
  long most_ = std::numeric_limits<long>::max();  // samples, by a limit
};

}  // namespace

namespace {

std::unique_ptr<Method> make_sampling(const Task& task) { return std::make_unique<Sampling>(task); }
std::string own_name(const Study& study) { return study.method; }
constexpr MethodKind sampling(const char* name) {
  MethodKind k{name, make_sampling, own_name, MethodKind::Sensitivity::by_sampling};
  k.spectra = true;
  return k;
}

}  // namespace

extern const MethodKind monte_carlo_method, latin_hypercube_method, sobol_method, halton_method;
constinit const MethodKind monte_carlo_method = sampling("monte-carlo"), latin_hypercube_method = sampling("latin-hypercube"),
                           sobol_method = sampling("sobol"), halton_method = sampling("halton");

}  // namespace aleator::core
