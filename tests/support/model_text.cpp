#include "support/model_text.hpp"
#include "support/places.hpp"

#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

namespace aleator::core::test {

std::string text_of_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string example(const std::string& name) { return text_of_file(source_folder() + "/examples/" + name + ".yaml"); }

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  if (at == std::string::npos || text.find(from, at + 1) != std::string::npos)
    throw std::logic_error("not exactly once in the text: " + from);
  return text.replace(at, from.size(), to);
}

std::string with_outputs(const std::string& text, const std::string& lines) {
  return replaced(text, "\noutputs:\n", "\noutputs:\n" + lines);
}

std::string five_body_study(const std::string& study) {
  return replaced(example("five-body"), "method: monte-carlo, samples: 500, confidence: 0.90, seed: 1}", study + "}");
}

std::string coarse_five_body() {
  return replaced(example("five-body"), "step: 1e-4, output_step: 1e-4", "step: 5e-4, output_step: 1e-3");
}

}  // namespace aleator::core::test
