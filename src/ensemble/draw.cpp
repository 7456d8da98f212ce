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

bool RowDrawer::by_identity(long first, long end) const {
  if (plan_.table || plan_.design) return false;
  return !plan_.aside || end <= plan_.aside->first || first >= plan_.aside->end();
}

RowIdentity RowDrawer::identity(const RandomModel& random, const DesignPoint& point, long row,
                                std::vector<int>& replicates) const {
  RowIdentity who{plan_.blocks ? plan_.blocks->of(row).seed : seed_, std::uint64_t(point.realization), {}};
  if (plan_.blocks || plan_.groups == 0) return who;
  replicates = copies_of(random, point);
  who.replicates = replicates;
  return who;
}

void RowDrawer::only_name(long first, long end, std::vector<Draft>& to) {
  to.resize(size_t(end - first));
  for (size_t i = 0; i < to.size(); ++i) {
    Draft& d = to[i];
    std::vector<double> sample = std::move(d.realized.sample);
    d.realized = {};
    sample.clear();
    d.realized.sample = std::move(sample);
    d.realized.row = first + long(i);
    d.realized.point = plan_.point(d.realized.row);
    d.of_masses = false, d.drawn = nullptr;
  }
}

void RowDrawer::complete(const ModelVariant& variant, const DrawnTogether& how, Draft& d) {
  const double* const x = samples(*variant.random, d.realized.row, d.realized.row + 1, d.realized.row + 1);
  d.realized.sample.assign(x, x + variant.random->columns().size());
  d.of_masses = how.masses != nullptr;
}

// Packs of lanes; the last one may repeat a row.
void RowDrawer::draw_in_lanes(const ModelVariant& variant, const LaneDrawing& lanes, std::vector<Draft>& to) {
  if (run_of_ != &lanes) run_ = std::make_unique<LaneDrawing::Run>(lanes), run_of_ = &lanes;
  const size_t width = size_t(run_->width()), slots = lanes.slots().size();
  numbers_.resize(to.size() * slots);
  for (size_t first = 0; first < to.size(); first += width) {
    const size_t own = std::min(width, to.size() - first);
    for (size_t lane = 0; lane < width; ++lane) {
      const SimulatedRow& r = to[first + std::min(lane, own - 1)].realized;
      run_->set(int(lane), identity(*variant.random, r.point, r.row, replicates_));
    }
    (*run_)();
    for (size_t lane = 0; lane < own; ++lane) {
      Draft& d = to[first + lane];
      run_->sample(int(lane), d.realized.sample);
      d.of_masses = true;
      if (!run_->fits(int(lane))) continue;
      double* const numbers = &numbers_[(first + lane) * slots];
      run_->numbers(int(lane), numbers);
      d.drawn = numbers;
    }
  }
}

// Where masses alone are random, their mechanisms are made when lanes are filled.
void RowDrawer::operator()(const ModelVariant& variant, const DrawnTogether& how, long limit, std::vector<Draft>& to) {
  const long first = to.front().realized.row, end = to.back().realized.row + 1;
  if (how.lanes && by_identity(first, end)) return draw_in_lanes(variant, *how.lanes, to);
  const size_t columns = variant.random->columns().size();
  const double* const together = how.masses ? samples(*variant.random, first, end, limit) : nullptr;
  for (size_t i = 0; i < to.size(); ++i) {
    Draft& d = to[i];
    SimulatedRow& r = d.realized;
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
