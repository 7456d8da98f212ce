// aleator export RESULTS WHAT: results as CSV.
#include <unistd.h>
#include "base/atomic_file.hpp"
#include "cli/arguments.hpp"
#include "cli/colour.hpp"
#include "report/tables.hpp"

namespace aleator::app {
namespace {

struct ExportArguments {
  std::string file, what, out = "-";
  long realization = -1;
};

int export_command(const ExportArguments& o) {
  const core::results::StudyReader reader(o.file);
  if (!reader.complete())
    say(stderr, "{}: note: the run is not complete: {:.0f} of {:.0f} realizations\n", o.file, reader.done(), reader.planned());
  if (o.what == "realization" && o.realization < 0)
    throw UsageError("realization", "needs its number: export RESULTS realization K");
  const std::string table =
      core::report::table_csv(reader, o.what, o.realization, [](std::string_view note) { say(stderr, "{}\n", note); });
  if (o.out == "-" && isatty(STDOUT_FILENO)) return write(stdout, Colour::none, table), exit_code::done;  // names are the file's
  core::write_file(o.out, table);
  return exit_code::done;
}

}  // namespace

void add_export(Command& c) {
  auto o = std::make_shared<ExportArguments>();
  c.option("RESULTS", o->file, "results.h5 of a study, or its folder").required();
  c.option("WHAT", o->what, "Which table; realization with its number, K").required().one_of(core::report::table_names());
  c.option("K", o->realization, "Number of the realization, from 0").whole(0, most_samples);
  c.option("-o,--out", o->out, "Write into a file instead").type("FILE");
  add_trust(c);
  c.run([o] { return export_command(*o); });
}

}  // namespace aleator::app
