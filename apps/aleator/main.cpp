// aleator: the command line. Exit codes are those of docs/command-line.md.
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <exception>
#include <new>

#include "cli/command.hpp"

namespace {

// Libraries end the process when they get neither memory nor threads: nothing can be caught or allocated then, but said.
[[noreturn]] void end_with(const char* words) {
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, words, std::strlen(words));
  _exit(aleator::app::exit_code::simulation_failed);
}

void on_crash(int) { end_with("aleator: out of memory, it seems: this process has a limit (ulimit -v)\n"); }

[[noreturn]] void on_terminate() {
  try {
    if (std::current_exception()) std::rethrow_exception(std::current_exception());
  } catch (const std::bad_alloc&) {
    on_crash(0);
  } catch (const std::exception& e) {
    if (std::strstr(e.what(), "pthread_create"))  // of TBB
      end_with("aleator: no more threads, or no memory for them: use fewer (--threads N), or raise the limit (ulimit -v)\n");
  } catch (...) {
  }
  end_with("aleator: this is a mistake in Aleator, please report it: the process was ended\n");
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error to report, not an end
  std::set_terminate(on_terminate);
  rlimit memory{};
  if (getrlimit(RLIMIT_AS, &memory) == 0 && memory.rlim_cur != RLIM_INFINITY) std::signal(SIGSEGV, on_crash);
  return aleator::app::run_command_line({argv + 1, argv + argc});
}
