// One line on the terminal that says how far a long computation is.
#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <string>

namespace aleator::core::app {

class ProgressLine {
 public:
  ProgressLine() : active_(isatty(2)) {}
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // The text is made at most five times a second, and only when somebody can see it.
  template <class F>
  void operator()(F&& text) {
    if (!active_) return;
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::milliseconds(200)) return;
    last_ = now;
    const std::string line = text();
    fmt::print(stderr, "\r{:{}}", line, width_);
    width_ = line.size();
  }
  void clear() {
    if (width_ > 0) fmt::print(stderr, "\r{:{}}\r", "", width_);
    width_ = 0;
  }

 private:
  bool active_;
  std::size_t width_ = 0;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace aleator::core::app
