// How far a long computation is: one line on a terminal; where nobody looks at it, in a file or a pipe, a line every ten seconds.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include <aleator/study.hpp>

#include "cli/colour.hpp"

namespace aleator::app {

class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const std::string& text);  // at most five times a second, or every ten seconds
  void show(const Progress& progress);
  void note(std::string_view text);  // above the line, for good
  const std::vector<std::string>& notes() const { return notes_; }
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  void put(const std::string& text);

  bool terminal_;
  std::size_t width_ = 0;  // of what is on the line
  std::string phase_;
  Clock::time_point start_ = Clock::now(), last_ = start_;
  std::vector<std::string> notes_;
};

// Options whose notes go to stderr and whose progress is shown, stopped by Ctrl-C.
RunOptions terminal_options(ProgressLine& line, const std::string& command_line);

}  // namespace aleator::app
