// Models as text: those of examples/, and variants of them.
#pragma once

#include <string>
#include <vector>

namespace aleator::core::test {

// All of a file; throws when it cannot be read.
std::string text_of_file(const std::string& path);
std::vector<std::string> lines_of(const std::string& text);

// "five-body" → the text of examples/five-body.yaml
std::string example(const std::string& name);

// The text with `from` replaced by `to`. `from` must be there exactly once, so that a variant cannot silently be no variant.
std::string replaced(std::string text, const std::string& from, const std::string& to);

// The text with further outputs: lines like "  tip: {position: rod}\n".
std::string with_outputs(const std::string& text, const std::string& lines);

// examples/five-body.yaml with another study, written as it stands in the braces: five_body_study("method: sobol, samples: 64").
std::string five_body_study(const std::string& study);
// The same with a fifth of the steps and a tenth of the output times: for tests of many realizations.
std::string coarse_five_body();

}  // namespace aleator::core::test
