// The most likely parameters of the laws, how well they are known, and what is believed of them after the data.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "evaluation_log.hpp"
#include "identify.hpp"
#include "inference/chi_squared.hpp"
#include "inference/ensemble_sampler.hpp"
#include "inference/fit.hpp"
#include "inference/hints.hpp"
#include "inference/identifiability.hpp"
#include "inference/profile.hpp"
#include "input/error.hpp"
#include "nominal.hpp"
#include "progress_line.hpp"
#include "results/atomic_file.hpp"
#include "results/version.hpp"
#include "uncertainty/hyper_parameters.hpp"

namespace aleator::app {

using inference::IdentificationStudy;
using inference::Responses;
using results::FreeParameter;

namespace {

constexpr int reference_places = 16;  // over the ranges, for the principal components
constexpr int posterior_models = 40;  // of which predicted bands are mixed

void append(const Responses& from, Responses& to) {
  to.times = from.times;
  to.channels = from.channels;
  to.values.insert(to.values.end(), from.values.begin(), from.values.end());
}

// Evenly over the cube: the fractional parts of k a, with a of the generalised golden ratio g^(d+1) = g + 1 (Roberts 2018).
std::vector<double> spread_place(int k, int dimensions) {
  double g = 2;
  for (int i = 0; i < 50; ++i) g = std::pow(1 + g, 1.0 / (dimensions + 1));
  std::vector<double> out;
  for (int i = 1; i <= dimensions; ++i) out.push_back(std::fmod(0.5 + k * std::pow(g, -i), 1.0));
  return out;
}

class Search {
 public:
  explicit Search(IdentifyTask& task)
      : task_(task),
        study_(task.study),
        free_(task.free),
        found_(task.found),
        density_(study_.likelihood == IdentificationStudy::Likelihood::kernel ? inference::Density::kernel
                                                                              : inference::Density::moments) {}

  void run() {
    reduce();
    explore();
    take_profiles();
    warn_of_what_is_not_told();
    if (study_.method == IdentificationStudy::Method::bayesian) draw_posterior();
    check();
  }

 private:
  // Simulated all over the ranges.
  void reduce() {
    const long each = std::max<long>(50, study_.samples / reference_places);
    std::string why;
    for (int k = 0; k <= reference_places; ++k) {
      const std::vector<double> values = k == 0 ? free_.written() : free_.values(spread_place(k, free_.dimensions()));
      try {
        append(free_.responses(values, each, study_.seed), reference_);
      } catch (const ImpossibleLaw& e) {
        why = e.what();
      }
    }
    if (reference_.count() == 0) refuse("the laws exist nowhere in the ranges of the free parameters: " + why);
    if (const std::string reason = inference::absurd(reference_, found_.measured); !reason.empty()) {
      std::string text = "the measurements cannot belong to this model: " + reason;
      for (const std::string& hint : inference::hints(reference_, found_.measured))
        if (reason.find(hint) == std::string::npos) text += "; " + hint;
      throw input::InputError(study_.data.at, text).in_file(study_.file);
    }
    // Responses of d random variables lie on a surface of d dimensions: in more components they have no density, and kernels, which
    // blur the surface, would make laws of little scatter too likely.
    const int most = std::min(int(study_.components), free_.random_variables());
    try {
      reduction_ =
          std::make_unique<inference::Reduction>(reference_, found_.measured, inference::ReductionSettings{study_.energy, most});
    } catch (const std::invalid_argument& e) {
      refuse(e.what());
    }
    found_.energy = reduction_->energy();
    found_.components = reduction_->components();
    found_.captured = reduction_->captured();
  }

  double log_likelihood(std::span<const double> place, EvaluationLog& log) {
    const std::vector<double> values = free_.values(place);
    if (const double* known = log.find(values)) return *known;
    double result = -std::numeric_limits<double>::infinity();
    try {
      const Responses responses = free_.responses(values, study_.samples, study_.seed);
      if (responses.count() >= study_.samples / 2)  // else most of the law is not possible
        result = inference::log_likelihood(*reduction_, reduction_->reduce(responses), density_);
    } catch (const ImpossibleLaw&) {
    }
    log.add(values, result);
    return result;
  }

  std::string identity() const {
    std::string out = results::version() + "\n" + study_.text + free_.model().description.text;
    for (const results::Specimen& s : found_.measured.specimens)
      for (const double x : s.values) out += fmt::format("{:.17g} ", x);
    return out + fmt::format("\n{} {}", study_.samples, study_.seed);
  }

  void explore() {
    results::create_folder(task_.arguments.folder());
    std::vector<std::string> names;
    for (const FreeParameter& p : free_.parameters()) names.push_back(p.name);
    EvaluationLog log(task_.arguments.folder() + "/evaluations.csv", names, identity(), task_.arguments.resume);
    if (log.known() > 0) fmt::print(stderr, "going on after {} evaluations of the likelihood\n", log.known());
    ProgressLine progress;
    inference::ExploreSettings settings;
    settings.evaluations = int(study_.evaluations);
    settings.region_drop = inference::chi_squared_quantile(study_.confidence, free_.dimensions()) / 2;
    const std::vector<double> written = free_.written();
    for (int i = 0; i < free_.dimensions(); ++i) settings.start.push_back(free_.place(i, written[size_t(i)]));
    settings.uniform = uniforms(study_.seed, "identification.search");
    settings.progress = [&](int evaluations, double largest) {
      progress([&] {
        return fmt::format("{} of at most {} evaluations, largest log-likelihood {:.2f}", evaluations, study_.evaluations,
                           largest);
      });
    };
    exploration_ =
        inference::explore([&](std::span<const double> x) { return log_likelihood(x, log); }, free_.dimensions(), settings);
    if (exploration_.at.empty()) refuse("nowhere in the ranges of the free parameters can the model be simulated");
    found_.evaluations = long(exploration_.values.size());
    found_.samples = study_.samples;
    found_.log_likelihood = exploration_.largest;
    found_.region_drop = exploration_.region_drop;
    found_.surrogate_error = exploration_.error;
    bool inside = true;
    for (const FreeParameter& p : free_.parameters()) inside = inside && p.written >= p.from && p.written <= p.to;
    if (inside) found_.written_drop = exploration_.largest - exploration_.surrogate.value(settings.start);
    task_.estimate = free_.values(exploration_.at);
    if (!exploration_.accurate)
      warn(
          fmt::format("the log-likelihood is known to {:.2g} only where it matters (0.15 was wanted): more `samples` or more "
                      "`evaluations` help",
                      exploration_.error));
  }

  void take_profiles() {
    hill_ = inference::hill_of(exploration_);
    const double drop = inference::chi_squared_quantile(study_.confidence, 1) / 2;
    found_.parameters = free_.parameters();
    for (int i = 0; i < free_.dimensions(); ++i) {
      profiles_.push_back(inference::profile(hill_, i, drop));
      const inference::Profile& profile = profiles_.back();
      FreeParameter& p = found_.parameters[size_t(i)];
      p.estimate = task_.estimate[size_t(i)];
      p.lower = free_.value(i, profile.lower);
      p.upper = free_.value(i, profile.upper);
      p.open_below = profile.open_below;
      p.open_above = profile.open_above;
      for (const double x : profile.at) p.profile_at.push_back(free_.value(i, x));
      p.profile = profile.values;
    }
    for (int i = 0; i < free_.dimensions(); ++i)
      for (int j = 0; j < i; ++j) found_.pairs.push_back(pair(j, i));
  }

  results::PairProfile pair(int i, int j) const {
    const inference::PairProfile p =
        inference::pair_profile(hill_, i, j, profiles_[size_t(i)].range(), profiles_[size_t(j)].range());
    results::PairProfile out{i, j, {}, {}, p.values};
    for (const double x : p.first_at) out.first_at.push_back(free_.value(i, x));
    for (const double x : p.second_at) out.second_at.push_back(free_.value(j, x));
    return out;
  }

  void warn_of_what_is_not_told() {
    const Eigen::MatrixXd c = inference::curvature(hill_), r = inference::correlation(c);
    found_.correlation.assign(r.data(), r.data() + r.size());
    const inference::Identifiability told =
        inference::identifiability(hill_, c, profiles_, inference::chi_squared_quantile(study_.confidence, 1) / 2);
    const auto name = [&](int i) { return found_.parameters[size_t(i)].name; };
    for (const int i : told.unbounded)
      warn(fmt::format("the data say next to nothing about {}: its interval is nearly the whole range", name(i)));
    for (const inference::Inseparable& pair : told.inseparable)
      warn(fmt::format("the data cannot tell {} and {} apart: their estimates have correlation {:.2f}", name(pair.first),
                       name(pair.second), pair.correlation));
    for (const inference::FlatCombination& flat : told.flat) {
      std::string names;
      for (int i = 0; i < free_.dimensions(); ++i)
        if (std::abs(flat.direction[size_t(i)]) > 0.1)
          names += fmt::format("{}{} ({:+.2g} of its range)", names.empty() ? "" : ", ", name(i), flat.direction[size_t(i)]);
      warn("the data cannot tell apart values that change together: " + names);
    }
    for (int i = 0; i < free_.dimensions(); ++i) {
      const double x = exploration_.at[size_t(i)];
      if (x < 1e-3 || x > 1 - 1e-3)
        warn(fmt::format("{} is most likely at the end of its range, {:.4g}: a wider range may hold a better value", name(i),
                         found_.parameters[size_t(i)].estimate));
    }
  }

  double log_posterior(std::span<const double> place) const {
    double out = exploration_.surrogate.value(place);
    for (int i = 0; i < free_.dimensions(); ++i)
      out += inference::log_density(study_.free[size_t(i)].prior, free_.value(i, place[size_t(i)]));
    return out;
  }

  void draw_posterior() {
    const auto density = [&](std::span<const double> x) { return log_posterior(x); };
    const inference::Maximum mode =
        inference::maximise_locally(density, inference::Box::unit(free_.dimensions()), exploration_.at);
    task_.estimate = free_.values(mode.at);
    std::vector<double> scale;
    for (const inference::Profile& p : profiles_) scale.push_back(std::max(1e-3, (p.upper - p.lower) / 8));
    inference::SamplerSettings settings;
    settings.level = study_.confidence;
    for (const FreeParameter& p : found_.parameters) settings.names.push_back(p.name);
    const std::function<double()> uniform = uniforms(study_.seed, "identification.posterior");
    posterior_ = inference::sample_ensemble(
        density, inference::walkers_around(mode.at, scale, inference::default_walkers(free_.dimensions()), density, uniform),
        uniform, settings);
    for (int i = 0; i < free_.dimensions(); ++i) {
      FreeParameter& p = found_.parameters[size_t(i)];
      const inference::SampledParameter& s = posterior_.parameters[size_t(i)];
      p.estimate = task_.estimate[size_t(i)];
      p.mean = free_.value(i, s.mean);
      p.std = s.std * (p.to - p.from);
      p.credible_lower = free_.value(i, s.lower);
      p.credible_upper = free_.value(i, s.upper);
      p.r_hat = s.r_hat;
      p.effective_draws = s.effective;
    }
    found_.acceptance = posterior_.acceptance;
    for (const std::vector<double>& draw : posterior_.draws)
      for (const double x : free_.values(draw)) found_.draws.push_back(x);
    for (const std::string& w : posterior_.warnings) warn(w);
  }

  // At the estimate; of a posterior, mixed over its draws.
  Responses predicted(std::uint64_t seed) const {
    if (posterior_.draws.empty()) return free_.responses(task_.estimate, study_.samples, seed);
    Responses out;
    for (int k = 0; k < posterior_models; ++k) {
      const std::vector<double>& draw = posterior_.draws[size_t(k) * posterior_.draws.size() / posterior_models];
      try {
        append(free_.responses(free_.values(draw), (study_.samples + posterior_models - 1) / posterior_models,
                               another_seed(seed, std::to_string(k))),
               out);
      } catch (const ImpossibleLaw&) {
      }
    }
    return out;
  }

  void check() {
    const inference::Fit fit = inference::check_fit(*reduction_, found_.measured, predicted(study_.seed),
                                                    predicted(another_seed(study_.seed, "identification.check")),
                                                    uniforms(study_.seed, "identification.noise"), {density_, study_.band});
    found_.times = free_.times();
    found_.band_confidence = study_.band;
    found_.bands = fit.bands;
    found_.coverage = fit.coverage;
    found_.fit_p = fit.p;
    found_.explained = fit.explained;
    found_.verdict = fit.verdict;
    if (!fit.explained)
      for (const std::string& hint : inference::hints(reference_, found_.measured)) warn(hint);
    if (free_.failed() > 0.001) warn(fmt::format("{:.2g} % of all simulations failed and were left out", 100 * free_.failed()));
  }

  void warn(const std::string& text) { found_.warnings.push_back(text); }
  [[noreturn]] void refuse(const std::string& why) const { throw input::InputError(study_.data.at, why).in_file(study_.file); }

  IdentifyTask& task_;
  const IdentificationStudy& study_;
  const FreeModel& free_;
  results::Identification& found_;
  inference::Density density_;
  Responses reference_;
  std::unique_ptr<inference::Reduction> reduction_;
  inference::Exploration exploration_;
  inference::Hill hill_;
  std::vector<inference::Profile> profiles_;
  inference::EnsembleSample posterior_;
};

}  // namespace

void find_most_likely(IdentifyTask& task) {
  task.found.likelihood = task.study.likelihood == IdentificationStudy::Likelihood::kernel ? "kernel" : "moments";
  Search(task).run();
}

}  // namespace aleator::app
