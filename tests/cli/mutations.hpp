// Models with mistakes nobody would think of: bytes changed, cut out, repeated, cut off. The same ones on every machine.
#pragma once

#include <random>
#include <string>
#include <string_view>

namespace aleator::test {

class Mutations {
 public:
  explicit Mutations(unsigned seed) : random_(seed) {}

  std::string mutated(std::string text) {
    for (int n = below(3) + 1; n > 0 && !text.empty(); --n) {
      const size_t at = below(text.size());
      switch (below(7)) {
        case 0:
          text[at] = char(below(256));
          break;
        case 1:
          text[at] = mark();
          break;
        case 2:
          text.erase(at, below(12) + 1);
          break;
        case 3:
          text.insert(at, 1, mark());
          break;
        case 4:
          text.insert(at, text.substr(below(text.size()), below(40)));
          break;
        case 5:
          swap_lines(text, at);
          break;
        default:
          text.resize(at);
          break;
      }
    }
    return text;
  }
  std::string noise() {
    std::string text;
    for (size_t n = below(300); n > 0; --n) text += below(3) ? mark() : char(below(256));
    return text;
  }

 private:
  size_t below(size_t n) { return random_() % n; }
  char mark() {
    static constexpr std::string_view marks = "{}[]:,-?&*!|>'\"%@`#\n\t ()+/^<=.~0123456789eatxyz";
    return marks[below(marks.size())];
  }
  // The line around `at` moves to the end of the file.
  void swap_lines(std::string& text, size_t at) {
    const size_t begin = text.rfind('\n', at) + 1, end = std::min(text.find('\n', at), text.size());
    if (begin > end) return;
    const std::string line = text.substr(begin, end - begin);
    text.erase(begin, end - begin);
    text += line + '\n';
  }
  std::mt19937 random_;
};

}  // namespace aleator::test
