// Models with mistakes nobody would think of: numbers out of bounds, bytes changed, cut out, repeated, cut off. The same ones
// on every machine.
#pragma once

#include <iterator>
#include <random>
#include <string>
#include <string_view>

namespace aleator::core::test {

class Mutations {
 public:
  explicit Mutations(unsigned seed) : random_(seed) {}

  std::string mutated(std::string text) {
    for (int n = below(3) + 1; n > 0 && !text.empty(); --n) {
      const size_t at = below(text.size());
      switch (below(14)) {
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
        case 6:
          text.resize(at);
          break;
        default:
          other_number(text, at);
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
  // The next number after `at` becomes another one.
  void other_number(std::string& text, size_t at) {
    static constexpr std::string_view numbers[] = {"0",    "-1",  "1",     "2",      "0.5",    "10", "1000", "1e-3",
                                                   "1e-9", "1e9", "1e300", "-1e300", "1e-300", "pi", "nan",  "t"};
    const size_t begin = text.find_first_of("0123456789", at), end = text.find_first_not_of("0123456789.e-", begin);
    if (begin == std::string::npos) return;
    text.replace(begin, std::min(end, text.size()) - begin, numbers[below(std::size(numbers))]);
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

}  // namespace aleator::core::test
