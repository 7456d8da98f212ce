#include "cli/interrupt.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <thread>

namespace aleator::app {
namespace {

std::atomic<bool> came{false};
int to_watcher[2] = {-1, -1};  // a pipe: a handler may write, but must not call what a stop calls

void on_signal(int) {
  const int error = errno;  // of whatever it interrupts
  came = true;
  [[maybe_unused]] const ssize_t written = write(to_watcher[1], "", 1);
  errno = error;
}

}  // namespace

const std::atomic<bool>& interrupted() { return came; }

std::stop_token stop_on_signal() {
  static std::stop_source& source = *new std::stop_source;  // never destroyed: the watcher may be at it when the program ends
  [[maybe_unused]] static const bool installed = [] {
    if (pipe2(to_watcher, O_CLOEXEC) != 0) return false;
    std::thread([] {
      char byte = 0;
      while (read(to_watcher[0], &byte, 1) == 1) source.request_stop();
    }).detach();
    std::signal(SIGINT, on_signal);
    std::signal(SIGTERM, on_signal);
    if (std::signal(SIGHUP, on_signal) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);  // nohup
    return true;
  }();
  return source.get_token();
}

}  // namespace aleator::app
