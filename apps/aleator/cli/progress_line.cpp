#include "cli/progress_line.hpp"

#include <unistd.h>

#include "base/utf8.hpp"
#include "base/words.hpp"
#include "cli/interrupt.hpp"

namespace aleator::app {
namespace {

constexpr std::chrono::milliseconds on_terminal{200}, elsewhere{10000};

// As many characters as fit: a line that wraps could not be replaced.
std::string shortened(const std::string& text, std::size_t width) {
  std::size_t end = 0;
  for (std::size_t n = 0; n < width && end < text.size(); ++n)
    end += std::max<std::size_t>(1, core::utf8_length(std::string_view(text).substr(end)));
  return text.substr(0, end);
}

}  // namespace

ProgressLine::ProgressLine() : terminal_(isatty(2)) {}

void ProgressLine::put(const std::string& text) {
  last_ = Clock::now();
  if (!terminal_) return say(stderr, "{}\n", text);
  clear();
  const std::string line = shortened(text, std::size_t(terminal_width(stderr)) - 1);
  say(stderr, "{}", line);
  width_ = core::characters(line);
}

void ProgressLine::show(const std::string& text) {
  if (Clock::now() - last_ >= (terminal_ ? on_terminal : elsewhere)) put(text);
}

void ProgressLine::show(const Progress& p) {
  std::string text = fmt::format("{} of {} {}", p.done, p.planned, p.phase);
  if (p.planned > 0) text = fmt::format("{:3.0f} %  ", 100 * double(p.done) / double(p.planned)) + text;
  if (p.per_second > 0) text += fmt::format("  {:.3g} per second  {} left", p.per_second, core::duration_words(p.seconds_left));
  if (p.failed > 0) text += fmt::format("  {} failed", p.failed);
  // What comes after the last realization, statistics and the report, is told when it begins: it may take long.
  const bool last_phase = p.done == p.planned && p.phase != phase_;
  phase_ = p.phase;
  last_phase && (terminal_ || Clock::now() - start_ >= elsewhere) ? put(text) : show(text);
}

void ProgressLine::note(std::string_view text) {
  clear();
  notes_.emplace_back(text);
  say(stderr, "{}\n", text);
}

void ProgressLine::clear() {
  if (width_ > 0) erase_line(width_);
  width_ = 0;
}

RunOptions terminal_options(ProgressLine& line, const std::string& command_line) {
  RunOptions o;
  o.command_line = command_line;
  o.stop = stop_on_signal();
  o.on_note = [&line](std::string_view text) { line.note(text); };
  o.on_progress = [&line](const Progress& p) { line.show(p); };
  return o;
}

}  // namespace aleator::app
