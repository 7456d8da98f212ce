#include "design/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "design/latin_hypercube.hpp"
#include "design/low_discrepancy.hpp"

namespace aleator::core {

const Blocks::Block& Blocks::of(long row) const {
  const auto after = std::upper_bound(list.begin(), list.end(), row, [](long r, const Block& b) { return r < b.first_row; });
  return *(after - 1);
}

DesignPoint Plan::point(long row) const {
  if (blocks) {
    const Blocks::Block& b = blocks->of(row);
    return {b.first_realization + row - b.first_row, b.of_sample ? DesignPoint::first : DesignPoint::aside, b.model};
  }
  if (aside && row >= aside->first) {
    const long k = row - aside->first;
    if (row < aside->end()) return {k, k < aside->of_sample ? DesignPoint::first : DesignPoint::aside, 0, k >= aside->poses_from};
    row -= long(aside->samples.size());
  }
  const int j = int(row % per_realization());
  return {row / per_realization(), j == 0 ? DesignPoint::first : j == 1 ? DesignPoint::second : j - 2};
}

long Plan::end_of_model(long row) const { return blocks ? blocks->of(row).end_row() : std::numeric_limits<long>::max(); }

std::vector<std::uint64_t> keys_of(const RandomModel& random) {
  std::vector<std::uint64_t> keys;
  for (const Variable& v : random.variables()) keys.push_back(v.key);
  return keys;
}

// --- designs: a line each ---

namespace {

using Maker = std::shared_ptr<const Design> (*)(const DesignSettings& s, const std::vector<std::uint64_t>& keys);

std::shared_ptr<const Design> make_plain(const DesignSettings& s, const std::vector<std::uint64_t>&) {
  return s.shared_variables ? std::make_shared<const PlainDesign>() : nullptr;
}

// The permutations are made and kept as a whole: 8 bytes of memory a number, 12 more and about 0.2 µs while it is made.
constexpr double most_in_hypercube = 1e8;

std::shared_ptr<const Design> make_hypercube(const DesignSettings& s, const std::vector<std::uint64_t>& keys) {
  const double numbers = double(s.samples) * double(keys.size()) * (s.sensitivity ? 2 : 1);
  if (numbers > most_in_hypercube)
    throw std::invalid_argument(
        fmt::format("a Latin hypercube of {} realizations and {} random variables is made as a whole before the first "
                    "realization, which takes "
                    "{:.2g} GB of memory; at most {:.0g} numbers are allowed (realizations × variables{}): use fewer "
                    "realizations, or `method: "
                    "sobol` or `monte-carlo`, which need no memory",
                    s.samples, keys.size(), 8e-9 * numbers, most_in_hypercube, s.sensitivity ? " × 2 for Sobol indices" : ""));
  std::vector<long> stages = s.stages;
  stages.push_back(s.samples);
  return std::make_shared<const LatinHypercube>(s.seed, std::move(stages), keys, hypercube_kind(s.hypercube));
}

std::shared_ptr<const Design> make_sequence(const DesignSettings& s, const std::vector<std::uint64_t>& keys) {
  return std::make_shared<const LowDiscrepancy>(s.name, s.seed, s.samples, s.replicates, keys, s.sensitivity ? 2 : 1);
}

struct DesignKind {
  const char* name;
  Maker make;
  bool by_multiples = false;
};

constexpr DesignKind kinds[] = {
    {"monte-carlo", make_plain},
    {"latin-hypercube", make_hypercube, true},
    {"sobol", make_sequence},
    {"halton", make_sequence},
};

const DesignKind& kind_of(const std::string& name) {
  for (const DesignKind& k : kinds)
    if (name == k.name) return k;
  throw std::invalid_argument("there is no design '" + name + "'");
}

}  // namespace

std::vector<std::string> design_names() {
  std::vector<std::string> names;
  for (const DesignKind& k : kinds) names.emplace_back(k.name);
  return names;
}

bool grows_by_multiples(const std::string& design) { return kind_of(design).by_multiples; }

Plan make_plan(const DesignSettings& s, const RandomModel& random) {
  Plan plan{s.samples, s.sensitivity ? int(random.groups().size()) : 0};
  plan.design = kind_of(s.name).make(s, keys_of(random));
  return plan;
}

Plan plan_of(std::vector<std::vector<double>> samples) {
  Plan plan{long(samples.size())};
  plan.table = std::make_shared<const std::vector<std::vector<double>>>(std::move(samples));
  return plan;
}

std::vector<int> copies_of(const RandomModel& random, const DesignPoint& point) {
  std::vector<int> copy(random.groups().size(), point.source == DesignPoint::second ? 1 : 0);
  if (point.source >= 0) copy[size_t(point.source)] = 1;
  return copy;
}

namespace {

// Of some rows, kept by a thread.
struct RowsToDraw {
  std::vector<std::uint64_t> realizations;
  std::vector<int> copies;  // [rows][groups]
};

}  // namespace

std::vector<double> sample_of(const RandomModel& random, const Plan& plan, std::uint64_t seed, long row) {
  if (plan.table) return (*plan.table)[size_t(row)];
  if (plan.blocks) {
    const Blocks::Block& b = plan.blocks->of(row);
    return random.sample(b.seed, std::uint64_t(b.first_realization + row - b.first_row));
  }
  if (plan.aside && row >= plan.aside->first && row < plan.aside->end())
    return plan.aside->samples[size_t(row - plan.aside->first)];
  const DesignPoint point = plan.point(row);
  RandomModel::Placement placement;
  if (plan.design)
    placement = [&](int variable, int copy, double u) -> Place {
      return {plan.design->at(variable, copy, point.realization, u)};
    };
  return random.sample(seed, std::uint64_t(point.realization), copies_of(random, point), placement);
}

bool samples_of(const RandomModel& random, const Plan& plan, std::uint64_t seed, long first, std::size_t rows,
                std::span<double> to) {
  const long end = first + long(rows);
  if (plan.table || random.draws_bodies()) return false;
  if (plan.aside && end > plan.aside->first && first < plan.aside->end()) return false;
  static thread_local RowsToDraw some;
  some.realizations.clear(), some.copies.clear();
  RandomModel::PlacementOfRow placement;
  if (plan.blocks) seed = plan.blocks->of(first).seed;
  for (long row = first; row < end; ++row) {
    const DesignPoint point = plan.point(row);
    some.realizations.push_back(std::uint64_t(point.realization));
    if (plan.blocks || plan.groups == 0) continue;
    const size_t before = some.copies.size();
    some.copies.resize(before + random.groups().size(), point.source == DesignPoint::second ? 1 : 0);
    if (point.source >= 0) some.copies[before + size_t(point.source)] = 1;
  }
  if (plan.design && !plan.blocks)
    placement = [&plan](std::size_t row, int variable, int copy, double u) -> Place {
      return {plan.design->at(variable, copy, long(some.realizations[row]), u)};
    };
  random.samples({seed, some.realizations, some.copies}, placement, to);
  return true;
}

std::vector<double> places_of(const RandomModel& random, const Plan& plan, std::uint64_t seed, long realization) {
  const DesignPoint point{realization};
  std::vector<double> places(random.variables().size());
  random.sample(seed, std::uint64_t(point.realization), copies_of(random, point), [&](int variable, int copy, double u) -> Place {
    return {places[size_t(variable)] = plan.design ? plan.design->at(variable, copy, point.realization, u) : u};
  });
  return places;
}

}  // namespace aleator::core
