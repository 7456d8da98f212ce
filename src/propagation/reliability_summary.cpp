#include "propagation/reliability_summary.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace aleator::core {

namespace {

using results::Reliability;
using Members = std::vector<const reliability::Harvest::Member*>;

constexpr size_t curve_points = 80;

double square_of_length(const std::vector<double>& u) { return std::inner_product(u.begin(), u.end(), u.begin(), 0.0); }

double largest(const std::vector<double>& x) { return *std::max_element(x.begin(), x.end()); }

// The coefficient of variation of an estimate of the probability p. Of levels: those before add up, the one in which p lies has a part
// (1 − q)/q of its own, q the probability of p in it. Of weights: that of their sum.
class CurveError {
 public:
  CurveError(const Reliability& found) : levels_(found.levels) {}
  double operator()(double p, double squares) const {
    if (levels_.empty()) return std::sqrt(std::max(0.0, squares / (p * p)));
    double before = 1, sum = 0;
    for (const Reliability::Level& l : levels_) {
      const double all = l.cov * l.cov;
      if (p >= before * l.probability || &l == &levels_.back()) {
        const double q = std::min(1.0, p / before), own = l.probability < 1 ? (1 - l.probability) / l.probability : 1;
        return std::sqrt(sum + all * (1 - q) / q / own);
      }
      sum += all;
      before *= l.probability;
    }
    return std::sqrt(sum);
  }

 private:
  const std::vector<Reliability::Level>& levels_;
};

// P(extreme beyond b) for b at which it is a smooth row of probabilities, from what most realizations pass to the last one.
Reliability::Curve curve_of(const FailureEvent::Limit& limit, size_t l, bool random, const reliability::Harvest& harvest,
                            const Reliability& found) {
  Reliability::Curve c{limit.name, limit.unit, {}, {}, {}, {}};
  std::vector<const reliability::Harvest::Member*> sorted;
  for (const auto& m : harvest.members)
    if (m.weight > 0) sorted.push_back(&m);
  if (sorted.empty()) return c;
  std::stable_sort(sorted.begin(), sorted.end(), [&](const auto* a, const auto* b) { return a->excess[l] > b->excess[l]; });
  const double least = sorted.front()->weight;
  const CurveError error(found);
  const double sign = limit.above ? 1 : -1, zero = random ? 0 : limit.value;
  double p = 0, squares = 0, next = 0;
  for (size_t i = 0; i < sorted.size(); ++i) {
    p += sorted[i]->weight, squares += sorted[i]->weight * sorted[i]->weight;
    const bool last = i + 1 == sorted.size();
    if (p < next && !last) continue;
    next = p * std::pow(1 / least, 1.0 / double(curve_points));
    const double cov = error(p, squares), factor = std::exp(1.96 * std::sqrt(std::log1p(cov * cov)));
    c.b.push_back(zero + sign * sorted[i]->excess[l] * limit.scale);
    c.probability.push_back(std::min(1.0, p));
    c.lower.push_back(std::min(1.0, p / factor));
    c.upper.push_back(std::min(1.0, p * factor));
  }
  for (std::vector<double>* x : {&c.b, &c.probability, &c.lower, &c.upper}) std::reverse(x->begin(), x->end());
  return c;
}

struct WeightedMoments {
  double weight = 0, mean = 0, squares = 0;
  void add(double w, double x) {
    weight += w;
    const double step = x - mean;
    mean += w / weight * step;
    squares += w * step * (x - mean);
  }
  double std() const { return weight > 0 ? std::sqrt(std::max(0.0, squares / weight)) : 0; }
};

// What failure has to do with each column.
void add_causes(const Task& task, const StandardSpace& space, const reliability::Harvest& harvest, const Members& failing,
                Reliability& found) {
  const RandomModel& random = task.random;
  std::vector<WeightedMoments> before(random.columns().size()), given(before.size());
  for (const auto& m : harvest.members) {
    if (!(m.weight > 0)) continue;
    const std::vector<double> x = space.sample(m.point.u, m.point.stream);
    for (size_t c = 0; c < before.size(); ++c) before[c].add(m.weight, x[c]);
  }
  double total = 0;
  for (const auto* m : failing) total += m->weight;
  for (const auto* m : failing) {
    const std::vector<double> x = space.sample(m->point.u, m->point.stream);
    for (size_t c = 0; c < given.size(); ++c) given[c].add(m->weight / total, x[c]);
    found.failures.inputs.insert(found.failures.inputs.end(), x.begin(), x.begin() + long(given.size()));
    found.failures.weights.push_back(m->weight / total);
    found.failures.excess.push_back(largest(m->excess));
    found.failures.limit.push_back(int(std::max_element(m->excess.begin(), m->excess.end()) - m->excess.begin()));
  }
  for (const Quantity& q : random.quantities()) {
    if (q.is_draw()) continue;  // stands for nothing by itself
    for (size_t i = 0; i < q.columns.size(); ++i) {
      const size_t c = size_t(q.first_column) + i;
      Reliability::Cause cause;
      cause.column = q.columns[i], cause.unit = random.units()[c];
      const bool known = q.scalar && std::isfinite(q.scalar->mean()) && std::isfinite(q.scalar->standard_deviation());
      cause.mean = known ? q.scalar->mean() : before[c].mean;
      cause.std = known ? q.scalar->standard_deviation() : before[c].std();
      cause.mean_failing = given[c].mean, cause.std_failing = given[c].std();
      cause.shift = cause.std > 0 && !failing.empty() ? (cause.mean_failing - cause.mean) / cause.std : 0;
      for (size_t v = 0; v < found.variables.size() && !found.design_points.empty(); ++v)
        if (found.variables[v] == cause.column && v < found.design_points[0].importance.size())
          cause.importance = found.design_points[0].importance[v];
      found.causes.push_back(std::move(cause));
    }
  }
}

}  // namespace

Members failures_of(const reliability::Harvest& harvest) {
  Members out;
  for (const auto& m : harvest.members)
    if (m.weight > 0 && largest(m.excess) > 0) out.push_back(&m);
  return out;
}

std::vector<long> most_probable(const Members& failures, size_t most) {
  std::vector<long> order(failures.size());
  std::iota(order.begin(), order.end(), 0L);
  std::vector<double> length;
  for (const auto* m : failures) length.push_back(square_of_length(m->point.u));
  std::stable_sort(order.begin(), order.end(), [&](long a, long b) { return length[size_t(a)] < length[size_t(b)]; });
  // Chains have states that are repeated.
  std::vector<long> out;
  for (const long k : order) {
    const auto same = [&](long other) { return failures[size_t(other)]->point.u == failures[size_t(k)]->point.u; };
    if (out.size() < most && std::none_of(out.begin(), out.end(), same)) out.push_back(k);
  }
  return out;
}

std::string with_names(std::string sentence, const FailureEvent& event) {
  for (size_t l = event.limits().size(); l-- > 0;) {  // from the last one: "limit #1" begins "limit #12"
    const std::string number = "limit #" + std::to_string(l), name = "limit '" + event.limits()[l].name + "'";
    for (size_t at = 0; (at = sentence.find(number, at)) != std::string::npos; at += name.size())
      sentence.replace(at, number.size(), name);
  }
  return sentence;
}

void summarise(const Task& task, const FailureEvent& event, const StandardSpace& space, const reliability::Harvest& harvest,
               Reliability& found) {
  found.variables.assign(space.names().begin(), space.names().end());
  for (size_t i = 0; i < found.of.size(); ++i) {
    Reliability::Probability& p = found.of[i];
    if (i >= event.limits().size()) {
      p.limit = "any";
      continue;
    }
    const FailureEvent::Limit& l = event.limits()[i];
    p.limit = l.name, p.unit = l.unit;
    if (!event.random()) p.value = l.value;
  }
  for (std::string& doubt : found.doubts) doubt = with_names(std::move(doubt), event);
  const bool always = !found.of.empty() && found.of.back().probability >= 1;
  if (always) found.doubts.push_back("Every realization failed. Are the limits those that were meant?");
  for (Reliability::DesignPoint& d : found.design_points) {
    const size_t limit = size_t(std::atol(d.limit.c_str()));
    if (limit < event.limits().size()) d.limit = event.limits()[limit].name;
    const std::vector<double> x = space.sample(d.u, 0);
    d.inputs.assign(x.begin(), x.begin() + long(task.random.columns().size()));
  }
  for (size_t l = 0; l < event.limits().size(); ++l)
    found.curves.push_back(curve_of(event.limits()[l], l, event.random(), harvest, found));
  add_causes(task, space, harvest, failures_of(harvest), found);
}

}  // namespace aleator::core
