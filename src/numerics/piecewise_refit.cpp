// Another function on the pieces of a fit. Its values at all nodes are asked for at once; pieces that do not resolve it are halved,
// all of them at first, so that most realizations of a study share their knots.
#include <algorithm>
#include <cmath>
#include <iterator>

#include "numerics/piecewise_block.hpp"
#include "numerics/refit.hpp"

namespace aleator::core {

using namespace piecewise;

namespace {

constexpr int most_halvings = 6;
constexpr double margin = 0.1;  // of the tolerance: its 14th power of the frequency is 80 times it at 1.37 times the frequency
constexpr std::size_t most_breaks = 5000;
constexpr double same_time = 1e-12;  // of the whole interval

// Several maxima side by side: none waits for another.
double largest(std::span<const double> x) {
  constexpr std::size_t side_by_side = 16;
  double m[side_by_side] = {};
  std::size_t i = 0;
  for (; i + side_by_side <= x.size(); i += side_by_side)
    for (std::size_t k = 0; k < side_by_side; ++k) {
      const double v = std::fabs(x[i + k]);
      m[k] = m[k] < v ? v : m[k];
    }
  for (; i < x.size(); ++i) m[0] = std::max(m[0], std::fabs(x[i]));
  return *std::max_element(m, m + side_by_side);
}

// Kept from one realization to the next: asking the system for it takes longer than the arithmetic.
struct Workspace {
  std::vector<Piece> pieces, halves;
  std::vector<double> t, y;
};
Workspace& workspace() {
  thread_local Workspace w;
  return w;
}

constexpr std::size_t at_once = 32;  // pieces: their values stay in the nearest cache
static_assert(at_once % Block::pieces == 0);

class Refit {
 public:
  Refit(const ValuesAt& f, const PiecewisePolynomial& like, std::span<const double> given, double tolerance)
      : f_(f), like_(like), t0_(like.knots.front()), t1_(like.knots.back()), given_(given), tolerance_(tolerance) {
    look();
    shared_ = knots_with_margin();
  }

  std::optional<PiecewisePolynomial> operator()(std::span<const Switch> switches) {
    std::vector<double> breaks = breaks_with(given_, t0_, t1_);
    const std::size_t others = breaks.size();
    for (const Switch& s : switches) {
      if (s.zeros)
        breaks.insert(breaks.end(), s.zeros->begin(), s.zeros->end());
      else if (!add_sign_changes(s.values, breaks))
        return std::nullopt;
    }
    std::sort(breaks.begin(), breaks.end());
    // About as many as the nominal function has: these have moved, and their old places mean nothing. No knots are shared then, and only
    // pieces that need it are halved.
    if (const std::size_t moved = breaks.size() - others; moved > 0 && 2 * (moved + given_.size()) > like_.breakpoints.size())
      if (auto r = on(without_breakpoints(like_.knots), breaks)) return r;
    return on(shared_, breaks);
  }

 private:
  std::optional<PiecewisePolynomial> on(const std::vector<double>& own, std::vector<double> breaks) {
    const std::vector<double> knots = knots_with(breaks, own);
    pieces_.resize(knots.size() - 1);
    for (std::size_t i = 0; i + 1 < knots.size(); ++i)
      pieces_[i].a = knots[i], pieces_[i].b = knots[i + 1], pieces_[i].resolved = false;
    interpolate();
    for (int k = 0; k < most_halvings && !all_resolved(); ++k) halve(k == 0 && knots == shared_);
    if (!all_resolved()) return std::nullopt;
    return finished(breaks);
  }

  bool all_resolved() const {
    return std::all_of(pieces_.begin(), pieces_.end(), [](const Piece& p) { return p.resolved; });
  }

  std::vector<double> without_breakpoints(const std::vector<double>& knots) const {
    std::vector<double> r;
    std::set_difference(knots.begin(), knots.end(), like_.breakpoints.begin(), like_.breakpoints.end(), std::back_inserter(r));
    return r;
  }

  void look() {
    const std::vector<double> breaks = breaks_with(given_, t0_, t1_);
    std::vector<double> t, y;
    for (std::size_t i = 0; i + 1 < breaks.size(); ++i)
      for (int k = 0; k < first_look; ++k) t.push_back(breaks[i] + (breaks[i + 1] - breaks[i]) * (k + 0.5) / first_look);
    y.resize(t.size());
    f_(t, y);
    for (std::size_t i = 0; i < t.size(); ++i) {
      samples_.push_back({t[i], y[i]});
      scale_ = std::max(scale_, std::fabs(y[i]));
    }
  }

  // A piece of `like` that resolves its function only just would not resolve one that is a little faster: it is halved beforehand, in
  // all realizations alike.
  std::vector<double> knots_with_margin() const {
    const double size = largest(like_.coefficients);
    std::vector<double> knots = {like_.knots[0]};
    for (int i = 0; i < like_.pieces(); ++i) {
      double last = 0;
      for (int k = degree - 2; k <= like_.degree; ++k) last = std::max(last, std::fabs(like_.of_piece(i)[k]));
      if (last > margin * tolerance_ * size && last > margin * error_of_time(i))
        knots.push_back(0.5 * (like_.knots[i] + like_.knots[i + 1]));
      knots.push_back(like_.knots[i + 1]);
    }
    return knots;
  }

  // That rounding t makes in a piece of `like`.
  double error_of_time(int i) const {
    double slope = 0;
    for (int k = 1; k <= like_.degree; ++k) slope += k * std::fabs(like_.of_piece(i)[k]);
    return rounding(like_.knots[i], like_.knots[i + 1], slope);
  }

  // Six places in each piece of `like`, and those of the first look, rising. A sign that changes twice between two of them is missed: then
  // a piece is not resolved.
  std::vector<double> grid() const {
    std::vector<double> inside, all;
    for (int i = 0; i < like_.pieces(); ++i)
      for (const int j : {16, 13, 10, 6, 3, 0})
        inside.push_back(0.5 * (like_.knots[i] + like_.knots[i + 1]) +
                         0.5 * (like_.knots[i + 1] - like_.knots[i]) * node_places()[j]);
    std::vector<double> looked;
    for (const Sample& x : samples_) looked.push_back(x.t);
    std::merge(inside.begin(), inside.end(), looked.begin(), looked.end(), std::back_inserter(all));
    return all;
  }

  struct Bracket {
    double a, b, ga, gb;  // g(a) > 0 is another answer than g(b) > 0
  };

  // Where g > 0 becomes true or false: by regula falsi, halved where that is slow, on all brackets at once.
  bool add_sign_changes(const ValuesAt& g, std::vector<double>& breaks) const {
    const std::vector<double> t = grid();
    std::vector<double> y(t.size());
    g(t, y);
    std::vector<Bracket> open;
    for (std::size_t i = 0; i + 1 < t.size(); ++i)
      if ((y[i] > 0) != (y[i + 1] > 0)) open.push_back({t[i], t[i + 1], y[i], y[i + 1]});
    if (open.size() > most_breaks) return false;
    std::vector<double> place, value;
    for (int round = 0; !open.empty(); ++round) {
      place.clear();
      for (const Bracket& k : open) place.push_back(inside(k, round));
      value.resize(place.size());
      g(place, value);
      std::vector<Bracket> left;
      for (std::size_t i = 0; i < open.size(); ++i)
        if (narrow(open[i], place[i], value[i], round))
          breaks.push_back(std::fabs(open[i].ga) <= std::fabs(open[i].gb) ? open[i].a : open[i].b);
        else
          left.push_back(open[i]);
      open = std::move(left);
    }
    return true;
  }

  // Not nearer to an end than a rounding: a root at one end is enclosed by the next value.
  static double inside(const Bracket& k, int round) {
    const double middle = 0.5 * k.a + 0.5 * k.b, t = k.a - k.ga * (k.b - k.a) / (k.gb - k.ga);
    const double least = 2 * epsilon * std::max(std::fabs(k.a), std::fabs(k.b));
    if (round % 8 == 7 || !(k.b - k.a > 2 * least) || !(t >= k.a && t <= k.b)) return middle;
    return std::clamp(t, k.a + least, k.b - least);
  }

  // Whether it is as narrow as it can be.
  bool narrow(Bracket& k, double t, double g, int round) const {
    if (g == 0) return k = {t, t, 0, 0}, true;
    if (!(k.a < t && t < k.b) || round > 100) return true;
    const bool with_a = (g > 0) == (k.ga > 0);
    if (with_a)
      k.a = t, k.ga = g, k.gb *= 0.5;  // Illinois: the end that stays is trusted less
    else
      k.b = t, k.gb = g, k.ga *= 0.5;
    return k.b - k.a <= 4 * epsilon * std::max(std::fabs(k.a), std::fabs(k.b));
  }

  // The knots of `like` and the breaks. Those of `like` are taken where they are meant: realizations then share them. Breaks are
  // changed to what was taken.
  std::vector<double> knots_with(std::vector<double>& breaks, const std::vector<double>& own) const {
    const double same = same_time * (t1_ - t0_);
    auto k = shared_.begin();
    for (double& t : breaks) {
      while (k != shared_.end() && *k < t - same) ++k;
      if (k != shared_.end() && std::fabs(*k - t) <= same && !is_given(t)) t = *k;
    }
    std::sort(breaks.begin(), breaks.end());
    std::vector<double> knots = {t0_};
    std::vector<double> all;
    std::merge(breaks.begin(), breaks.end(), own.begin(), own.end(), std::back_inserter(all));
    for (const double t : all) {
      if (t <= t0_ || t >= t1_ || t == knots.back()) continue;
      if (t - knots.back() > same && t1_ - t > same)
        knots.push_back(t);
      else if (is_given(t) && knots.size() > 1)
        knots.back() = t;
    }
    knots.push_back(t1_);
    return knots;
  }
  bool is_given(double t) const { return std::find(given_.begin(), given_.end(), t) != given_.end(); }

  // Coefficients of the pieces that are not resolved, and whether they now are.
  void interpolate() {
    Piece* some[at_once];
    std::size_t count = 0;
    auto sample = samples_.cbegin();
    for (Piece& p : pieces_) {
      if (!p.resolved) some[count++] = &p;
      if (count == at_once || (count > 0 && &p == &pieces_.back())) interpolate({some, count}, sample), count = 0;
    }
  }

  void interpolate(std::span<Piece* const> some, std::vector<Sample>::const_iterator& sample) {
    const std::size_t n = some.size();
    t_.resize(n * Block::values), y_.resize(t_.size());
    double middle[at_once], half[at_once];
    for (std::size_t i = 0; i < n; ++i) {
      const Piece& p = *some[i];
      middle[i] = 0.5 * p.a + 0.5 * p.b, half[i] = 0.5 * (p.b - p.a);
    }
    const double* const places = node_places();
    for (int j = 0; j < Block::values; ++j)
      for (std::size_t i = 0; i < n; ++i) t_[std::size_t(j) * n + i] = middle[i] + half[i] * places[j];
    f_(t_, y_);
    Block block;
    for (std::size_t first = 0; first < n; first += Block::pieces) {
      const std::size_t count = std::min<std::size_t>(Block::pieces, n - first);
      block.transform(y_.data() + first, n, count);
      for (std::size_t i = 0; i < count; ++i) take(block, i, *some[first + i], sample);
    }
  }

  // The coefficients of one, judged; what is noise is cut off.
  void take(const Block& block, std::size_t i, Piece& p, std::vector<Sample>::const_iterator& sample) const {
    for (int k = 0; k <= degree; ++k) p.c[std::size_t(k)] = block.c[k][i];
    const double error_of_t = rounding(p.a, p.b, block.slope[i]);
    judge(p, block.last[i], std::max(tolerance_ * scale_, error_of_t),
          [&](const Piece& x) { return std::max(block.error[i], error_at_samples(x, sample)); });
    if (p.resolved) chop(p, block.largest[i], error_of_t);
  }

  // Pieces are asked for from left to right.
  double error_at_samples(const Piece& p, std::vector<Sample>::const_iterator& at) const {
    double error = 0;
    while (at != samples_.end() && at->t <= p.a) ++at;
    for (; at != samples_.end() && at->t < p.b; ++at) error = std::max(error, std::fabs(at->y - value_at(p, at->t)));
    return error;
  }

  void halve(bool all) {
    halves_.clear();
    for (const Piece& p : pieces_) {
      if (p.resolved && !all) {
        halves_.push_back(p);
        continue;
      }
      const double middle = 0.5 * (p.a + p.b), ends[] = {p.a, middle, p.b};
      for (int k = 0; k < 2; ++k) {
        Piece& half = halves_.emplace_back();
        half.a = ends[k], half.b = ends[k + 1], half.resolved = false;
      }
    }
    std::swap(pieces_, halves_);
    interpolate();
  }

  // Given times are breakpoints; of the others, where a jump is possible, those at which there is one.
  PiecewisePolynomial finished(const std::vector<double>& breaks) {
    PiecewisePolynomial r = joined(pieces_, like_.degree);
    std::vector<double> possible;
    std::merge(breaks.begin(), breaks.end(), like_.breakpoints.begin(), like_.breakpoints.end(), std::back_inserter(possible));
    possible.erase(std::unique(possible.begin(), possible.end()), possible.end());
    auto k = r.knots.begin();
    for (const double t : possible) {
      while (k != r.knots.end() && *k < t) ++k;
      if (k == r.knots.end() || *k != t || t <= t0_ || t >= t1_) continue;
      if (is_given(t) || jumps(r, int(k - r.knots.begin()), scale_)) r.breakpoints.push_back(t);
    }
    return r;
  }

  const ValuesAt& f_;
  const PiecewisePolynomial& like_;
  const double t0_, t1_;
  std::span<const double> given_;
  const double tolerance_;
  double scale_ = 0.0;           // largest |f| seen
  std::vector<Sample> samples_;  // rising in t
  std::vector<double> shared_;   // knots to begin with
  std::vector<Piece>&pieces_ = workspace().pieces, &halves_ = workspace().halves;
  std::vector<double>&t_ = workspace().t, &y_ = workspace().y;
};

}  // namespace

std::optional<PiecewisePolynomial> refit(const ValuesAt& f, const PiecewisePolynomial& like, std::span<const double> breakpoints,
                                         std::span<const Switch> switches, double tolerance) {
  if (like.degree > degree) return std::nullopt;
  return Refit(f, like, breakpoints, tolerance)(switches);
}

}  // namespace aleator::core
