// Models with mistakes people and programs make, made in the tree of the file: a key that is dropped, given twice or misspelt, a value
// of another type, of another size or no number at all, two that are exchanged, a name that nobody has. The same ones on every machine.
// (cli/mutations.hpp changes letters instead.)
#pragma once

#include <random>
#include <string>
#include <vector>

#include "input/yaml_tree.hpp"

namespace aleator::core::test {

class Mistakes {
 public:
  // `keys`: words that are known somewhere in the language.
  Mistakes(std::vector<std::string> keys, std::uint64_t seed) : keys_(std::move(keys)), random_(seed) {}

  // A copy with one to three mistakes.
  input::Tree in(input::Tree tree);

 private:
  // A value and the list or mapping it is in.
  struct Place {
    input::Tree* parent;
    std::size_t index;
    input::Tree& value() const { return parent->children[index]; }
  };
  static void collect(input::Tree& tree, std::vector<Place>& to);
  void one(input::Tree& tree);
  void misspell(std::string& word);
  void other_type(input::Tree& value);
  void other_number(input::Tree& value);

  std::size_t below(std::size_t n) { return random_() % n; }
  template <class Words>
  auto any(const Words& words) {
    return words[below(std::size(words))];
  }

  std::vector<std::string> keys_;
  std::mt19937_64 random_;
};

// All keys of mappings in a tree.
void collect_keys(const input::Tree& tree, std::vector<std::string>& to);

// The tree as YAML: an entry per line down to the second level, {…} and […] below. Reads as the same tree.
std::string written(const input::Tree& tree);

}  // namespace aleator::core::test
