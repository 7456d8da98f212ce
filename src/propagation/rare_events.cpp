// Methods for rare events (reliability/) as methods of a study: their points become rows, responses become excesses over limits, and what they find results.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "design/standard_space.hpp"
#include "propagation/failure_event.hpp"
#include "propagation/method.hpp"
#include "propagation/reliability_summary.hpp"
#include "reliability/harvest.hpp"
#include "reliability/methods.hpp"

namespace aleator::core {
namespace {

using reliability::Procedure;
using reliability::Response;

constexpr size_t failures_shown = 8;  // simulated once more, with the motion of the bodies

// What a method is given.
struct Assignment {
  reliability::Space space;
  reliability::Settings settings;
  std::vector<reliability::ChannelLimit> linear;
  results::Reliability& found;
  reliability::Harvest& harvest;
};
using Start = Procedure (*)(const Assignment&);
using PartWords = std::string (*)(const Study& study, const StudyPart& part);  // what a part does; none: there are no parts

class RareEvents final : public Method {
 public:
  // `smooth`: the method needs a map from standard normal numbers that has derivatives.
  RareEvents(const Task& task, Start start, bool smooth, PartWords words)
      : task_(task), event_(task), space_(task.model, task.random, task.study.seed), words_of_part_(words) {
    if (smooth) refuse_jumps();
    procedure_ = start({space(), settings(), linear_limits(), found_, harvest_});
    if (procedure_.done()) throw std::logic_error("a method for rare events asks for nothing");
    if (!procedure_.request().of_parts.empty()) keep_scales();
    plan_.samples = long(procedure_.request().points.size());
    follows_law_ = procedure_.request().of_the_law;
    plan_.aside = std::make_shared<Aside>();
    plan_.aside->open = true;
    plan_.aside->first = 0;
    plan_.aside->of_sample = plan_.samples;
  }

  const Plan& plan() const override { return plan_; }
  bool needs_responses() const override { return true; }
  bool samples_the_law() const override { return follows_law_; }
  bool extends() const override { return false; }
  bool digests() const override { return true; }

  // Of the sample: its points do not depend on any answer.
  std::vector<double> sample(const Task&, long realization) const override {
    const reliability::Point& p = procedure_.request().points.at(size_t(realization));
    return space_.sample(p.u, p.stream);
  }

  long first_rows() override {
    if (plan_.aside->samples.empty()) place_request();
    return plan_.aside->end();
  }

  // The excesses are enough, but for rows whose course is asked for.
  void digest(long row, const std::vector<double>& sample, std::vector<double>& values) const override {
    std::vector<double> kept = event_.excess(sample, values);
    if (with_values_ || row >= plan_.aside->poses_from) kept.insert(kept.end(), values.begin(), values.end());
    values = std::move(kept);
  }

  void take_aside(long row, bool ok, const std::string& why, const std::vector<double>& values,
                  const std::vector<double>& poses) override {
    if (!ok && failures_.why.empty()) failures_.why = why;
    if (!ok) ++failures_.failed;
    Response r;
    const size_t n = event_.limits().size();
    if (ok && values.size() >= n) {
      r.excess.assign(values.begin(), values.begin() + long(n));
      r.values.assign(values.begin() + long(n), values.end());
    }
    if (row >= plan_.aside->poses_from && r.ok()) {
      const reliability::Point& p = failures_of(harvest_)[size_t(shown_[size_t(row - plan_.aside->poses_from)])]->point;
      found_.failures.kept.push_back(shown_[size_t(row - plan_.aside->poses_from)]);
      found_.failures.normals.insert(found_.failures.normals.end(), p.u.begin() + long(space_.named()), p.u.end());
      found_.failures.histories.insert(found_.failures.histories.end(), r.values.begin(), r.values.end());
      found_.failures.poses.insert(found_.failures.poses.end(), poses.begin(), poses.end());
    } else {
      answers_.push_back(std::move(r));
    }
  }
  AsideFailures aside_failures() const override { return {failures_.failed, plan_.aside->end(), failures_.why}; }

  Origin origin(long row) const override { return row < long(origins_.size()) ? origins_[size_t(row)] : Origin{}; }
  std::string about_part() const override {
    const StudyPart& part = task_.part;
    if (part.number == 0 || part.of < 2) return "";
    return fmt::format("part {} of {}: {}", part.number, part.of, words_of_part_(task_.study, part));
  }
  void check_part() const override {
    if (!obstacle_.empty()) throw NotPossible(with_names(obstacle_, event_));
  }

  std::string phase(long row) const override {
    if (row >= plan_.aside->poses_from) return "failures";
    return ended_ ? "" : procedure_.request().phase;
  }

  long enough(long done, const analysis::Accumulator& so_far, results::StudyResult& result) override {
    if (done < plan_.aside->end()) return plan_.aside->end();
    if (ended_) return done;
    if (done == plan_.samples) answer_first(so_far, result);
    forget_samples();
    try {
      procedure_.answer(std::move(answers_));
      answers_.clear();
      ended_ = procedure_.done();
    } catch (const std::exception& e) {  // it cannot go on: what it says is told in the end
      ended_ = true;
      obstacle_ = e.what();
    }
    if (!ended_)
      place_request();
    else if (obstacle_.empty() && task_.part.number == 0)
      place_failures();
    return plan_.aside->end();
  }

  void conclude(const analysis::StatisticsRequest&, const analysis::Accumulator&, results::StudyResult& result) const override {
    check_part();
    auto found = std::make_shared<results::Reliability>(found_);
    found->method = task_.study.method;
    summarise(task_, event_, space_, harvest_, *found);
    for (size_t l = 0; l < event_.limits().size(); ++l) {  // one answer, not two
      const results::Reliability::Probability& p = found->of[l];
      result.statistics.limits[event_.limits()[l].index].ever = {{p.probability, p.probability * p.cov}, {p.lower, p.upper}};
    }
    result.reliability = std::move(found);
  }

 private:
  reliability::Space space() const {
    return {.dimension = space_.dimension(),
            .named = space_.named(),
            .limits = event_.limits().size(),
            .streams = !space_.streams().empty(),
            .discrete = space_.discrete(),
            .seed = task_.study.seed};
  }
  reliability::Settings settings() const {
    const Study& s = task_.study;
    reliability::Settings out;
    out.samples = s.accuracy > 0 ? method_kind(s.method).usual_samples : s.samples;
    out.accuracy = s.accuracy;
    out.sets = s.reliability.sets;
    out.level_probability = s.reliability.level_probability;
    out.smallest = s.reliability.smallest;
    if (s.accuracy > 0) out.most = s.samples;
    if (task_.part.of > 0) out.share = {task_.part.number - 1, task_.part.of};
    return out;
  }
  std::vector<reliability::ChannelLimit> linear_limits() const {
    std::vector<reliability::ChannelLimit> out;
    if (event_.random()) return out;
    for (const FailureEvent::Limit& l : event_.limits()) {
      if (l.scalar >= 0) return {};  // no response that is linear at each time
      out.push_back({l.channel, int(task_.model.channels.size()), l.value, l.above});
    }
    return out;
  }

  void place_request() {
    with_values_ = procedure_.request().with_values;
    for (const reliability::Point& p : procedure_.request().points) plan_.aside->samples.push_back(space_.sample(p.u, p.stream));
    if (task_.part.of > 0 && task_.part.number == 0) find_origins(procedure_.request());
  }

  // Parts have simulated the points of a request one after the other, each its own, or each all of them.
  void find_origins(const reliability::Request& request) {
    next_of_part_.resize(size_t(task_.part.of), 0);
    if (request.of_parts.empty()) {
      for (size_t k = 0; k < request.points.size(); ++k) origins_.push_back({0, next_of_part_[0] + long(k), true});
      for (long& next : next_of_part_) next += long(request.points.size());
    }
    for (size_t part = 0; part < request.of_parts.size(); ++part)
      for (long k = 0; k < request.of_parts[part]; ++k) origins_.push_back({long(part), next_of_part_[part]++, false});
  }

  // The scale of a limit that is 0 is that of the first realizations, and parts have different ones. It is without effect where there is one limit.
  void keep_scales() {
    settles_ = false;
    for (const FailureEvent::Limit& l : event_.limits())
      if (l.value == 0 && event_.limits().size() > 1)
        throw std::invalid_argument(fmt::format(
            "it cannot be divided into parts: the limit '{}' is 0, and how far a realization is from it, compared with "
            "the other limits, is told by the first realizations of the whole study. Use mpirun, or count it from another "
            "origin",
            l.name));
  }

  // Of realizations that are there, only their number matters: thousands of random numbers each would fill the memory.
  void forget_samples() {
    for (; forgotten_ < plan_.aside->samples.size(); ++forgotten_) std::vector<double>().swap(plan_.aside->samples[forgotten_]);
  }

  // Rows of the sample did not come aside.
  void answer_first(const analysis::Accumulator& rows, const results::StudyResult& result) {
    const size_t columns = result.columns.size();
    answers_.assign(size_t(plan_.samples), {});
    std::vector<std::vector<double>> excesses(answers_.size());
    for (size_t k = 0; k < answers_.size(); ++k) {
      if (!result.ok[k]) continue;
      std::vector<double> values = rows.response(long(k));
      const std::vector<double> sample(result.inputs.begin() + long(k * columns),
                                       result.inputs.begin() + long((k + 1) * columns));
      excesses[k] = event_.excess(sample, values);
      if (with_values_) answers_[k].values = std::move(values);
    }
    if (settles_) event_.settle_scales(excesses);
    for (size_t k = 0; k < answers_.size(); ++k) answers_[k].excess = std::move(excesses[k]);
  }

  // The most probable failures once more, with their motion.
  void place_failures() {
    const std::vector<const reliability::Harvest::Member*> failing = failures_of(harvest_);
    shown_ = most_probable(failing, failures_shown);
    plan_.aside->poses_from = plan_.aside->end();
    for (const long k : shown_) {
      const reliability::Point& p = failing[size_t(k)]->point;
      plan_.aside->samples.push_back(space_.sample(p.u, p.stream));
    }
  }

  void refuse_jumps() const {
    const char* const remedy = "Use subset-simulation, which needs none, or fix it (--set)";
    if (!space_.streams().empty())
      throw std::invalid_argument(fmt::format("{} {} drawn by rejection: there is no smooth map from normal numbers to {}. {}",
                                              fmt::join(space_.streams(), ", "), space_.streams().size() == 1 ? "is" : "are",
                                              space_.streams().size() == 1 ? "it" : "them", remedy));
    if (!space_.discrete().empty())
      throw std::invalid_argument(
          fmt::format("'{}' takes single values only, so that failure is no smooth function of it and has no design point. {}",
                      space_.names()[size_t(space_.discrete()[0])], remedy));
  }

  Task task_;
  FailureEvent event_;
  StandardSpace space_;
  Plan plan_;
  bool follows_law_ = true, with_values_ = false, ended_ = false;
  results::Reliability found_;
  reliability::Harvest harvest_;
  Procedure procedure_;
  std::vector<Response> answers_;  // of the rows of the request that are there
  std::vector<long> shown_;        // failures, by their number among those of the harvest
  AsideFailures failures_;
  size_t forgotten_ = 0;
  PartWords words_of_part_;
  bool settles_ = true;          // scales of limits that are 0
  std::vector<Origin> origins_;  // of joined parts
  std::vector<long> next_of_part_;
  std::string obstacle_;
};

std::string words_of_subset_simulation(const Study& s, const StudyPart& part) {
  const long sets = std::max<long>(s.reliability.sets, part.of), of_set = (s.samples + sets - 1) / sets;
  const reliability::Share own{part.number - 1, part.of};
  const long here = own.end(sets) - own.begin(sets);
  std::string words = fmt::format("a subset simulation of its own, with {} realizations per level in {} of the {} sets",
                                  here * of_set, here, sets);
  if (s.reliability.sets < part.of)
    words += fmt::format("; `sets` says {}, and each part needs one", s.reliability.sets);
  else if (sets % part.of != 0)
    words += fmt::format("; {} parts do not divide {} sets evenly", part.of, sets);
  return words;
}
std::string words_of_importance_sampling(const Study&, const StudyPart& part) {
  return fmt::format("it searches for design points and takes the pilot sample, as every part does, and 1/{} of the sample",
                     part.of);
}
std::string words_of_enhanced_monte_carlo(const Study& s, const StudyPart& part) {
  const reliability::Share own{part.number - 1, part.of};
  return fmt::format("realizations {} to {} of {}", own.begin(s.samples), own.end(s.samples) - 1, s.samples);
}

template <Procedure (*method)(reliability::Space, reliability::Settings, results::Reliability&, reliability::Harvest&),
          bool smooth, PartWords words = nullptr>
std::unique_ptr<Method> make(const Task& task) {
  const Start start = [](const Assignment& a) { return method(a.space, a.settings, a.found, a.harvest); };
  return std::make_unique<RareEvents>(task, start, smooth, words);
}
std::unique_ptr<Method> make_importance_sampling(const Task& task) {
  const Start start = [](const Assignment& a) { return importance_sampling(a.space, a.settings, a.linear, a.found, a.harvest); };
  return std::make_unique<RareEvents>(task, start, true, words_of_importance_sampling);
}

// --- how many realizations ---

std::string at_most(const Study& s) { return fmt::format("at most {} samples in all", s.samples); }
std::string size_by_levels(const Study& s) {
  return s.accuracy > 0
             ? at_most(s)
             : fmt::format("{} samples per level in {} set{}", s.samples, s.reliability.sets, s.reliability.sets == 1 ? "" : "s");
}
std::string size_about_points(const Study& s) {
  return s.accuracy > 0 ? at_most(s) : fmt::format("{} samples, after a search for design points", s.samples);
}
std::string size_on_lines(const Study& s) {
  return s.accuracy > 0 ? at_most(s)
                        : fmt::format("about {} samples on lines, after a search for design points", std::max(180L, s.samples));
}
std::string size_of_search(const Study&) { return "as many samples as its search takes"; }

constexpr char one_search[] = "is one search, each step of which needs the one before; use threads, or mpirun";
constexpr char turned_lines[] =
    "turns its lines by what those before have found, and takes few simulations; use threads, mpirun or importance-sampling";

}  // namespace

extern const MethodKind subset_simulation_method, form_method, sorm_method, importance_sampling_method, line_sampling_method,
    enhanced_monte_carlo_method;

constinit const MethodKind subset_simulation_method = {
    .name = "subset-simulation",
    .make = make<reliability::subset_simulation, false, words_of_subset_simulation>,
    .design = monte_carlo_design,
    .divisible = false,
    .in_shares = true,
    .usual_samples = 1000,
    .size = size_by_levels,
    .numbers_of_processes = true};
constinit const MethodKind form_method = {.name = "form",
                                          .make = make<reliability::form, true>,
                                          .design = monte_carlo_design,
                                          .divisible = false,
                                          .undivided = one_search,
                                          .to_accuracy = false,
                                          .usual_samples = 1000,
                                          .size = size_of_search,
                                          .numbers_of_processes = true};
constinit const MethodKind sorm_method = {.name = "sorm",
                                          .make = make<reliability::sorm, true>,
                                          .design = monte_carlo_design,
                                          .divisible = false,
                                          .undivided = one_search,
                                          .to_accuracy = false,
                                          .usual_samples = 1000,
                                          .size = size_of_search,
                                          .numbers_of_processes = true};
constinit const MethodKind importance_sampling_method = {.name = "importance-sampling",
                                                         .make = make_importance_sampling,
                                                         .design = monte_carlo_design,
                                                         .divisible = false,
                                                         .in_shares = true,
                                                         .usual_samples = 1000,
                                                         .size = size_about_points,
                                                         .numbers_of_processes = true};
constinit const MethodKind line_sampling_method = {.name = "line-sampling",
                                                   .make = make<reliability::line_sampling, true>,
                                                   .design = monte_carlo_design,
                                                   .divisible = false,
                                                   .undivided = turned_lines,
                                                   .usual_samples = 100,
                                                   .size = size_on_lines,
                                                   .numbers_of_processes = true};
constinit const MethodKind enhanced_monte_carlo_method = {
    .name = "enhanced-monte-carlo",
    .make = make<reliability::enhanced_monte_carlo, false, words_of_enhanced_monte_carlo>,
    .design = monte_carlo_design,
    .divisible = false,
    .in_shares = true,
    .to_accuracy = false,
    .usual_samples = 20000,
    .numbers_of_processes = true};

}  // namespace aleator::core
