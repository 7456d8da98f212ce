// aleator_manual OUTDIR: writes OUTDIR/man/aleator.1, aleator-run.1, … and OUTDIR/completions/aleator.bash, _aleator.
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <filesystem>

#include "base/atomic_file.hpp"
#include "manual.hpp"

namespace {

void write(const std::filesystem::path& file, const std::string& text) {
  std::filesystem::create_directories(file.parent_path());
  aleator::core::AtomicFile out(file.string());
  out.write(text);
  out.commit();
}

void write_all(const std::filesystem::path& folder) {
  using namespace aleator::manual;
  const std::vector<CommandManual> commands = all_commands();
  write(folder / "man/aleator.1", man_page(commands));
  for (const CommandManual& c : commands) write(folder / fmt::format("man/aleator-{}.1", c.entry.name), man_page(c));
  write(folder / "completions/aleator.bash", bash_completion(commands));
  write(folder / "completions/_aleator", zsh_completion(commands));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 || argv[1][0] == '-') {
    fmt::print(stderr, "Usage: aleator_manual OUTDIR\nWrites the man pages and the completions of aleator into OUTDIR.\n");
    return 2;
  }
  try {
    write_all(argv[1]);
    return 0;
  } catch (const std::exception& e) {
    fmt::print(stderr, "aleator_manual: {}\n", e.what());
    return 6;
  }
}
