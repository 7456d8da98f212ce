// Models of examples/ as text, and variants of them for tests.
#pragma once

#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace aleator::core::test {

inline std::string text_of_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path);
  return {std::istreambuf_iterator<char>(in), {}};
}

// "five-body" → the text of examples/five-body.yaml
inline std::string example(const std::string& name) {
  return text_of_file(std::string(ALEATOR_SOURCE_DIR) + "/examples/" + name + ".yaml");
}

// The text with `from` replaced by `to`. `from` must be there exactly once, so that a variant cannot silently be no variant.
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  if (at == std::string::npos || text.find(from, at + 1) != std::string::npos)
    throw std::logic_error("not exactly once in the text: " + from);
  return text.replace(at, from.size(), to);
}

// The text with further outputs: lines like "  tip: {position: rod}\n".
inline std::string with_outputs(const std::string& text, const std::string& lines) {
  return replaced(text, "\noutputs:\n", "\noutputs:\n" + lines);
}

}  // namespace aleator::core::test
