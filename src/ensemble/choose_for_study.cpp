#include "ensemble/choose_for_study.hpp"

#include <algorithm>

#include "ensemble/ensemble.hpp"
#include "input/error.hpp"

namespace aleator::core {

namespace {

constexpr long searched = 200;  // realizations among which extremes are looked for
constexpr size_t most = 8;      // extremes, and realizations to verify with

// Rows with the smallest or the largest value of a column; few columns first, so that each has its say.
std::vector<long> extreme_rows(const std::vector<std::vector<double>>& samples) {
  std::vector<long> rows;
  if (samples.empty()) return rows;
  for (size_t column = 0; column < samples[0].size() && rows.size() < most; ++column) {
    const auto less = [&](const auto& a, const auto& b) { return a[column] < b[column]; };
    const auto [low, high] = std::minmax_element(samples.begin(), samples.end(), less);
    for (const auto& it : {low, high})
      if (const long row = it - samples.begin(); std::find(rows.begin(), rows.end(), row) == rows.end()) rows.push_back(row);
  }
  rows.resize(std::min(rows.size(), most));
  return rows;
}

}  // namespace

Choice choose_for_study(const Model& model, const RandomModel& random, const Plan& asked, std::uint64_t seed, Isa isa) {
  // Rows of a method that gives them on its way are not there yet.
  const Plan plan = asked.aside && asked.aside->open ? Plan{searched} : asked;
  const auto numbers_of = [&](const std::vector<long>& rows) {
    std::vector<Parameters> out;
    for (const long row : rows) {
      const Drawn d = draw(model, random, plan, seed, row);
      if (d.numbers) out.push_back(*d.numbers);
    }
    return out;
  };
  std::vector<std::vector<double>> samples;
  for (long row = 0; row < std::min(searched, plan.rows()); ++row) samples.push_back(sample_of(random, plan, seed, row));
  std::vector<long> spread;
  for (size_t k = 0; k < most && long(k) < plan.rows(); ++k)
    spread.push_back(long((double(k) + 0.5) / double(most) * double(plan.rows())));
  return choose(model, numbers_of(extreme_rows(samples)), numbers_of(spread), isa);
}

}  // namespace aleator::core
