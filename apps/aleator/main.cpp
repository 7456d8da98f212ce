// aleator: the command line. Exit codes are those of docs/command-line.md.
#include <csignal>

#include "cli/command.hpp"

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error to report, not an end
  return aleator::app::run_command_line({argv + 1, argv + argc});
}
