// The most likely parameters of the laws, how well they are known, and what is believed of them after the data.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/atomic_file.hpp"
#include "base/cancellation.hpp"
#include "identification/evaluation_log.hpp"
#include "identification/identify.hpp"
#include "identification/posterior.hpp"
#include "inference/fit.hpp"
#include "inference/hints.hpp"
#include "inference/identifiability.hpp"
#include "inference/profile.hpp"
#include "input/error.hpp"
#include "results/version.hpp"
#include "study/nominal.hpp"
#include "uncertainty/hyper_parameters.hpp"

namespace aleator::core {

using inference::IdentificationStudy;
using inference::Responses;
using results::FreeParameter;

namespace {

constexpr int reference_places = 16;  // over the ranges, for the principal components
constexpr int posterior_models = 40;  // of which predicted bands are mixed

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
    if (study_.method == IdentificationStudy::Method::bayesian) posterior_ = draw_posterior(task_, hill_, profiles_);
    check();
  }

 private:
  // Simulated all over the ranges.
  void reduce() {
    const long each = std::max<long>(50, study_.samples / reference_places);
    const inference::EvenPlaces place(free_.dimensions());
    std::string why;
    for (int k = 0; k <= reference_places; ++k) {
      const std::vector<double> values = k == 0 ? free_.written() : free_.values(place(k));
      try {
        reference_.append(free_.responses(values, each, study_.seed));
      } catch (const ImpossibleLaw& e) {
        why = e.what();
      }
    }
    if (reference_.count() == 0)
      refuse("the model and its distributions exist nowhere in the ranges of the free parameters: " + why);
    if (const std::string reason = inference::absurd(reference_, found_.measured); !reason.empty()) {
      std::string text = "the measurements cannot belong to this model: " + reason;
      for (const std::string& hint : inference::hints(reference_, found_.measured))
        if (reason.find(hint) == std::string::npos) text += "; " + hint;
      refuse(text);
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
    if (study_.samples < 2 * fewest())
      refuse(fmt::format("{} samples are too few for {} principal components: at least {} are needed, or fewer `components`",
                         study_.samples, reduction_->components(), 2 * fewest()));
    found_.energy = reduction_->energy();
    found_.components = reduction_->components();
    found_.captured = reduction_->captured();
  }

  // Responses without which there is no density.
  long fewest() const { return reduction_->components() + 2; }

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

  // Whatever the numbers in the log depend on.
  std::string identity() const {
    std::string out = results::version() + "\n" + study_.text + free_.model().description.text;
    for (const input::ReferredFile& f : free_.model().description.files) out += f.text;
    for (const results::Specimen& s : found_.measured.specimens)
      for (const std::vector<double>* numbers : {&s.times, &s.values})
        for (const double x : *numbers) out += fmt::format("{:.17g} ", x);
    const auto& settings = free_.model().settings;
    return out + fmt::format("\n{} {} {} {:.17g} {:.17g}", study_.samples, study_.seed, settings.integrator, settings.step,
                             settings.step_tolerance);
  }

  EvaluationLog open_log() const {
    const RunOptions& o = task_.options;
    EvaluationLog log(o.folder.empty() ? "" : o.folder + "/evaluations.csv", names(), identity(), o.resume);
    if (log.known() > 0)
      tell(o.on_note, fmt::format("continuing after {} evaluations of the likelihood", log.known()));
    else if (o.resume)
      tell(o.on_note, fmt::format("{}: note: there is nothing of this study to resume in {}; starting", study_.file, o.folder));
    return log;
  }

  void explore() {
    EvaluationLog log = open_log();
    inference::ExploreSettings settings;
    settings.evaluations = int(study_.evaluations);
    settings.region_drop = results::confidence_drop(study_.confidence, free_.dimensions());
    const std::vector<double> written = free_.written();
    for (int i = 0; i < free_.dimensions(); ++i) settings.start.push_back(free_.place(i, written[size_t(i)]));
    settings.uniform = uniforms(study_.seed, "identification.search");
    settings.progress = [&](int evaluations, double largest) {
      throw_if_cancelled();
      if (!task_.options.on_progress) return;
      task_.options.on_progress({.phase = fmt::format("evaluations at most, largest log-likelihood {:.2f}", largest),
                                 .done = evaluations,
                                 .planned = long(study_.evaluations)});
    };
    exploration_ =
        inference::explore([&](std::span<const double> x) { return log_likelihood(x, log); }, free_.dimensions(), settings);
    if (exploration_.at.empty()) refuse("nowhere in the ranges of the free parameters can the model be simulated");
    take_exploration(settings);
  }

  void take_exploration(const inference::ExploreSettings& settings) {
    found_.evaluations = long(exploration_.values.size());
    found_.samples = study_.samples;
    found_.log_likelihood = exploration_.largest;
    found_.region_drop = exploration_.region_drop;
    found_.surrogate_error = exploration_.error;
    bool inside = true;
    for (const FreeParameter& p : free_.parameters()) inside = inside && p.written >= p.from && p.written <= p.to;
    if (inside) found_.written_drop = exploration_.largest - exploration_.surrogate.value(settings.start);
    task_.estimate = free_.values(exploration_.at);
    if (exploration_.accurate) return;
    if (exploration_.error > settings.accuracy)
      warn(
          fmt::format("near its maximum the log-likelihood is accurate only to {:.2g} (the goal is {}): more `samples` or more "
                      "`evaluations` help",
                      exploration_.error, settings.accuracy));
    else
      warn(
          "the evaluations were too few to estimate the accuracy of the log-likelihood near its maximum: more `evaluations` "
          "help");
  }

  void take_profiles() {
    hill_ = inference::hill_of(exploration_);
    const double drop = results::confidence_drop(study_.confidence, 1);
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
        inference::identifiability(hill_, c, profiles_, results::confidence_drop(study_.confidence, 1));
    for (const std::string& words : inference::in_words(told, names())) warn(words);
    for (int i = 0; i < free_.dimensions(); ++i) {
      const double x = exploration_.at[size_t(i)];
      if (x < 1e-3 || x > 1 - 1e-3)
        warn(fmt::format("{} is most likely at the end of its range, {:.4g}: a wider range may hold a better value",
                         found_.parameters[size_t(i)].name, found_.parameters[size_t(i)].estimate));
    }
  }

  // At the estimate; of a posterior, mixed over its draws.
  Responses predicted(std::uint64_t seed) const {
    Responses out;
    if (posterior_.draws.empty()) out = free_.responses(task_.estimate, study_.samples, seed);
    for (int k = 0; k < posterior_models && !posterior_.draws.empty(); ++k) {
      const std::vector<double>& draw = posterior_.draws[size_t(k) * posterior_.draws.size() / posterior_models];
      try {
        out.append(free_.responses(free_.values(draw), (study_.samples + posterior_models - 1) / posterior_models,
                                   another_seed(seed, std::to_string(k))));
      } catch (const ImpossibleLaw&) {
      }
    }
    if (out.count() < fewest()) refuse("with the most likely parameters hardly any simulation succeeds");
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
    warn_of_failures(task_);
  }

  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const FreeParameter& p : free_.parameters()) out.push_back(p.name);
    return out;
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
  inference::LogLikelihood hill_;
  std::vector<inference::Profile> profiles_;
  inference::EnsembleSample posterior_;
};

}  // namespace

void find_most_likely(IdentifyTask& task) {
  task.found.likelihood = task.study.likelihood == IdentificationStudy::Likelihood::kernel ? "kernel" : "moments";
  Search(task).run();
}

}  // namespace aleator::core
