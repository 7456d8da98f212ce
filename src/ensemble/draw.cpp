// The random numbers of rows, and the mechanisms they make.
#include "ensemble/draw.hpp"

#include <algorithm>

#include "input/error.hpp"
#include "model/derived.hpp"

namespace aleator::core {

std::unique_ptr<const MassRealizer> realizer_of(const ModelVariant& variant) {
  const RandomModel& random = *variant.random;
  const auto of_body = [](const Quantity& q) { return q.body >= 0 && q.field < 0 && q.process < 0; };
  if (random.levels_vary() || !random.fields().empty() || !std::ranges::all_of(random.quantities(), of_body)) return nullptr;
  const std::vector<Override> overrides = random.overrides(std::vector<double>(random.columns().size()));
  if (overrides.size() != random.columns().size()) return nullptr;
  auto realizer = std::make_unique<const MassRealizer>(*variant.model, overrides);
  return realizer->usable() ? std::move(realizer) : nullptr;
}

Drawn draw(const Model& model, const RandomModel& random, const Plan& plan, std::uint64_t seed, long row,
           std::unique_ptr<Parameters> spare) {
  Drawn d;
  try {
    d.sample = sample_of(random, plan, seed, row);
    std::unique_ptr<Parameters> numbers = spare ? std::move(spare) : std::make_unique<Parameters>();
    const std::vector<Override> overrides = random.overrides(d.sample);
    realize(model, overrides, *numbers);
    if (random.levels_vary()) realize_derived(model, overrides);  // throws where they make no sense
    d.numbers = std::move(numbers);
  } catch (const input::InputError& e) {
    d.why = e.what();
  }
  return d;
}

const double* RowDrawer::samples(const RandomModel& random, long first, long end, long limit) {
  constexpr long most_ahead = 256;
  const size_t columns = random.columns().size();
  if (of_ != &random || first < from_ || end > to_) {
    of_ = nullptr;
    from_ = first, to_ = std::max(end, std::min(limit, first + most_ahead));
    samples_.resize(size_t(to_ - from_) * columns);
    if (!samples_of(random, plan_, seed_, from_, size_t(to_ - from_), samples_)) return nullptr;
    of_ = &random;
  }
  return samples_.data() + size_t(first - from_) * columns;
}

// Where masses alone are random, their mechanisms are made when lanes are filled.
void RowDrawer::operator()(const ModelVariant& variant, const MassRealizer* masses, long first, long end, long limit,
                           std::vector<Draft>& to) {
  const size_t rows = size_t(end - first), columns = variant.random->columns().size();
  const double* const together = masses ? samples(*variant.random, first, end, limit) : nullptr;
  to.resize(rows);
  for (size_t i = 0; i < rows; ++i) {
    Draft& d = to[i];
    SimulatedRow& r = d.realized = {};
    r.row = first + long(i);
    r.point = plan_.point(r.row);
    d.of_masses = together != nullptr;
    if (together) {
      r.sample.assign(together + i * columns, together + (i + 1) * columns);
      continue;
    }
    Drawn drawn = draw(*variant.model, *variant.random, plan_, seed_, r.row, spare());
    drawn.sample.resize(std::min(drawn.sample.size(), columns));
    r.sample = std::move(drawn.sample);
    r.why = std::move(drawn.why);
    d.numbers = std::move(drawn.numbers);
  }
}

void RowDrawer::make_numbers(const ModelVariant& variant, Draft& d) {
  if (d.numbers) return;
  d.numbers = spare();
  try {
    realize(*variant.model, variant.random->overrides(d.realized.sample), *d.numbers);
  } catch (const input::InputError& e) {
    d.realized.why = e.what();
    d.numbers.reset();
  }
}

std::unique_ptr<Parameters> RowDrawer::spare() {
  if (spare_.empty()) return std::make_unique<Parameters>();
  std::unique_ptr<Parameters> numbers = std::move(spare_.back());
  spare_.pop_back();
  return numbers;
}

}  // namespace aleator::core
