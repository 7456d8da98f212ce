// What was accumulated, as a row of numbers that somebody else may have written: nothing is believed of it.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <stdexcept>
#include <vector>

namespace aleator::core::analysis {

constexpr double most_values = 9007199254740992;  // 2⁵³: so many a double can count

struct DamagedState : std::runtime_error {
  DamagedState() : std::runtime_error("the saved state of its statistics is damaged") {}
};

// What is saved goes there piece by piece: nobody needs a copy of all.
using PutState = std::function<void(std::span<const double>)>;
inline PutState to_end_of(std::vector<double>& all) {
  return [&all](std::span<const double> piece) { all.insert(all.end(), piece.begin(), piece.end()); };
}

class StateReader {
 public:
  explicit StateReader(std::span<const double> from) : from_(from) {}

  std::span<const double> numbers(std::size_t count) {
    require(count <= from_.size());
    const std::span<const double> out = from_.first(count);
    from_ = from_.subspan(count);
    return out;
  }
  void numbers_into(std::vector<double>& to) {
    const std::span<const double> own = numbers(to.size());
    std::copy(own.begin(), own.end(), to.begin());
  }
  double number() { return numbers(1)[0]; }
  // A whole number of things, no more than `most`.
  double count(double most) {
    const double x = number();
    require(x >= 0 && x <= most && x == std::floor(x));
    return x;
  }
  std::size_t size(std::size_t most) { return std::size_t(count(double(most))); }
  std::size_t left() const { return from_.size(); }
  void end() const { require(from_.empty()); }

  static void require(bool holds) {
    if (!holds) throw DamagedState();
  }

 private:
  std::span<const double> from_;
};

}  // namespace aleator::core::analysis
