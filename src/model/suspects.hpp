// What of a draft is wrong, so that nothing is said of what needs it: a mistake is told once, not again for all that follows from it.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>

#include "input/expression.hpp"

namespace aleator::core {

class Suspects {
 public:
  explicit Suspects(const input::Description& draft);  // which must outlive this; with what its reader could not make sense of

  void add(const std::string& name) { names_.insert(name); }
  bool contain(std::string_view name) const { return names_.contains(std::string(name)); }  // an entry or a key at the top
  // Entries of `uncertain:` have the names of what they are about, so theirs are kept apart: "uncertain.rod".
  bool contain_uncertain(std::string_view name) const;
  // Whether it is wrong itself, names something that is, or has a number that depends on a wrong parameter.
  bool touch(const input::Item& item) const;
  bool in_numbers_of(const input::Item& item) const { return dependents_.contain(item); }
  bool empty() const { return names_.empty(); }
  const std::unordered_set<std::string>& names() const { return names_; }

 private:
  bool named_in(const std::string& word) const { return contain(word) || contain(word.substr(0, word.find('.'))); }
  bool named_in(const input::Value& value) const;
  bool named_in(const input::Item& item) const;

  std::unordered_set<std::string> names_;
  input::Dependents dependents_;
};

}  // namespace aleator::core
