// One line on the terminal that says how far a long computation is.
#pragma once

#include <chrono>
#include <string>

#include <aleator/study.hpp>

namespace aleator::app {

class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  bool active() const { return active_; }  // somebody can see it
  void show(const std::string& text);      // at most five times a second
  void show(const Progress& progress);
  void note(std::string_view text);  // above the line, for good
  void clear();

 private:
  bool active_;
  std::size_t width_ = 0;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

// Options whose notes go to stderr and whose progress is shown, stopped by Ctrl-C.
RunOptions terminal_options(ProgressLine& line, const std::string& command_line);

}  // namespace aleator::app
