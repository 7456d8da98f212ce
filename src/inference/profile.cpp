#include "inference/profile.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "base/cancellation.hpp"

namespace aleator::core::inference {
namespace {

// The function with some coordinates held at values, the others improved from a start.
class Held {
 public:
  Held(const LogLikelihood& hill, std::vector<int> held) : hill_(hill), held_(std::move(held)) {
    for (int k = 0; k < int(hill.at.size()); ++k)
      if (std::find(held_.begin(), held_.end(), k) == held_.end()) free_.push_back(k);
  }

  // From the better ones of: the place given, the maximum, the further starts.
  Maximum best(std::span<const double> values, const Place& from) const {
    throw_if_cancelled();
    std::vector<Maximum> starts;
    const auto consider = [&](Place x) {
      for (size_t i = 0; i < held_.size(); ++i) x[held_[i]] = values[i];
      const double value = hill_.f(x);
      starts.push_back({std::move(x), value, 1});
    };
    consider(from);
    consider(hill_.at);
    for (const Place& x : hill_.starts) consider(x);
    std::partial_sort(starts.begin() + 1, starts.begin() + 2, starts.end(), higher);
    Maximum best = improve(starts[0]);
    if (starts[1].value > best.value - 1) best = std::max(best, improve(starts[1]), lower);
    return best;
  }

  Maximum improve(const Maximum& start) const {
    if (free_.empty()) return start;
    Place whole = start.at, part(free_.size());
    for (size_t i = 0; i < free_.size(); ++i) part[i] = whole[free_[i]];
    const Function f = [&](std::span<const double> x) {
      for (size_t i = 0; i < free_.size(); ++i) whole[free_[i]] = x[i];
      return hill_.f(whole);
    };
    const Maximum found =
        maximise_locally(f, Box::unit(int(free_.size())), part, {.step = 0.02, .tolerance = 1e-5, .precision = 1e-6});
    if (found.at.empty() || !(found.value > start.value)) return start;
    for (size_t i = 0; i < free_.size(); ++i) whole[free_[i]] = found.at[i];
    return {whole, found.value, found.evaluations};
  }

 private:
  static bool lower(const Maximum& a, const Maximum& b) { return a.value < b.value; }
  static bool higher(const Maximum& a, const Maximum& b) { return a.value > b.value; }

  const LogLikelihood& hill_;
  std::vector<int> held_, free_;
};

std::vector<double> evenly(Range range, int places) {
  std::vector<double> x(places);
  for (int i = 0; i < places; ++i) x[i] = range.from + (range.to - range.from) * i / (places - 1);
  return x;
}

// Along a line of places: outwards from the one nearest to the maximum, each from its neighbour, and back again.
std::vector<Maximum> march(const LogLikelihood& hill, const Held& held, int parameter, const std::vector<double>& at) {
  const int n = int(at.size());
  const auto above = std::lower_bound(at.begin(), at.end(), hill.at[parameter]);
  const int middle = std::min(n - 1, int(above - at.begin()));
  std::vector<Maximum> found(n);
  const auto outwards = [&](int i, const Place& from) { found[i] = held.best({&at[i], 1}, from); };
  outwards(middle, hill.at);
  for (int i = middle + 1; i < n; ++i) outwards(i, found[i - 1].at);
  for (int i = middle - 1; i >= 0; --i) outwards(i, found[i + 1].at);
  const auto back = [&](int i, int from) {
    const Maximum other = held.best({&at[i], 1}, found[from].at);
    if (other.value > found[i].value) found[i] = other;
  };
  for (int i = n - 2; i > middle; --i) back(i, i + 1);
  for (int i = 1; i < middle; ++i) back(i, i - 1);
  return found;
}

// Where the profile crosses the level between a place inside and one outside.
Place crossing(const Held& held, int parameter, double level, double outside, Place from) {
  double inside = from[std::size_t(parameter)];
  for (int i = 0; i < 40 && std::abs(outside - inside) > 1e-9; ++i) {
    const double middle = (inside + outside) / 2;
    const Maximum there = held.best({&middle, 1}, from);
    (there.value >= level ? inside : outside) = middle;
    if (there.value >= level) from = there.at;
  }
  from[std::size_t(parameter)] = (inside + outside) / 2;
  return from;
}

}  // namespace

LogLikelihood hill_of(const Exploration& exploration) {
  const Surrogate& s = exploration.surrogate;
  LogLikelihood hill{[&s](std::span<const double> x) { return s.value(x); }, exploration.at, exploration.largest, {}};
  // Some of the places inside the region, spread over it in the order in which they came.
  std::vector<Place> inside;
  for (const Place& x : exploration.points)
    if (hill.f(x) >= hill.largest - 1.5 * exploration.region_drop) inside.push_back(x);
  const size_t most = 24, every = std::max<size_t>(1, inside.size() / most);
  for (size_t i = inside.size() % every; i < inside.size(); i += every) hill.starts.push_back(inside[i]);
  return hill;
}

Profile profile(const LogLikelihood& hill, int parameter, double drop, int places) {
  assert(places >= 3 && drop > 0);
  const Held held(hill, {parameter});
  const double level = hill.largest - drop, floor = hill.largest - 3 * drop, top = hill.at[parameter];
  Range range;
  std::vector<double> at;
  std::vector<Maximum> found;
  // Narrow the range to what is above the floor, as long as that makes it much narrower.
  for (int round = 0; round < 8; ++round) {
    at = evenly(range, places);
    if (const auto next = std::lower_bound(at.begin(), at.end(), top); next == at.end() || *next != top) at.insert(next, top);
    found = march(hill, held, parameter, at);
    const int n = int(at.size());
    int first = 0, last = n - 1;
    while (first < n - 1 && found[first].value < floor && at[first] < top) ++first;
    while (last > 0 && found[last].value < floor && at[last] > top) --last;
    const Range narrowed{at[std::max(0, first - 1)], at[std::min(n - 1, last + 1)]};
    if (narrowed.to - narrowed.from > 0.8 * (range.to - range.from)) break;
    range = narrowed;
  }

  Profile p;
  p.at = at;
  for (const Maximum& m : found) p.values.push_back(m.value - hill.largest);
  const int n = int(at.size());
  int first = 0, last = n - 1;
  while (found[first].value < level && at[first] < top) ++first;
  while (found[last].value < level && at[last] > top) --last;
  p.open_below = at[first] <= 0;
  p.open_above = at[last] >= 1;
  // Beyond a narrowed range it was lower still, when that was looked at.
  p.lower_at = p.open_below ? found[first].at : crossing(held, parameter, level, first > 0 ? at[first - 1] : 0, found[first].at);
  p.upper_at = p.open_above ? found[last].at : crossing(held, parameter, level, last < n - 1 ? at[last + 1] : 1, found[last].at);
  p.lower = p.open_below ? 0 : p.lower_at[std::size_t(parameter)];
  p.upper = p.open_above ? 1 : p.upper_at[std::size_t(parameter)];
  return p;
}

PairProfile pair_profile(const LogLikelihood& hill, int first, int second, Range first_range, Range second_range, int places) {
  assert(first != second && places >= 2);
  const Held held(hill, {first, second});
  PairProfile p{evenly(first_range, places), evenly(second_range, places), {}};
  std::vector<Maximum> found(size_t(places) * places);
  const auto go = [&](int i, int j) -> Maximum& { return found[size_t(i) * places + j]; };
  const auto better = [&](Maximum& here, const double(&values)[2], const Place& from) {
    const Maximum other = held.best(values, from);
    if (here.at.empty() || other.value > here.value) here = other;
  };
  // Row by row, each place from the one beside it; then once more backwards from the one above.
  for (int i = 0; i < places; ++i)
    for (int j = 0; j < places; ++j)
      better(go(i, j), {p.first_at[i], p.second_at[j]}, j > 0 ? go(i, j - 1).at : i > 0 ? go(i - 1, 0).at : hill.at);
  for (int i = places - 2; i >= 0; --i)
    for (int j = places - 1; j >= 0; --j) better(go(i, j), {p.first_at[i], p.second_at[j]}, go(i + 1, j).at);
  for (const Maximum& m : found) p.values.push_back(m.value - hill.largest);
  return p;
}

}  // namespace aleator::core::inference
