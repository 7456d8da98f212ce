// `${…}` in names and values: variables of a repeat, parameters of a template.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "input/yaml_tree.hpp"

namespace mu {
class Parser;
}

namespace aleator::core::input {

// What `${…}` may mention: names and values, those of a repeat inside of another one, or of a template, first.
struct Variables {
  const Variables* outer = nullptr;
  std::vector<Tree> own = {};  // the key is the name

  const Tree* find(std::string_view name) const;
  std::vector<std::string> names() const;
};

// The value of arithmetic without any parameters; nothing where it has some, or is wrong.
class Arithmetic {
 public:
  Arithmetic();
  ~Arithmetic();
  std::optional<double> operator()(const std::string& text);

 private:
  std::unique_ptr<mu::Parser> parser_;
  std::unordered_map<std::string, std::optional<double>> known_;
};

// Whether a text has `${`.
inline bool has_variables(std::string_view text) { return text.find("${") != std::string_view::npos; }

// A number as a value of a model: whole ones without a point, others so that they are read as the same number.
std::string number_text(double value);

// Replaces every `${…}` in the scalar (not in its key): by the value of a variable, or of arithmetic of variables. What is not a
// number, as a parameter of the model, becomes part of an expression. Throws InputError.
void substitute_value(Tree& scalar, const Variables& variables, Arithmetic& arithmetic);
// The same in a key, whose result is a name.
void substitute_key(Tree& child, const Variables& variables, Arithmetic& arithmetic);

}  // namespace aleator::core::input
