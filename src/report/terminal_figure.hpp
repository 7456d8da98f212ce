// A figure as characters: a preview for terminals.
#pragma once

#include <string>

#include "report/figure.hpp"

namespace aleator::core::report {

struct TerminalOptions {
  int width = 80;  // characters
  int rows = 9;    // of each panel
  bool colour = false;
  bool ascii = false;  // else braille, 2 × 4 dots per character
};

std::string terminal_text(const Figure& figure, const TerminalOptions& options);

}  // namespace aleator::core::report
