#include "reliability/subset_chains.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include "reliability/normal_numbers.hpp"

namespace aleator::core::reliability {
namespace {

constexpr double no_excess = -std::numeric_limits<double>::infinity();
constexpr double wanted_acceptance = 0.44;  // Papaioannou et al. 2015
constexpr double widest_spread = 10;        // spread of proposals, in units of the scatter of seeds
constexpr long longest_chain = 100;

enum SubsetPurpose : std::uint64_t { of_points = 1, of_choices = 2 };

long states_per_chain(const Settings& s) { return std::max(2L, std::lround(1 / s.level_probability)); }

}  // namespace

SubsetRound::SubsetRound(const Space& space, const Settings& settings, long sets, long first, long used)
    : space_(space),
      settings_(settings),
      sets_(sets),
      first_number_(first),
      used_(used),
      nominal_length_(states_per_chain(settings)),
      threshold_(no_excess) {
  const long per_set = (settings.samples + settings.sets - 1) / settings.sets;
  families_ = sets * std::max(per_set, nominal_length_);
  per_state_ = 1 / static_cast<double>(families_);
  std::ranges::sort(space_.discrete);
}

Request SubsetRound::sample() {
  Request request;
  request.phase = "level 1";
  request.of_the_law = true;
  for (long i = 0; i < families_; ++i) {
    Point p;
    p.stream = static_cast<std::uint64_t>(first_number_ + i);
    p.u.resize(space_.dimension);
    fill_normals({space_.seed, p.stream, of_points}, p.u);
    request.points.push_back(std::move(p));
  }
  proposals_ = request.points;
  return request;
}

SubsetRound::State SubsetRound::state(Point point, const Response& response, long family) {
  return {std::move(point), response.excess, response.ok() ? largest_excess(response) : no_excess, family};
}

void SubsetRound::take_sample(const std::vector<Response>& responses) {
  for (long i = 0; i < families_; ++i) {
    const auto k = static_cast<std::size_t>(i);
    failed_ += !responses[k].ok();
    states_.push_back(state(std::move(proposals_[k]), responses[k], i));
  }
  simulations_ = families_;
  if (failed_ == families_)
    throw std::runtime_error("all simulations of the first level failed: nothing can be said about limits");
}

bool SubsetRound::next_level() {
  std::vector<double> values;
  for (const State& s : states_) values.push_back(s.most);
  const long wanted = std::max(1L, std::lround(static_cast<double>(values.size()) / static_cast<double>(nominal_length_)));
  const auto failing = std::ranges::count_if(values, [](double v) { return v > 0; });
  const Threshold next = next_threshold(std::move(values), wanted);
  end_ = End::reached;
  if (failing < wanted) {
    const double reach = per_state_ * static_cast<double>(next.above);
    if (next.above == 0) {
      end_ = End::plateau;
      plateau_ = next.plateau;
      plateau_share_ = static_cast<double>(next.equal) / static_cast<double>(states_.size());
    } else if (reach < settings_.smallest) {
      end_ = End::too_rare;
    } else if (used_ + simulations_ + families_ > settings_.most) {
      end_ = End::budget;
    } else {
      close_level(next.value);
      begin_level(next.value);
      return true;
    }
  }
  close_level(0);
  return false;
}

// What the level says of the next event, {excess > next}.
void SubsetRound::close_level(double next) {
  const long chains = static_cast<long>(states_.size()) / length_;
  std::vector<double> sums(static_cast<std::size_t>(chains)), inside;
  for (std::size_t i = 0; i < states_.size(); ++i) {
    inside.push_back(states_[i].most > next);
    sums[i / static_cast<std::size_t>(length_)] += inside.back();
  }
  double mean = 0;
  for (const double s : sums) mean += s / static_cast<double>(states_.size());
  results::Reliability::Level level;
  level.excess = threshold_;
  level.probability = mean;
  level.cov = chain_cov(sums);
  level.realizations = length_ == 1 ? families_ : proposed_;
  level.accepted = proposed_ > 0 ? static_cast<double>(accepted_) / static_cast<double>(proposed_) : 1;
  level.correlation = chain_correlation(inside, length_);
  level.rho = length_ == 1 ? 0 : rho();
  levels_.push_back(level);
}

// Members of the next event become first states of chains; the others are a stratum of the harvest.
void SubsetRound::begin_level(double next) {
  std::vector<State> seeds;
  for (State& s : states_) {
    if (s.most > next)
      seeds.push_back(std::move(s));
    else if (!s.excess.empty())
      strata_.push_back(member(std::move(s)));
  }
  scatter_of(seeds);
  const double length = static_cast<double>(families_) / static_cast<double>(seeds.size());
  length_ = std::clamp(std::lround(length), 2L, std::max(longest_chain, nominal_length_));
  per_state_ /= static_cast<double>(length_);
  states_.assign(seeds.size() * static_cast<std::size_t>(length_), {});
  for (std::size_t c = 0; c < seeds.size(); ++c) states_[c * static_cast<std::size_t>(length_)] = std::move(seeds[c]);
  reach_ = per_state_ * static_cast<double>(states_.size());
  threshold_ = next;
  position_ = 1;
  accepted_ = proposed_ = 0;
}

// Of the named coordinates; those of random processes are too many to be estimated one by one.
void SubsetRound::scatter_of(const std::vector<State>& seeds) {
  scatter_.assign(space_.named, 1.0);
  if (seeds.size() < 5) return;
  const double n = static_cast<double>(seeds.size());
  for (std::size_t i = 0; i < space_.named; ++i) {
    double mean = 0, squares = 0;
    for (const State& s : seeds) mean += s.point.u[i] / n;
    for (const State& s : seeds) squares += (s.point.u[i] - mean) * (s.point.u[i] - mean);
    scatter_[i] = std::max(1e-3, std::sqrt(squares / (n - 1)));
  }
}

// u' = ρ u + √(1 − ρ²) ξ leaves the standard normal law as it is; so does a coordinate, or a stream, that is drawn anew now and then.
Point SubsetRound::proposal(const Point& from, std::uint64_t number) const {
  Point p;
  p.u.resize(space_.dimension);
  fill_normals({space_.seed, number, of_points}, p.u);
  const Source choices{space_.seed, number, of_choices};
  const double anew = space_.dimension == 0 ? 1 : std::min(0.5, spread_ / 2);
  for (const int i : space_.discrete) {
    const auto k = static_cast<std::size_t>(i);
    if (uniform_number(choices, 1 + k) >= anew) p.u[k] = from.u[k];
  }
  const auto moved = [&](std::size_t i, double sigma) { p.u[i] = std::sqrt(1 - sigma * sigma) * from.u[i] + sigma * p.u[i]; };
  std::size_t next_discrete = 0;
  for (std::size_t i = 0; i < space_.dimension; ++i) {
    if (next_discrete < space_.discrete.size() && static_cast<std::size_t>(space_.discrete[next_discrete]) == i) {
      ++next_discrete;
      continue;
    }
    moved(i, std::min(1.0, i < space_.named ? spread_ * scatter_[i] : spread_));
  }
  p.stream = space_.streams && uniform_number(choices) < anew ? number : from.stream;
  return p;
}

Request SubsetRound::step() {
  Request request;
  request.phase = "level " + std::to_string(levels_.size() + 1);
  const long chains = static_cast<long>(states_.size()) / length_;
  for (long c = 0; c < chains; ++c) {
    const State& before = states_[static_cast<std::size_t>(c * length_ + position_ - 1)];
    request.points.push_back(proposal(before.point, static_cast<std::uint64_t>(first_number_ + simulations_ + c)));
  }
  proposals_ = request.points;
  return request;
}

void SubsetRound::take_step(const std::vector<Response>& responses) {
  long accepted = 0;
  for (std::size_t c = 0; c < responses.size(); ++c) {
    const auto now = c * static_cast<std::size_t>(length_) + static_cast<std::size_t>(position_);
    const long family = states_[now - 1].family;
    State proposed = state(std::move(proposals_[c]), responses[c], family);
    failed_ += !responses[c].ok();
    failed_later_ += !responses[c].ok();
    const bool inside = proposed.most > threshold_;
    accepted += inside;
    states_[now] = inside ? std::move(proposed) : states_[now - 1];
  }
  const auto n = static_cast<long>(responses.size());
  simulations_ += n;
  proposed_ += n;
  accepted_ += accepted;
  adapt(static_cast<double>(accepted) / static_cast<double>(n));
  ++position_;
}

void SubsetRound::adapt(double accepted) {
  spread_ *= std::exp((accepted - wanted_acceptance) / std::sqrt(static_cast<double>(position_)));
  spread_ = std::min(spread_, widest_spread);
}

double SubsetRound::rho() const {
  const auto of = [](double sigma) { return std::sqrt(1 - std::min(1.0, sigma * sigma)); };
  if (space_.dimension > space_.named || scatter_.empty()) return of(spread_);
  double mean = 0;
  for (const double s : scatter_) mean += of(spread_ * s) / static_cast<double>(scatter_.size());
  return mean;
}

// Numbers of random processes are kept of realizations that fail.
Harvest::Member SubsetRound::member(State&& s) const {
  if (!(s.most > 0)) {
    s.point.u.resize(space_.named);
    s.point.u.shrink_to_fit();
  }
  return {std::move(s.point), std::move(s.excess), per_state_};
}

void SubsetRound::give(Harvest& harvest, double share) {
  for (State& s : states_)
    if (!s.excess.empty()) strata_.push_back(member(std::move(s)));
  states_.clear();
  for (Harvest::Member& m : strata_) {
    m.weight *= share;
    harvest.members.push_back(std::move(m));
  }
  strata_.clear();
}

std::vector<double> SubsetRound::contributions(std::size_t event) const {
  std::vector<double> of(static_cast<std::size_t>(families_));
  for (const State& s : states_) {
    const double excess = event < s.excess.size() ? s.excess[event] : s.most;
    if (excess > 0) of[static_cast<std::size_t>(s.family)] += per_state_;
  }
  return of;
}

double SubsetRound::reach_cov() const {
  std::vector<double> of(static_cast<std::size_t>(families_));
  for (const State& s : states_) of[static_cast<std::size_t>(s.family)] += 1;
  return chain_cov(of);
}

Threshold next_threshold(std::vector<double> values, long wanted) {
  std::ranges::sort(values, std::greater<>());
  const auto n = static_cast<long>(values.size());
  const double edge = values[static_cast<std::size_t>(wanted - 1)];
  const auto above = std::ranges::lower_bound(values, edge, std::greater<>()) - values.begin();
  const auto with = std::ranges::upper_bound(values, edge, std::greater<>()) - values.begin();
  Threshold t;
  t.plateau = edge;
  t.equal = with - above;
  if (2 * with > n) {  // too many equal ones for an event that is rarer
    t.value = edge;
    t.above = above;
    return t;
  }
  const double below = values[static_cast<std::size_t>(with)], middle = below + (edge - below) / 2;
  t.value = middle > below && middle < edge ? middle : below;
  t.above = with;
  return t;
}

double chain_cov(const std::vector<double>& sums) {
  const auto n = static_cast<double>(sums.size());
  double total = 0, squares = 0;
  for (const double s : sums) total += s;
  for (const double s : sums) squares += (s - total / n) * (s - total / n);
  return total > 0 && n > 1 ? std::sqrt(squares * n / (n - 1)) / total : 1;
}

double chain_correlation(const std::vector<double>& values, long length) {
  double mean = 0, products = 0, squares = 0;
  long pairs = 0;
  for (const double v : values) mean += v / static_cast<double>(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    squares += (values[i] - mean) * (values[i] - mean) / static_cast<double>(values.size());
    if (static_cast<long>(i) % length == 0) continue;
    products += (values[i] - mean) * (values[i - 1] - mean);
    ++pairs;
  }
  return squares > 0 && pairs > 0 ? products / static_cast<double>(pairs) / squares : 0;
}

}  // namespace aleator::core::reliability
