#include "cli/progress_line.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "base/words.hpp"
#include "cli/interrupt.hpp"

namespace aleator::app {

ProgressLine::ProgressLine() : active_(isatty(2)) {}

void ProgressLine::show(const std::string& text) {
  if (!active_) return;
  const auto now = std::chrono::steady_clock::now();
  if (now - last_ < std::chrono::milliseconds(200)) return;
  last_ = now;
  fmt::print(stderr, "\r{:{}}", text, width_);
  width_ = text.size();
}

void ProgressLine::show(const Progress& p) {
  std::string text = fmt::format("{} of {} {}", p.done, p.planned, p.phase);
  if (p.per_second > 0) text += fmt::format("  {:.3g} per second  {} left", p.per_second, core::duration_words(p.seconds_left));
  if (p.failed > 0) text += fmt::format("  {} failed", p.failed);
  show(text);
}

void ProgressLine::note(std::string_view text) {
  clear();
  fmt::print(stderr, "{}\n", text);
}

void ProgressLine::clear() {
  if (width_ > 0) fmt::print(stderr, "\r{:{}}\r", "", width_);
  width_ = 0;
}

RunOptions terminal_options(ProgressLine& line, const std::string& command_line) {
  RunOptions o;
  o.command_line = command_line;
  o.stop = stop_on_signal();
  o.on_note = [&line](std::string_view text) { line.note(text); };
  if (line.active()) o.on_progress = [&line](const Progress& p) { line.show(p); };
  return o;
}

}  // namespace aleator::app
