#include "throughput.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "accuracy.hpp"
#include "cases.hpp"
#include "measure.hpp"
#include "results_file.hpp"

namespace aleator::core::bench {

namespace {

// A contender that has shown its accuracy.
struct Checked {
  Entry entry;
  Contender contender;
  Accuracy accuracy;
  Seconds each;  // per realization, first estimate
  std::string why;
};

Checked check(const Case& c, const std::vector<Response>& truth, const Entry& entry, double knob) {
  Checked out{entry, entry.make(c, knob), {}, {}, ""};
  std::vector<Response> responses(checked_rows);
  const Seconds began = now();
  out.contender.run(0, checked_rows, responses);
  const Seconds took = now() - began;
  out.each = {took.cpu / checked_rows, took.wall / checked_rows};
  out.accuracy = accuracy(c, truth, responses);
  for (const Response& r : responses)
    if (!r.ok) out.why = r.why;
  return out;
}

// Whole packs of eight, about `seconds` long, at least one realization.
long rows_in(double seconds, double each) {
  const double rows = seconds / std::max(each, 1e-9);
  return rows >= 8 ? std::min(long(rows) / 8 * 8, 100'000L) : std::max(1L, long(rows));
}

}  // namespace

void measure_throughput(const ThroughputOptions& options, const std::string& folder) {
  ResultsFile file({"case", "contender", "settings", "threads", "ms_per_realization", "ms_least", "ms_most",
                    "realizations_per_second_per_core", "l2_error", "l2_bound", "l1_error_reactions", "l1_bound", "meets_bounds",
                    "operations", "bytes_read", "bytes_written", "share_of_peak"});
  for (const std::string& name : options.cases) {
    const auto c = make_case(name);
    const std::vector<Response> truth = reference_responses(*c);
    std::vector<Checked> all;
    for (const Entry& e : contenders_of(*c)) all.push_back(check(*c, truth, e, e.knob));

    std::vector<std::function<void()>> work;
    std::vector<long> rows;
    std::vector<Response> responses(1);
    for (const Checked& k : all) {
      rows.push_back(rows_in(options.seconds, k.entry.threads > 1 ? k.each.wall : k.each.cpu));
      responses.resize(std::max(responses.size(), size_t(rows.back())));
      work.emplace_back([&k, n = rows.back(), &responses] { k.contender.run(0, n, responses); });
    }
    for (size_t i = 0; i < work.size(); ++i)
      if (rows[i] > checked_rows) work[i]();  // rows that were not seen yet: peers get their numbers
    const std::vector<Timing> times = measure_in_turn(work, options.turns);

    fmt::print("\n{} ({} realizations checked against {})\n", name, checked_rows, c->reference.words());
    fmt::print("  {:28} {:36} {:>12} {:>14}   {}\n", "", "", "ms each", "per s and core", "worst errors");
    for (size_t i = 0; i < all.size(); ++i) {
      const auto& [entry, contender, accuracy, each, why] = all[i];
      // One thread: its time on a core. Several: how long one waits, times the cores that takes.
      const auto ms = [&](const Seconds& s) { return 1e3 * (entry.threads > 1 ? s.wall : s.cpu) / double(rows[i]); };
      const double per_core = 1e3 / (ms(times[i].median) * entry.threads);
      fmt::print("  {:28} {:36} {:12.4g} {:14.4g}   L2 {:.1e} ({}){}{}\n", entry.name, contender.settings, ms(times[i].median),
                 per_core, accuracy.l2, accuracy.worst_l2,
                 c->flexible ? fmt::format(", L1 {:.1e} ({})", accuracy.l1, accuracy.worst_l1) : "",
                 accuracy.meets(entry) ? ""
                 : accuracy.failed     ? fmt::format(", {} FAILED: {}", accuracy.failed, why)
                                       : ", BOUND BROKEN");
      const Work work = contender.work ? contender.work() : Work{};
      const auto figure = [&](double x) { return contender.work ? number(x) : ""; };
      const double share = work.operations * per_core / std::max(work.peak, 1.0);
      if (contender.work)
        fmt::print("  {:28} {:.3g} operations, {:.3g} bytes read, {:.3g} written each; {:.0f} % of the peak\n", "",
                   work.operations, work.read, work.written, 100 * share);
      file.add({name, entry.name, contender.settings, std::to_string(entry.threads), number(ms(times[i].median)),
                number(ms(times[i].least)), number(ms(times[i].most)), number(per_core), number(accuracy.l2),
                number(displacement_bound), c->flexible ? number(accuracy.l1) : "",
                c->flexible ? number(entry.reaction_bound) : "", accuracy.meets(entry) ? "yes" : "no", figure(work.operations),
                figure(work.read), figure(work.written), figure(share)});
    }
    std::fflush(stdout);
  }
  file.write(folder + "/throughput.csv");
}

void tune(const std::string& case_name, const std::string& contender) {
  const auto c = make_case(case_name);
  const std::vector<Response> truth = reference_responses(*c);
  for (const Entry& e : candidates_of(*c)) {
    if ((e.name + ", " + e.make(*c, e.knob).settings).find(contender) == std::string::npos) continue;
    int broken = 0;
    for (double knob = e.knob / std::pow(e.ladder, 4); broken < 2 && knob < e.knob * 1000; knob *= e.ladder) {
      const Checked k = check(*c, truth, e, knob);
      fmt::print("{:28} {:40} {:10.4g} ms  L2 {:.2e} ({})  L1 {:.2e} ({}) {}\n", e.name, k.contender.settings, 1e3 * k.each.cpu,
                 k.accuracy.l2, k.accuracy.worst_l2, k.accuracy.l1, k.accuracy.worst_l1,
                 k.accuracy.meets(e) ? "" : "broken " + k.why);
      std::fflush(stdout);
      broken += !k.accuracy.meets(e);
    }
  }
}

}  // namespace aleator::core::bench
