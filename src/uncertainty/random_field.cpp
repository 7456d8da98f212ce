#include "uncertainty/random_field.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "numerics/dense.hpp"

namespace aleator::core {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Points = std::vector<Vec3<double>>;
using Method = RandomField::Method;

// A table with three digits of a good correlation has eigenvalues down to about −1e-4 of the largest; those of closed forms
// are round-off. More is no correlation.
constexpr double negative_share = 1e-3;
// The same for points between the nodes, where the variance that is explained would be more than there is.
constexpr double negative_error = 0.01;

// Lines as ranges [begin, end[ of nodes.
std::vector<std::pair<int, int>> lines_of(const FieldDomain& domain) {
  const int nodes = static_cast<int>(domain.nodes.size());
  if (domain.first.empty()) return {{0, nodes}};
  std::vector<std::pair<int, int>> lines;
  for (std::size_t i = 0; i < domain.first.size(); ++i)
    lines.emplace_back(domain.first[i], i + 1 < domain.first.size() ? domain.first[i + 1] : nodes);
  return lines;
}

void check_domain(const FieldDomain& domain, Method method) {
  if (domain.nodes.empty()) throw std::invalid_argument("a random field needs a node");
  for (const auto& [begin, end] : lines_of(domain))
    if (begin < 0 || begin >= end || end > static_cast<int>(domain.nodes.size()))
      throw std::invalid_argument("the lines of a random field must begin at increasing numbers of nodes");
  if (!domain.first.empty() && domain.first[0] != 0)
    throw std::invalid_argument("the first line of a random field begins at node 0");
  for (const Vec3<double>& x : domain.nodes)
    if (!std::isfinite(x.x) || !std::isfinite(x.y) || !std::isfinite(x.z))
      throw std::invalid_argument("a node of a random field is not finite");
  if (method == Method::eole) return;
  if (domain.weights.size() != domain.nodes.size())
    throw std::invalid_argument(fmt::format("a Karhunen-Loève expansion needs a weight for each of its {} nodes, not {}",
                                            domain.nodes.size(), domain.weights.size()));
  double sum = 0;
  for (const double w : domain.weights) {
    if (!(w >= 0) || !std::isfinite(w))
      throw std::invalid_argument(fmt::format("weights of the nodes of a random field are 0 or more, not {:g}", w));
    sum += w;
  }
  if (!(sum > 0)) throw std::invalid_argument("the nodes of a random field have no weight");
}

// Each interval between neighbours divided into `parts`; the nodes are among the points.
std::vector<Points> divided(const FieldDomain& domain, int parts) {
  std::vector<Points> lines;
  for (const auto& [begin, end] : lines_of(domain)) {
    Points& line = lines.emplace_back();
    for (int k = begin; k < end; ++k) {
      line.push_back(domain.nodes[k]);
      if (k + 1 < end)
        for (int j = 1; j < parts; ++j)
          line.push_back(domain.nodes[k] + (static_cast<double>(j) / parts) * (domain.nodes[k + 1] - domain.nodes[k]));
    }
  }
  return lines;
}

MatrixXd correlations(const Correlation& correlation, const Points& a, const Points& b) {
  MatrixXd c(a.size(), b.size());
  for (std::size_t j = 0; j < b.size(); ++j)
    for (std::size_t i = 0; i < a.size(); ++i) c(i, j) = correlation(norm(a[i] - b[j]));
  return c;
}

// An eigenvector has no sign of its own: the first component of at least half the size of the largest becomes positive.
double sign_of(const VectorXd& v) {
  const double large = v.cwiseAbs().maxCoeff() / 2;
  for (Eigen::Index k = 0; k < v.size(); ++k)
    if (std::abs(v(k)) >= large) return v(k) < 0 ? -1 : 1;
  return 1;
}

[[noreturn]] void not_semidefinite(const std::string& how) {
  throw std::invalid_argument(fmt::format(
      "no random field has this correlation: {}. A table that decreases to a constant, steeply at first and always less "
      "steeply after, is a correlation along a straight beam.",
      how));
}

struct Expansion {
  std::vector<double> eigenvalues;  // falling, those above round-off
  MatrixXd projection;              // [nodes × eigenvalues] S φ_i / √λ_i
  std::vector<double> error_curve;  // [eigenvalues]
};

// S C S φ = λ φ, without the eigenvalues that are noise.
Expansion solve(const Correlation& correlation, const FieldDomain& domain, Method method) {
  const Eigen::Index nodes = static_cast<Eigen::Index>(domain.nodes.size());
  VectorXd s = VectorXd::Ones(nodes);
  if (method == Method::karhunen_loeve) s = Eigen::Map<const VectorXd>(domain.weights.data(), nodes).cwiseSqrt();
  const auto [rising, vectors] =
      dense::symmetric_eigen(s.asDiagonal() * correlations(correlation, domain.nodes, domain.nodes) * s.asDiagonal());
  const double smallest = rising(0), largest = rising(nodes - 1);
  if (smallest < -negative_share * largest)
    not_semidefinite(
        fmt::format("its matrix for the {} nodes has an eigenvalue of {:.2g} times the largest", nodes, smallest / largest));
  // Eigenvalues are computed to about ε times the largest; a negative one shows how far the table is from a correlation.
  const double noise = std::max(-smallest, static_cast<double>(nodes) * std::numeric_limits<double>::epsilon() * largest);
  Expansion e;
  for (Eigen::Index i = nodes - 1; i >= 0 && rising(i) > noise; --i) e.eigenvalues.push_back(rising(i));
  e.projection.resize(nodes, static_cast<Eigen::Index>(e.eigenvalues.size()));
  for (Eigen::Index i = 0; i < e.projection.cols(); ++i) {
    const VectorXd phi = vectors.col(nodes - 1 - i);
    e.projection.col(i) = (sign_of(phi) / std::sqrt(e.eigenvalues[i])) * s.cwiseProduct(phi);
  }
  return e;
}

// For 1, 2, … terms the largest of 1 − Σ w_i(x)² over nodes and points between them.
void find_errors(Expansion& e, const Correlation& correlation, const FieldDomain& domain) {
  VectorXd error;
  std::vector<double> curve(e.eigenvalues.size(), 0.0);
  double lowest = 0;
  for (const Points& line : divided(domain, 4)) {
    const MatrixXd w = correlations(correlation, line, domain.nodes) * e.projection;
    error = VectorXd::Ones(w.rows());
    for (Eigen::Index i = 0; i < w.cols(); ++i) {
      error -= w.col(i).cwiseAbs2();
      curve[i] = std::max(curve[i], error.maxCoeff());
    }
    lowest = std::min(lowest, error.minCoeff());
  }
  if (lowest < -negative_error)
    not_semidefinite(fmt::format("between the nodes its terms would have a variance of {:.2g} instead of 1 or less", 1 - lowest));
  e.error_curve = std::move(curve);
}

Expansion expand(const Correlation& correlation, const FieldDomain& domain, Method method) {
  Expansion e = solve(correlation, domain, method);
  find_errors(e, correlation, domain);
  return e;
}

// The fewest terms with an error below the given one; 0: not reached.
int terms_below(const Expansion& e, double error) {
  const auto reached = std::find_if(e.error_curve.begin(), e.error_curve.end(), [&](double v) { return v < error; });
  return reached == e.error_curve.end() ? 0 : static_cast<int>(reached - e.error_curve.begin()) + 1;
}

// What would help: twice, four times, … the nodes, as long as that takes no more than some seconds.
std::string nodes_needed(const Correlation& correlation, FieldDomain domain, Method method, double error) {
  constexpr std::size_t most = 1000;
  while (2 * domain.nodes.size() <= most) {
    FieldDomain finer;
    for (const Points& line : divided(domain, 2)) {
      if (line.size() < 2) return "a line of one node cannot be refined";
      finer.add_line(line);
    }
    domain = std::move(finer);
    const int terms = terms_below(expand(correlation, domain, method), error);
    if (terms > 0) return fmt::format("{} nodes would reach it, with {} terms", domain.nodes.size(), terms);
  }
  return fmt::format("{} nodes would not either; allow a larger error or a longer correlation", domain.nodes.size());
}

}  // namespace

void FieldDomain::add_line(const std::vector<Vec3<double>>& points) {
  if (points.size() < 2) throw std::invalid_argument("a line of a random field needs at least two nodes");
  if (first.empty() && !nodes.empty()) first.push_back(0);
  first.push_back(static_cast<int>(nodes.size()));
  for (std::size_t k = 0; k < points.size(); ++k) {
    const double before = k > 0 ? norm(points[k] - points[k - 1]) : 0;
    const double after = k + 1 < points.size() ? norm(points[k + 1] - points[k]) : 0;
    nodes.push_back(points[k]);
    weights.push_back((before + after) / 2);
  }
}

void FieldDomain::add_line(const Vec3<double>& begin, const Vec3<double>& end, int count) {
  std::vector<Vec3<double>> points;
  for (int k = 0; k < count; ++k) points.push_back(begin + (static_cast<double>(k) / std::max(count - 1, 1)) * (end - begin));
  add_line(points);
}

RandomField::RandomField(const Correlation& correlation, FieldDomain domain, Method method, int terms, double error)
    : correlation_(correlation) {
  correlation.check();
  check_domain(domain, method);
  const int nodes = static_cast<int>(domain.nodes.size());
  if (terms < 0)
    throw std::invalid_argument(fmt::format("the number of terms of a random field must be positive, not {}", terms));
  if (terms > nodes)
    throw std::invalid_argument(fmt::format(
        "a random field with {} nodes has at most {} terms, not {}; more terms need more nodes", nodes, nodes, terms));
  if (terms == 0 && !(error > 0 && error < 1))
    throw std::invalid_argument(fmt::format("the variance error of a random field is between 0 and 1, not {:g}", error));

  Expansion e = expand(correlation, domain, method);
  const int available = static_cast<int>(e.eigenvalues.size());
  if (terms > available)
    throw std::invalid_argument(
        fmt::format("only {} eigenvalues of this random field are above round-off, with {} nodes: {} terms are too many; {} "
                    "leave an error of {:.2g}",
                    available, nodes, terms, available, e.error_curve.back()));
  terms_ = terms > 0 ? terms : terms_below(e, error);
  if (terms_ == 0)
    throw std::invalid_argument(
        fmt::format("{} nodes are too few for a variance error below {:g}: with all {} terms it is {:.2g}; {}", nodes, error,
                    available, e.error_curve.back(), nodes_needed(correlation, domain, method, error)));
  e.eigenvalues.resize(terms_);
  eigenvalues_ = std::move(e.eigenvalues);
  projection_ = e.projection.leftCols(terms_);
  error_curve_ = std::move(e.error_curve);
  nodes_ = std::move(domain.nodes);
}

std::vector<double> RandomField::weights(const Vec3<double>& x) const {
  const VectorXd w = projection_.transpose() * correlations(correlation_, nodes_, {x});
  return {w.data(), w.data() + w.size()};
}

double RandomField::variance_error(const Vec3<double>& x) const {
  double error = 1;
  for (const double w : weights(x)) error -= w * w;
  return error;
}

std::vector<double> RandomField::error_curve(int most) const {
  const std::size_t count = std::min(error_curve_.size(), static_cast<std::size_t>(std::max(most, 0)));
  return {error_curve_.begin(), error_curve_.begin() + static_cast<std::ptrdiff_t>(count)};
}

}  // namespace aleator::core
