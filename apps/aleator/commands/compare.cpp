// aleator compare A B: how far the statistics of B are from those of the reference A, and whether that is more than noise.
#include <limits>
#include <optional>

#include "api/comparison.hpp"
#include "api/output_json.hpp"
#include "base/atomic_file.hpp"
#include "cli/arguments.hpp"

namespace aleator::app {
namespace {

struct CompareArguments {
  std::string a, b, tolerance, band_tolerance, csv;
  std::vector<std::string> outputs;
  bool json = false;
};

std::optional<double> tolerance_of(const char* option, const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(share_of(option, text, std::numeric_limits<double>::max()));
}

int compare_command(const CompareArguments& o) {
  if (o.json && o.csv == "-") throw UsageError("--csv", "expects a file together with --json, which is printed");
  const core::ComparedFiles f(o.a, o.b, o.outputs, tolerance_of("--tolerance", o.tolerance),
                              tolerance_of("--band-tolerance", o.band_tolerance));
  if (!o.csv.empty()) {
    core::write_file(o.csv, core::analysis::comparison_csv(f.found));
  }
  const int code = f.verdict.exceeded ? exit_code::differs : exit_code::done;
  std::vector<std::string> written;
  if (!o.csv.empty()) written.push_back(o.csv);
  if (o.json) {
    print_raw(core::comparison_json(f, {code, written}));
  } else if (o.csv == "-") {
    say(stderr, "{}\n", f.verdict.words);
  } else {
    say("{}", core::comparison_text(f));
    tell("{}", core::analysis::significance(f.found));
    tell(f.verdict.exceeded ? Colour::bad : Colour::good, "{}", f.verdict.words);
  }
  return code;
}

}  // namespace

void add_compare(Command& c) {
  auto o = std::make_shared<CompareArguments>();
  c.option("A", o->a, "The reference: results.h5 of a study, or its folder").required();
  c.option("B", o->b, "What is compared with it: results.h5 of a study, or its folder").required();
  c.option("--tolerance", o->tolerance, "Largest e_mu and e_sigma allowed, as 0.01 or 1%; above it the exit code is 1").type("X");
  c.option("--band-tolerance", o->band_tolerance, "Largest e_lower and e_upper allowed").type("X");
  c.option("--output", o->outputs, "Only these outputs and scalars").type("NAME");
  c.option("--csv", o->csv, "Also write the numbers as CSV; - prints them alone").type("FILE");
  add_trust(c);
  add_json(c, o->json);
  c.run([o] { return compare_command(*o); });
}

}  // namespace aleator::app
