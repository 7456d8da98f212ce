// The most likely parameters of the laws, how well they are known, and what is believed of them after the data.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/atomic_file.hpp"
#include "base/cancellation.hpp"
#include "identification/identify.hpp"
#include "identification/input_likelihood.hpp"
#include "identification/likelihood_choice.hpp"
#include "identification/posterior.hpp"
#include "inference/fit.hpp"
#include "inference/hints.hpp"
#include "inference/identifiability.hpp"
#include "inference/verify.hpp"
#include "input/error.hpp"
#include "results/version.hpp"
#include "study/evaluation_log.hpp"
#include "study/nominal.hpp"
#include "uncertainty/hyper_parameters.hpp"

namespace aleator::core {

using inference::IdentificationStudy;
using Likelihood = inference::IdentificationStudy::Likelihood;
using inference::Responses;
using results::FreeParameter;

namespace {

constexpr int reference_places = 16;    // over the ranges, for the principal components
constexpr int posterior_models = 40;    // of which predicted bands are mixed
constexpr int refinements = 3;          // of an integral
constexpr double integral_error = 0.1;  // wanted, of differences of its logarithm
constexpr double worth_telling = 0.3;   // error of the log-likelihood at the ends of intervals

class Search {
 public:
  explicit Search(IdentifyTask& task)
      : task_(task),
        study_(task.study),
        free_(task.free),
        found_(task.found),
        likelihood_(chosen_likelihood(study_, free_, found_.measured)),
        density_(likelihood_ == Likelihood::moments ? inference::Density::moments : inference::Density::kernel) {
    found_.likelihood = inference::name_of(likelihood_);
  }

  void run() {
    reduce();
    if (likelihood_ == Likelihood::integral)
      search_integral();
    else
      search_components();
    take_exploration();
    take_profiles();
    warn_of_what_is_not_told();
    if (study_.method == IdentificationStudy::Method::bayesian) posterior_ = draw_posterior(task_, hill_, profiles_);
    check();
  }

 private:
  // All over the ranges, and where the model is.
  std::vector<std::vector<double>> places_all_over() const {
    const inference::EvenPlaces place(free_.dimensions());
    std::vector<std::vector<double>> out = {free_.written()};
    for (int k = 1; k <= reference_places; ++k) out.push_back(free_.values(place(k)));
    return out;
  }

  // Simulated all over the ranges.
  void reduce() {
    const long each = std::max<long>(50, study_.samples / reference_places);
    std::string why;
    for (const std::vector<double>& values : places_all_over()) {
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
    try {
      reduction_ =
          std::make_unique<inference::Reduction>(reference_, found_.measured, chosen_components(study_, free_, found_.measured));
    } catch (const std::invalid_argument& e) {
      refuse(e.what());
    }
    if (reduction_->components() < study_.components)
      throw input::InputError(study_.components_at, fmt::format("'components': the simulated responses have only {}, found {}",
                                                                reduction_->components(), study_.components))
          .in_file(study_.file);
    if (study_.samples < 2 * fewest())
      refuse(fmt::format("{} samples are too few for {} principal components: at least {} are needed, or fewer `components`",
                         study_.samples, reduction_->components(), 2 * fewest()));
    found_.energy = reduction_->energy();
    found_.components = likelihood_ == Likelihood::integral ? 0 : reduction_->components();
    found_.captured = likelihood_ == Likelihood::integral ? 1 : reduction_->captured();
    tell_why_components();
    if (likelihood_ == Likelihood::kernel)
      for (const std::string& doubt : doubts_of_components(free_, found_.measured, found_.components, found_.captured))
        warn(doubt);
  }

  // Where few numbers are random, and yet the likelihood is not that of the whole response.
  void tell_why_components() const {
    const bool asked = study_.likelihood != Likelihood::automatic || study_.components > 0 || !std::isnan(study_.energy);
    if (asked || likelihood_ == Likelihood::integral || free_.random_variables() > inference::InputIntegral::most_inputs) return;
    tell(task_.options.on_note,
         fmt::format("{}: note: the likelihood is that of principal components, not of the whole response: {}", study_.file,
                     InputLikelihood::obstacle(free_, found_.measured)));
  }

  // Responses without which there is no density.
  long fewest() const { return reduction_->components() + 2; }

  double log_likelihood(std::span<const double> place, EvaluationLog& log) {
    const std::vector<double> values = free_.values(place);
    if (const std::vector<double>* known = log.find(values)) return known->front();
    double result = -std::numeric_limits<double>::infinity();
    try {
      const Responses responses = free_.responses(values, study_.samples, study_.seed);
      if (responses.count() >= study_.samples / 2)  // else most of the law is not possible
        result = inference::log_likelihood(*reduction_, reduction_->reduce(responses), density_);
    } catch (const ImpossibleLaw&) {
    }
    log.add(values, {result});
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

  EvaluationLog::Columns columns() const { return {"log-likelihoods", names(), {"log_likelihood"}}; }

  EvaluationLog open_log() const {
    const RunOptions& o = task_.options;
    EvaluationLog log(o.folder.empty() ? "" : o.folder + "/evaluations.csv", columns(), identity(), o.resume);
    task_.resumable = !o.folder.empty();
    if (log.known() > 0)
      tell(o.on_note, fmt::format("continuing after {} evaluations of the likelihood", log.known()));
    else if (o.resume)
      tell(o.on_note, fmt::format("{}: note: there is nothing of this study to resume in {}; starting", study_.file, o.folder));
    return log;
  }

  // Of principal components: every evaluation is simulated, and kept.
  void search_components() {
    EvaluationLog log = open_log();
    search([&](std::span<const double> x) { return log_likelihood(x, log); }, 0);
    found_.samples = study_.samples;
  }

  // Of the whole response: simulated once, and again where the integral is not exact enough for what was found.
  void search_integral() {
    InputLikelihood likelihood = make_integral();
    const int scan = std::min(evaluations_to_search() / 3, 10 + 20 * free_.dimensions());
    for (int k = 0; k <= refinements; ++k) {
      search([&](std::span<const double> x) { return likelihood(free_.values(x)); }, scan);
      std::vector<std::vector<double>> where;
      for (const inference::Place& x : verified_.places) where.push_back(free_.values(x));
      double error = 0;
      for (const std::vector<double>& values : where) error = std::max(error, likelihood.error(values, where[0]));
      integral_error_ = error;
      if (error <= integral_error || k == refinements || !likelihood.refine(where)) break;
    }
    found_.samples = likelihood.simulations();
    write_evaluations();
    misfit_ = likelihood.misfit();
    if (const std::string some = likelihood.unfollowed(found_.measured); !some.empty()) warn(some);
  }

  InputLikelihood make_integral() {
    if (task_.options.resume)
      tell(task_.options.on_note,
           fmt::format("{}: note: a search with the likelihood `integral` is short, and starts anew", study_.file));
    try {
      return InputLikelihood(free_, found_.measured, places_all_over(), study_.samples, study_.seed);
    } catch (const ImpossibleLaw& e) {
      refuse(std::string("the distributions exist nowhere in the ranges of the free parameters: ") + e.what());
    }
  }

  void write_evaluations() const {
    const RunOptions& o = task_.options;
    EvaluationLog log(o.folder.empty() ? "" : o.folder + "/evaluations.csv", columns(), identity(), false);
    for (size_t k = 0; k < exploration_.values.size(); ++k)
      log.add(free_.values(exploration_.points[k]), {exploration_.values[k]});
  }

  // Of the log-likelihood, to the edge of the confidence region of some parameters.
  double drop(int parameters) const {
    return results::confidence_drop(study_.confidence, parameters, free_.dimensions(), found_.measured.specimens.size());
  }

  // Where nobody set a limit, the places on which the answer rests are evaluated whatever the search has spent.
  int most_evaluations() const { return int(study_.evaluations > 0 ? study_.evaluations : 2 * inference::default_evaluations); }
  int evaluations_to_search() const {
    if (study_.evaluations == 0) return int(inference::default_evaluations);
    return int(study_.evaluations) - std::min(1 + 4 * free_.dimensions(), int(study_.evaluations) / 10);
  }

  // scan: places to begin with; 0: few.
  void search(const inference::Function& f, int scan) {
    inference::ExploreSettings settings;
    settings.evaluations = evaluations_to_search();
    settings.region_drop =
        results::confidence_drop(study_.confidence, free_.dimensions());  // where to look: no matter how many specimens
    settings.scan = scan;
    start_.clear();
    const std::vector<double> written = free_.written();
    for (int i = 0; i < free_.dimensions(); ++i) start_.push_back(free_.place(i, written[size_t(i)]));
    settings.start = start_;
    settings.uniform = uniforms(study_.seed, "identification.search");
    settings.progress = [&](int evaluations, double largest) {
      throw_if_cancelled();
      if (!task_.options.on_progress) return;
      task_.options.on_progress({.phase = fmt::format("evaluations at most, largest log-likelihood {:.2f}", largest),
                                 .done = evaluations,
                                 .planned = long(most_evaluations())});
    };
    exploration_ = inference::explore(f, free_.dimensions(), settings);
    if (exploration_.at.empty()) refuse("nowhere in the ranges of the free parameters can the model be simulated");
    verified_ = inference::verify(
        f, exploration_,
        {.drop = drop(1), .accuracy = settings.accuracy, .evaluations = most_evaluations(), .progress = settings.progress});
  }

  void take_exploration() {
    found_.evaluations = long(exploration_.values.size());
    found_.log_likelihood = exploration_.largest;
    found_.region_drop = drop(free_.dimensions());
    found_.surrogate_error = std::isnan(verified_.error) ? verified_.error : std::max(verified_.error, integral_error_);
    bool inside = true;
    for (const FreeParameter& p : free_.parameters()) inside = inside && p.written >= p.from && p.written <= p.to;
    if (inside) found_.written_drop = exploration_.largest - exploration_.surrogate.value(start_);
    task_.estimate = free_.values(exploration_.at);
    if (std::isnan(found_.surrogate_error))
      warn(
          "the evaluations were too few to estimate the accuracy of the log-likelihood near its maximum: more `evaluations` "
          "help");
    else if (found_.surrogate_error > worth_telling)
      warn(
          fmt::format("at its maximum and at the ends of the intervals the log-likelihood is accurate only to {:.2g} (the goal "
                      "is {}), and the "
                      "ends to {:.0f} % of their distance from the estimate: more `samples` or more `evaluations` help",
                      found_.surrogate_error, worth_telling, 100 * found_.surrogate_error / (2 * drop(1))));
  }

  void take_profiles() {
    hill_ = inference::hill_of(exploration_);
    profiles_ = verified_.profiles;
    found_.parameters = free_.parameters();
    for (int i = 0; i < free_.dimensions(); ++i) {
      const inference::Profile& profile = profiles_[size_t(i)];
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
    const inference::Identifiability told = inference::identifiability(hill_, c, profiles_, drop(1));
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
    const inference::Fit fit = inference::check_fit(
        *reduction_, found_.measured, predicted(study_.seed), predicted(another_seed(study_.seed, "identification.check")),
        uniforms(study_.seed, "identification.noise"), {density_, study_.band, misfit_.p, misfit_.size});
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
  Likelihood likelihood_;
  inference::Density density_;
  Responses reference_;
  std::unique_ptr<inference::Reduction> reduction_;
  inference::Exploration exploration_;
  inference::Verification verified_;
  inference::Place start_;  // where the model is
  InputLikelihood::Misfit misfit_;
  double integral_error_ = 0;  // of differences of its logarithm, where it matters
  inference::LogLikelihood hill_;
  std::vector<inference::Profile> profiles_;
  inference::EnsembleSample posterior_;
};

}  // namespace

void find_most_likely(IdentifyTask& task) { Search(task).run(); }

}  // namespace aleator::core
