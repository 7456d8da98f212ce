// Another function on the pieces of a fit. Its values at all nodes are asked for at once; pieces that do not resolve it are halved,
// all of them at first, so that most realizations of a study share their knots.
#include <algorithm>
#include <cmath>
#include <iterator>

#include "numerics/piecewise_pieces.hpp"

namespace aleator::core {

using namespace piecewise;

namespace {

constexpr int nodes = degree + 1, per_piece = nodes + int(std::size(check_places));
constexpr int halvings = 6;
constexpr double margin = 0.1;  // of the tolerance: its 14th power of the frequency is 80 times it at 1.37 times the frequency
constexpr std::size_t most_breaks = 5000;
constexpr double same_time = 1e-12;  // of the whole interval

// [nodes][coefficients]: c_k = (k > 0 ? 2 : 1)/n Σ_j f(s_j) cos(k θ_j)
const std::array<std::array<double, nodes>, nodes>& transform() {
  static const auto matrix = [] {
    const std::vector<double> cosine = cosines(nodes);
    std::array<std::array<double, nodes>, nodes> m;
    for (int j = 0; j < nodes; ++j)
      for (int k = 0; k < nodes; ++k) m[j][k] = cosine[k * (2 * j + 1) % (4 * nodes)];
    return m;
  }();
  return matrix;
}

class Refit {
 public:
  Refit(const ValuesAt& f, const PiecewisePolynomial& like, std::span<const double> given, double tolerance)
      : f_(f), like_(like), t0_(like.knots.front()), t1_(like.knots.back()), given_(given), tolerance_(tolerance) {
    look();
    shared_ = knots_with_margin();
  }

  std::optional<PiecewisePolynomial> operator()(std::span<const ValuesAt> switches) {
    std::vector<double> breaks = breaks_with(given_, t0_, t1_);
    for (const ValuesAt& s : switches)
      if (!add_sign_changes(s, breaks)) return std::nullopt;
    const std::vector<double> knots = knots_with(breaks, shared_);
    std::vector<Piece> pieces;
    for (std::size_t i = 0; i + 1 < knots.size(); ++i) pieces.push_back({knots[i], knots[i + 1], {}, 0, false});
    interpolate(pieces);
    for (int k = 0; k < halvings && !all_resolved(pieces); ++k) halve(pieces, k == 0 && knots == shared_);
    if (!all_resolved(pieces)) return std::nullopt;
    return finished(pieces, breaks);
  }

 private:
  static bool all_resolved(const std::vector<Piece>& pieces) {
    return std::all_of(pieces.begin(), pieces.end(), [](const Piece& p) { return p.resolved; });
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
    double size = 0;
    for (const double c : like_.coefficients) size = std::max(size, std::fabs(c));
    std::vector<double> knots = {like_.knots[0]};
    for (int i = 0; i < like_.pieces(); ++i) {
      double last = 0;
      for (int k = degree - 2; k <= like_.degree; ++k) last = std::max(last, std::fabs(like_.of_piece(i)[k]));
      if (last > margin * tolerance_ * size) knots.push_back(0.5 * (like_.knots[i] + like_.knots[i + 1]));
      knots.push_back(like_.knots[i + 1]);
    }
    return knots;
  }

  // Places in the pieces of `like`, and of the first look, rising.
  std::vector<double> grid() const {
    static const std::vector<double> cosine = cosines(nodes);
    std::vector<double> inside, all;
    for (int i = 0; i < like_.pieces(); ++i)
      for (int j = nodes - 1; j >= 0; --j)
        inside.push_back(0.5 * (like_.knots[i] + like_.knots[i + 1]) +
                         0.5 * (like_.knots[i + 1] - like_.knots[i]) * cosine[2 * j + 1]);
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
    std::sort(breaks.begin(), breaks.end());
    return true;
  }

  static double inside(const Bracket& k, int round) {
    const double middle = 0.5 * k.a + 0.5 * k.b, t = k.a - k.ga * (k.b - k.a) / (k.gb - k.ga);
    return round % 4 != 3 && t > k.a && t < k.b ? t : middle;
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
    for (double& t : breaks) {
      const auto k = std::lower_bound(own.begin(), own.end(), t - same);
      if (k != own.end() && std::fabs(*k - t) <= same && !is_given(t)) t = *k;
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
  void interpolate(std::vector<Piece>& pieces) {
    static const std::vector<double> cosine = cosines(nodes);
    t_.clear();
    for (const Piece& p : pieces) {
      if (p.resolved) continue;
      const double middle = 0.5 * p.a + 0.5 * p.b, half = 0.5 * (p.b - p.a);
      for (int j = 0; j < nodes; ++j) t_.push_back(middle + half * cosine[2 * j + 1]);
      for (const double s : check_places) t_.push_back(0.5 * (p.a + p.b) + 0.5 * s * (p.b - p.a));
    }
    y_.resize(t_.size());
    f_(t_, y_);
    const double* y = y_.data();
    for (Piece& p : pieces) {
      if (p.resolved) continue;
      std::array<double, nodes> c{};
      for (int j = 0; j < nodes; ++j)
        for (int k = 0; k < nodes; ++k) c[k] += y[j] * transform()[j][k];
      for (int k = 0; k < nodes; ++k) p.c[k] = c[k] * (k == 0 ? 1.0 : 2.0) / nodes;
      judge(p, tolerance_ * scale_, [&](const Piece& x) { return error_at(x, y + nodes, samples_); });
      y += per_piece;
    }
  }

  void halve(std::vector<Piece>& pieces, bool all) {
    std::vector<Piece> halves;
    for (const Piece& p : pieces) {
      if (p.resolved && !all) {
        halves.push_back(p);
        continue;
      }
      const double middle = 0.5 * (p.a + p.b);
      halves.push_back({p.a, middle, {}, 0, false});
      halves.push_back({middle, p.b, {}, 0, false});
    }
    pieces = std::move(halves);
    interpolate(pieces);
  }

  // Given times are breakpoints; of the others, where a jump is possible, those at which there is one.
  PiecewisePolynomial finished(std::vector<Piece>& pieces, const std::vector<double>& breaks) const {
    PiecewisePolynomial r = joined(pieces, like_.degree);
    std::vector<double> possible;
    std::merge(breaks.begin(), breaks.end(), like_.breakpoints.begin(), like_.breakpoints.end(), std::back_inserter(possible));
    possible.erase(std::unique(possible.begin(), possible.end()), possible.end());
    for (const double t : possible) {
      const auto k = std::lower_bound(r.knots.begin(), r.knots.end(), t);
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
  std::vector<double> t_, y_;
};

}  // namespace

std::optional<PiecewisePolynomial> refit(const ValuesAt& f, const PiecewisePolynomial& like, std::span<const double> breakpoints,
                                         std::span<const ValuesAt> switches, double tolerance) {
  if (like.degree > degree) return std::nullopt;
  return Refit(f, like, breakpoints, tolerance)(switches);
}

}  // namespace aleator::core
