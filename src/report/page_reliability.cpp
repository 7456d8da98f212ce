// How probable it is that limits are passed, and what then happens. The motions of failures are with the others (page_motion.cpp).
#include <algorithm>
#include <cmath>

#include "report/page_parts.hpp"
#include "results/read_reliability.hpp"

namespace aleator::core::report {
namespace {

using results::Reliability;

constexpr std::size_t most_causes = 24;     // shown with their distributions
constexpr std::size_t most_failing = 1000;  // rows of these

void put_probabilities(PageContext& c, const Reliability& r) {
  c.json.key("of").array();
  for (const Reliability::Probability& p : r.of) {
    c.json.object().key("limit").string(p.limit).key("unit").string(p.unit);
    c.put_number("value", p.value);
    c.put_number("probability", p.probability);
    c.put_number("cov", p.cov);
    c.put_number("lower", p.lower);
    c.put_number("upper", p.upper);
    c.put_number("beta", p.beta());
    c.json.end();
  }
  c.json.end();
}

void put_series(PageContext& c, const char* key, const std::vector<double>& values) {
  c.json.key(key);
  c.block.exact(c.json, values);
}

void put_curves(PageContext& c, const Reliability& r) {
  c.json.key("curves").array();
  for (const Reliability::Curve& x : r.curves) {
    c.json.object().key("limit").string(x.limit).key("unit").string(x.unit);
    put_series(c, "b", x.b);
    put_series(c, "probability", x.probability);
    put_series(c, "lower", x.lower);
    put_series(c, "upper", x.upper);
    c.json.end();
  }
  c.json.end();
}

void put_levels(PageContext& c, const Reliability& r) {
  c.json.key("levels").array();
  for (const Reliability::Level& l : r.levels) {
    c.json.object();
    c.put_number("excess", l.excess);  // null: all
    c.put_number("probability", l.probability);
    c.put_number("cov", l.cov);
    c.put_number("realizations", double(l.realizations));
    c.put_number("accepted", l.accepted);
    c.put_number("correlation", l.correlation);
    c.put_number("rho", l.rho);
    c.json.end();
  }
  c.json.end();
}

void put_design_points(PageContext& c, const Reliability& r) {
  c.put_texts("variables", r.variables);
  c.json.key("designPoints").array();
  for (const Reliability::DesignPoint& d : r.design_points) {
    c.json.object().key("limit").string(d.limit).key("converged").boolean(d.converged);
    c.put_number("beta", d.beta);
    c.put_number("form", d.form);
    c.put_number("sorm", d.sorm);
    put_series(c, "u", d.u);
    put_series(c, "importance", d.importance);
    put_series(c, "inputs", d.inputs);
    put_series(c, "curvatures", d.curvatures);
    c.json.end();
  }
  c.json.end();
}

void put_tails(PageContext& c, const Reliability& r) {
  c.json.key("tails").array();
  for (const Reliability::Tail& t : r.tails) {
    c.json.object();
    for (const auto& [key, value] : {std::pair("q", t.q), std::pair("a", t.a), std::pair("b", t.b), std::pair("c", t.c),
                                     std::pair("from", t.from), std::pair("to", t.to)})
      c.put_number(key, value);
    put_series(c, "lambda", t.lambda);
    put_series(c, "estimate", t.estimate);
    put_series(c, "lower", t.lower);
    put_series(c, "upper", t.upper);
    c.json.end();
  }
  c.json.end();
}

// Every so many rows of failure samples come along.
std::size_t failing_stride(const Reliability& r) { return (r.failures.weights.size() + most_failing - 1) / most_failing; }

std::vector<double> thinned_column(const std::vector<double>& table, std::size_t column, std::size_t columns,
                                   std::size_t stride) {
  std::vector<double> out;
  for (std::size_t i = column; i < table.size(); i += columns * stride) out.push_back(table[i]);
  return out;
}

// Those that shift most come first.
void put_failure_causes(PageContext& c, const Reliability& r) {
  std::vector<const Reliability::Cause*> order;
  for (const Reliability::Cause& x : r.causes) order.push_back(&x);
  const auto size = [](const Reliability::Cause* x) { return std::isnan(x->shift) ? -1 : std::abs(x->shift); };
  std::stable_sort(order.begin(), order.end(), [&](const auto* a, const auto* b) { return size(a) > size(b); });
  const std::vector<std::string> columns = c.file.column_names();
  c.json.key("causes").array();
  for (std::size_t k = 0; k < order.size(); ++k) {
    const Reliability::Cause& x = *order[k];
    c.json.object().key("name").string(x.column).key("unit").string(x.unit);
    c.put_number("mean", x.mean);
    c.put_number("std", x.std);
    c.put_number("meanFailing", x.mean_failing);
    c.put_number("stdFailing", x.std_failing);
    c.put_number("shift", x.shift);
    c.put_number("importance", x.importance);
    const std::size_t column = std::size_t(std::find(columns.begin(), columns.end(), x.column) - columns.begin());
    c.json.key("values");
    if (k < most_causes && column < columns.size() && !r.failures.inputs.empty())
      c.block.drawn(c.json, thinned_column(r.failures.inputs, column, columns.size(), failing_stride(r)));
    else
      c.json.null();
    c.json.end();
  }
  c.json.end();
}

// [kept][times][channels] of one channel.
std::vector<double> histories_of(const std::vector<double>& all, std::size_t channel, std::size_t channels) {
  return thinned_column(all, channel, channels, 1);
}

void put_failing(PageContext& c, const Reliability& r) {
  const Reliability::Failures& f = r.failures;
  c.json.key("failures").object();
  c.put_number("count", double(f.weights.size()));
  c.json.key("weights");
  c.block.drawn(c.json, f.weights.empty() ? f.weights : thinned_column(f.weights, 0, 1, failing_stride(r)));
  c.json.key("kept").array();
  for (const long k : f.kept)
    c.json.object().key("excess").number(f.excess[std::size_t(k)]).key("limit").number(f.limit[std::size_t(k)]).end();
  c.json.end().key("histories").array();
  for (std::size_t i = 0; i < c.outputs.size() && !f.histories.empty(); ++i)
    c.block.drawn(c.json, c.thinned(histories_of(f.histories, i, c.outputs.size())));
  c.json.end().end();
}

}  // namespace

void put_reliability(PageContext& c) {
  if (!results::has_reliability(c.file)) {
    c.json.key("reliability").null();
    return;
  }
  const Reliability r = results::read_reliability(c.file);
  c.json.key("reliability").object();
  c.put_text("method", r.method);
  c.put_number("simulations", double(r.simulations));
  c.put_number("failed", double(r.failed));
  put_probabilities(c, r);
  put_curves(c, r);
  put_levels(c, r);
  put_series(c, "sets", r.sets);
  c.put_number("agreement", r.agreement);
  put_design_points(c, r);
  put_tails(c, r);
  put_failing(c, r);
  put_failure_causes(c, r);
  c.put_texts("doubts", r.doubts);
  c.json.end();
}

}  // namespace aleator::core::report
