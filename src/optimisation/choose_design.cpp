#include "optimisation/choose_design.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/atomic_file.hpp"
#include "base/cancellation.hpp"
#include "optimisation/design_problem.hpp"
#include "optimisation/design_tables.hpp"
#include "optimisation/normal.hpp"
#include "optimisation/search.hpp"
#include "optimisation/trade_off.hpp"
#include "optimisation/verdict.hpp"
#include "results/version.hpp"
#include "study/evaluation_log.hpp"
#include "study/nominal.hpp"

namespace aleator::core::optimisation {
namespace {

using input::InputError;
using results::Estimate;
using results::FoundDesign;

constexpr long most_verifications = 3;
constexpr double simulated_share = 0.5;  // of the realizations at least, or a design counts as one that cannot be simulated
constexpr double active_within = 0.03;   // of the spread of a constraint

double sure_of(double g, double error) { return error > 0 ? normal_probability(-g / error) : (g <= 0 ? 1 : 0); }

// A column of a CSV file.
std::string column(const std::string& name) { return name.find(',') == std::string::npos ? name : '"' + name + '"'; }

class Task {
 public:
  Task(const DesignStudy& study, const std::vector<std::string>& allowed, const RunOptions& options,
       const std::atomic<bool>* stop, ChosenDesign& out)
      : study_(study),
        options_(options),
        out_(out),
        model_(study, options, allowed, stop),
        problem_(study, model_),
        search_study_(model_.search()),
        verification_(model_.verification()),
        errors_(normal_quantile(study.confidence)),
        search_(problem_.problem(), {errors_, 1e-3}, [this](const Place& x) { return look_at(x); }) {
    search_study_.keep_all = false;
    search_study_.sensitivity = false;
    problem_.reader().ask(search_study_);
    problem_.reader().ask(verification_);
    if (counts()) problem_.check_resolution(double(search_study_.samples), errors_);
    for (const std::string& note : model_.loaded().notes()) tell(options_.on_note, note);
    model_.choose_stepping(search_study_);
  }

  void run() {
    if (!options_.folder.empty()) {
      create_folder(options_.folder);
      out_.lock = std::make_unique<FolderLock>(options_.folder);
    }
    open_log();
    search_.run(study_.evaluations);
    refuse_what_cannot_be_searched();
    FoundDesign& d = found_;
    for (long round = 1; search_.meets(); ++round) {
      verify(round);
      if (d.verified || round == most_verifications) break;
      search_.correct(corrections());
      search_.run(std::max(study_.evaluations, long(search_.designs().size()) + std::max(5L, study_.evaluations / 8)));
    }
    if (!search_.meets()) describe(-1, {});
    write();
    out_.found = std::make_shared<const FoundDesign>(std::move(found_));
    out_.resumable = false;
  }

 private:
  // Whether probabilities are shares of its realizations, which are as many as was asked for.
  bool counts() const { return method_kind(search_study_.method).spectra && !(search_study_.accuracy > 0); }

  // --- one design ---

  std::vector<double> key(long round, std::span<const double> values) const {
    std::vector<double> out{double(round)};
    out.insert(out.end(), values.begin(), values.end());
    return out;
  }
  EvaluationLog::Columns columns() const {
    EvaluationLog::Columns c{"statistics of designs", {"verification"}, {"cost"}};
    for (const Chosen& x : study_.chosen) c.at.push_back(x.name);
    for (const Statistic& s : problem_.statistics()) c.values.push_back(column(s.text())), c.values.push_back("standard error");
    return c;
  }
  std::string identity() const {
    const input::Description& d = model_.model().description;
    std::string out = results::version() + "\n" + study_.text + d.text;
    for (const input::ReferredFile& f : d.files) out += f.text;
    for (const Study* s : {&search_study_, &verification_})
      for (const auto& [name, value] : entries_of(*s)) out += name + " " + value + "\n";
    const Settings& t = model_.stepping();
    return out + fmt::format("{} {:.17g} {:.17g}", t.integrator, t.step, t.step_tolerance);
  }
  std::string log_file() const { return options_.folder.empty() ? "" : options_.folder + "/evaluations.csv"; }

  void open_log() {
    log_ = std::make_unique<EvaluationLog>(log_file(), columns(), identity(), options_.resume);
    out_.resumable = !options_.folder.empty();
    if (log_->known() > 0)
      tell(options_.on_note, fmt::format("continuing after {} evaluations", log_->known()));
    else if (options_.resume)
      tell(options_.on_note,
           fmt::format("{}: note: there is nothing of this study to resume in {}; starting", study_.file, options_.folder));
  }

  std::string words(std::span<const double> values) const {
    std::string out;
    for (size_t k = 0; k < values.size(); ++k)
      out += fmt::format("{}{} = {:.5g}", k > 0 ? ", " : "", study_.chosen[k].name, values[k]);
    return out;
  }

  // What a log line has: the cost, then value and error of each statistic; NaN where the design cannot be simulated.
  std::vector<double> line_of(std::span<const double> values, const std::vector<Estimate>& estimates) const {
    std::vector<double> line(1 + 2 * problem_.statistics().size(), std::nan(""));
    if (estimates.empty() && !problem_.statistics().empty()) return line;
    for (size_t j = 0; j < estimates.size(); ++j) line[1 + 2 * j] = estimates[j].value, line[2 + 2 * j] = estimates[j].error;
    std::vector<double> statistics;
    for (const Estimate& e : estimates) statistics.push_back(e.value);
    line[0] = problem_.cost()(values, statistics);
    if (!std::isfinite(line[0]))
      throw InputError(study_.cost.at, fmt::format("the cost '{}' is {} at {}", problem_.cost().text(),
                                                   std::isnan(line[0]) ? "not a number" : "infinite", words(values)))
          .in_file(study_.file);
    return line;
  }
  Observed observed_of(const Place& place, const std::vector<double>& line) const {
    if (std::isnan(line[0])) return {place, false, {}, {}};
    std::vector<Estimate> estimates;
    for (size_t j = 1; j + 1 < line.size(); j += 2) estimates.push_back({line[j], line[j + 1]});
    return problem_.observed(place, estimates);
  }

  RunOptions quietly(const std::string& phase) const {
    RunOptions o;
    if (options_.on_progress)
      o.on_progress = [this, phase](const Progress& p) {
        Progress told = p;
        told.phase = phase;
        options_.on_progress(told);
      };
    return o;
  }

  std::vector<Estimate> simulated(std::span<const double> values) {
    const long number = long(search_.designs().size()) + 1;
    const std::string phase = fmt::format("realizations of design {} of at most {}", number, study_.evaluations);
    if (options_.on_progress) options_.on_progress({.phase = phase, .done = 0, .planned = search_study_.samples});
    try {
      const SessionResult r = model_.study_at(values, search_study_, quietly(phase));
      const results::StudyResult& result = r.data->result;
      if (r.outcome == Outcome::stopped || !r.concluded ||
          double(result.statistics.missing) > simulated_share * double(result.done)) {
        if (why_.empty()) why_ = fmt::format("{}: {}", words(values), !r.reason.empty() ? r.reason : "most realizations failed");
        return {};
      }
      failed_ += r.failed, simulated_ += r.simulated;
      return problem_.reader().read(result);
    } catch (const SimulationError& e) {
      if (why_.empty()) why_ = fmt::format("{}: {}", words(values), e.what());
    } catch (const std::invalid_argument& e) {
      throw InputError({}, e.what()).in_file(study_.file);
    } catch (const InputError& e) {
      if (e.file() == study_.file) throw;
      if (why_.empty()) why_ = fmt::format("{}: {}", words(values), e.what());
    }
    return {};
  }

  Observed look_at(const Place& place) {
    throw_if_cancelled();
    const std::vector<double> values = model_.values(place), at = key(0, values);
    if (const std::vector<double>* known = log_->find(at)) return observed_of(place, *known);
    const std::vector<double> line = line_of(values, simulated(values));
    log_->add(at, line);
    return observed_of(place, line);
  }

  void refuse_what_cannot_be_searched() const {
    if (search_.best() < 0)
      throw SimulationError(fmt::format("{}: no design could be simulated; the first: {}", study_.file, why_));
    const double spread = search_.stand_in().cost_spread();
    const double cost = search_.cost(search_.designs()[size_t(search_.best())]);
    if (!(spread > 1e-12 * std::abs(cost)))
      throw InputError(study_.cost.at,
                       fmt::format("the cost '{}' is {:.6g} at all {} designs looked at: there is nothing to minimise",
                                   problem_.cost().text(), cost, search_.designs().size()))
          .in_file(study_.file);
  }

  // --- verification ---

  struct Verification {
    size_t design;
    Observed fresh;
  };

  void verify(long round) {
    const size_t best = size_t(search_.best());
    const Place place = search_.designs()[best].at;
    const std::vector<double> values = model_.values(place);
    Study study = verification_;
    study.seed += std::uint64_t(round - 1);
    const std::vector<double> at = key(round, values);
    if (const std::vector<double>* known = log_->find(at); known && !std::isnan((*known)[0])) {
      const Observed fresh = observed_of(place, *known);
      describe(long(best), fresh);
      if (!found_.verified && round < most_verifications) {  // there is nothing to show of it
        verifications_.push_back({best, fresh});
        return;
      }
    }
    const std::string phase =
        round == 1 ? "realizations of the verification" : fmt::format("realizations of verification {}", round);
    RunOptions o = quietly(phase);
    o.folder = options_.folder;
    o.overwrite = true;
    o.command_line = options_.command_line;
    if (options_.on_progress) options_.on_progress({.phase = phase, .done = 0, .planned = study.samples});
    out_.verification = model_.study_at(values, study, o);
    if (out_.verification.outcome != Outcome::complete || !out_.verification.concluded)
      throw SimulationError(
          fmt::format("{}: the study that verifies the design could not be finished: {}", study_.file, out_.verification.reason));
    const std::vector<double> line = line_of(values, problem_.reader().read(out_.verification.data->result));
    log_->add(at, line);
    verifications_.push_back({best, observed_of(place, line)});
    found_.verified_seed = study.seed;
    describe(long(best), verifications_.back().fresh);
  }

  // Fresh random numbers shift a statistic at all designs alike, by what they and those of the search say together.
  std::vector<Correction> corrections() const {
    std::vector<Correction> out(problem_.statistics().size());
    for (size_t j = 0; j < out.size(); ++j) {
      double weights = 0, shift = 0, own = 0;
      for (const Verification& v : verifications_) {
        const Observed& searched = search_.designs()[v.design];
        const double tiny = 1e-12 * (std::abs(searched.z[j]) + 1e-300);
        const double fresh = std::max(v.fresh.error[j], tiny);
        own = std::max(searched.error[j], tiny);
        weights += 1 / (fresh * fresh);
        shift += (v.fresh.z[j] - searched.z[j]) / (fresh * fresh);
      }
      weights += 1 / (own * own);
      out[j] = {shift / weights, 1 / (std::sqrt(weights) * own)};
    }
    return out;
  }

  // --- what was found ---

  // The design `chosen` with what fresh random numbers say of it; −1: none meets the constraints, and the one that misses least is told.
  void describe(long chosen, const Observed& fresh) {
    FoundDesign& d = found_;
    const bool met = chosen >= 0;
    d.chosen = met ? chosen : search_.best();
    d.met = met;
    const Observed& design = search_.designs()[size_t(d.chosen)];
    const std::vector<double> values = model_.values(design.at);
    const StandIn::At at = corrected(design, search_.corrections());
    d.title = study_.title, d.file = study_.file, d.model = study_.model, d.cost_text = problem_.cost().text();
    d.method = search_study_.method;
    d.samples = search_study_.samples, d.verified_samples = verification_.samples;
    d.seed = search_study_.seed;
    d.confidence = study_.confidence;
    d.converged = search_.converged();
    d.verifications = long(verifications_.size());
    const Estimate cost = problem_.cost(values, at);
    d.cost = {cost.value, cost.error};
    d.parameters.clear();
    for (size_t k = 0; k < values.size(); ++k) {
      const Chosen& c = study_.chosen[k];
      const double place = design.at[k];
      d.parameters.push_back({c.name, c.from, c.to, c.logarithmic, model_.written(k), values[k],
                              place < 1e-6       ? -1
                              : place > 1 - 1e-6 ? 1
                                                 : 0});
    }
    d.constraints.clear();
    d.verified = met;
    for (size_t i = 0; i < problem_.constraints().size(); ++i) {
      d.constraints.push_back(constraint(i, design, values, at));
      if (!met) continue;
      FoundDesign::Constraint& c = d.constraints.back();
      const StandIn::At there{fresh.z, fresh.error, std::vector<double>(fresh.z.size(), 0.0), 1};
      const Predicted g = StandIn::of(problem_.problem().constraints[i], design.at, there);
      const Estimate left = problem_.left(i, values, there);
      c.verified = {left.value, left.error};
      c.verified_sure = sure_of(g.value, g.error);
      c.confirmed = g.value <= 0;
      d.verified = d.verified && c.confirmed;
      const Estimate verified = problem_.cost(values, there);
      d.verified_cost = {verified.value, verified.error};
    }
    if (met && problem_.constraints().empty()) {
      const StandIn::At there{fresh.z, fresh.error, std::vector<double>(fresh.z.size(), 0.0), 1};
      const Estimate verified = problem_.cost(values, there);
      d.verified_cost = {verified.value, verified.error};
    }
  }

  FoundDesign::Constraint constraint(size_t i, const Observed& design, const std::vector<double>& values,
                                     const StandIn::At& at) const {
    FoundDesign::Constraint c;
    c.text = problem_.constraints()[i].text;
    c.at_most = problem_.constraints()[i].at_most;
    c.bound = problem_.bound(i, values);
    const Estimate left = problem_.left(i, values, at);
    c.found = {left.value, left.error};
    const auto missed = [&](const Observed& o) {
      const Predicted g = StandIn::of(problem_.problem().constraints[i], o.at, corrected(o, search_.corrections()));
      return (g.value + errors_ * g.error) / search_.stand_in().spread(i);
    };
    const Predicted g = StandIn::of(problem_.problem().constraints[i], design.at, at);
    c.sure = sure_of(g.value, g.error);
    c.holds = missed(design) <= 0;
    c.active = std::abs(missed(design)) < active_within;
    c.everywhere = c.nowhere = true;
    double least = INFINITY;
    for (const Observed& o : search_.designs()) {
      if (!o.ok) continue;
      const double m = missed(o);
      (m <= 0 ? c.nowhere : c.everywhere) = false;
      if (m >= least) continue;
      least = m;
      c.nearest = problem_.left(i, model_.values(o.at), corrected(o, search_.corrections())).value;
    }
    if (c.everywhere) c.active = false;
    return c;
  }

  void list_evaluations() {
    for (const Observed& o : search_.designs()) {
      FoundDesign::Evaluation e;
      e.values = model_.values(o.at);
      e.simulated = o.ok;
      e.left.resize(problem_.constraints().size());
      if (o.ok) {
        const StandIn::At at = corrected(o, search_.corrections());
        e.cost = search_.cost(o);
        e.meets = search_.missed(o) <= 0 || problem_.constraints().empty();
        for (size_t i = 0; i < e.left.size(); ++i) {
          const Estimate left = problem_.left(i, e.values, at);
          e.left[i] = {left.value, left.error};
        }
      }
      found_.evaluations.push_back(std::move(e));
    }
  }

  // Of the constraint that limits the cost: decades of a probability, tenths of other bounds.
  void add_trade_off() {
    for (size_t i = 0; i < found_.constraints.size() && found_.trade_off_of < 0; ++i)
      if (found_.constraints[i].active && problem_.has_fixed_bound(i)) found_.trade_off_of = int(i);
    if (found_.trade_off_of < 0) return;
    const size_t of = size_t(found_.trade_off_of);
    const double bound = found_.constraints[of].bound;
    TradeOffRequest q{problem_.problem(), search_, of, {}, {}};
    for (int k = -4; k <= 4; ++k) {
      const double size = bound != 0 ? std::abs(bound) : search_.stand_in().spread(of);
      const double target = problem_.is_probability(of) ? bound * std::pow(10, k / 2.0) : bound + 0.1 * k * size;
      const bool countable = !counts() || target * double(search_study_.samples) >= 2;
      if (problem_.is_probability(of) && (target > 0.5 || !countable)) continue;
      q.targets.push_back(target);
      q.shifts.push_back(problem_.as_interpolated(of, bound) - problem_.as_interpolated(of, target));
    }
    if (options_.on_progress)
      options_.on_progress({.phase = "bounds of the trade-off curve", .done = 0, .planned = long(q.targets.size())});
    std::vector<Place> places;
    found_.trade_off = trade_off(q, places);
    for (size_t k = 0; k < places.size(); ++k) found_.trade_off[k].values = model_.values(places[k]);
  }

  void write() {
    FoundDesign& d = found_;
    list_evaluations();
    add_trade_off();
    if (simulated_ > 0 && double(failed_) > 0.001 * double(simulated_))
      d.notes.push_back(
          fmt::format("{:.2g} % of all simulations failed and were excluded.", 100.0 * double(failed_) / double(simulated_)));
    if (!why_.empty())
      d.notes.push_back(fmt::format("Some designs could not be simulated and were avoided; the first: {}", why_));
    add_words(d);
    if (options_.folder.empty()) return;
    // Again, in the order of the search: the same bytes, however often it was interrupted.
    EvaluationLog log(log_file(), columns(), identity(), false);
    for (const Observed& o : search_.designs()) {
      const std::vector<double> at = key(0, model_.values(o.at));
      log.add(at, *log_->find(at));
    }
    for (size_t v = 0; v < verifications_.size(); ++v) {
      const std::vector<double> at = key(long(v) + 1, model_.values(verifications_[v].fresh.at));
      log.add(at, *log_->find(at));
    }
    write_trade_off(options_.folder + "/tradeoff.csv", d);
  }

  const DesignStudy& study_;
  const RunOptions& options_;
  ChosenDesign& out_;
  DesignedModel model_;
  DesignProblem problem_;
  Study search_study_, verification_;
  double errors_;
  Search search_;
  std::unique_ptr<EvaluationLog> log_;
  std::vector<Verification> verifications_;
  FoundDesign found_;
  std::string why_;  // the first design that could not be simulated
  long failed_ = 0, simulated_ = 0;
};

}  // namespace

ChosenDesign choose_design(const DesignStudy& study, const std::vector<std::string>& allowed, const RunOptions& options,
                           const std::atomic<bool>* stop) {
  const CancellationScope scope(stop);
  ChosenDesign out;
  try {
    Task(study, allowed, options, stop, out).run();
  } catch (const Cancelled&) {
    out.interrupted = true;
  }
  return out;
}

}  // namespace aleator::core::optimisation
