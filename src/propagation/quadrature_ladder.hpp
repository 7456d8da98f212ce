// Expansions by quadratures of rising order, and what their differences say about the error.
#pragma once

#include <string>
#include <vector>

#include "analysis/accumulate.hpp"
#include "analysis/chaos.hpp"
#include "design/germ.hpp"
#include "design/quadrature.hpp"

namespace aleator::core {

// A quadrature in all variables of a germ: a full tensor of Gauss rules with order + 1 points each, or Smolyak's of that level.
struct GermQuadrature {
  int order = 0;
  bool tensor = true;
  Quadrature rule;

  static double size(const Germ& germ, bool tensor, int order);  // how many points it would have
  static GermQuadrature make(const Germ& germ, bool tensor, int order);
  std::vector<std::vector<double>> samples(const Germ& germ) const;
  analysis::Expansion expansion(const Germ& germ, const analysis::Truncation& basis, const analysis::Responses& y) const;
};

// Relative errors of the mean and of the standard deviation of each output together, as in analysis/accuracy.hpp; NaN where nothing
// scatters.
using Errors = std::vector<double>;

class QuadratureLadder {
 public:
  explicit QuadratureLadder(const Germ& germ) : germ_(germ), tensor_(germ.size() <= 3) {}

  bool empty() const { return stages_.empty(); }
  // The highest order within so many points, above another and at most twice it; 0: none.
  int order_within(double points, int above) const;
  double points_of(int order) const { return GermQuadrature::size(germ_, tensor_, order); }
  int order() const { return stages_.back().quadrature.order; }
  double points() const { return double(stages_.back().quadrature.rule.size()); }

  std::vector<std::vector<double>> add(int order);  // the samples of another quadrature; the responses are to come in this order
  void take(bool ok, const std::vector<double>& values);
  bool failed() const { return failed_; }  // a realization that no quadrature can do without

  // When all responses are there.
  void expand();
  const analysis::Expansion& expansion() const { return stages_.back().expansion; }
  // The change from a quadrature of N points to the next is about its error e. Two changes give the rate, e ~ N^(−p), and with
  // it the error with this many points. Half the rate is counted on: it falls where the response is not analytic.
  Errors errors(double points, const analysis::StatisticsRequest& questions) const;
  Errors errors(const analysis::StatisticsRequest& questions) const { return errors(points(), questions); }
  std::string words() const;

 private:
  struct Stage {
    GermQuadrature quadrature;
    size_t first = 0;               // of its responses
    analysis::Expansion expansion;  // without terms: not there yet
  };
  Errors changes(size_t stage, const analysis::StatisticsRequest& questions) const;

  const Germ& germ_;
  bool tensor_;
  std::vector<Stage> stages_;
  std::vector<std::vector<double>> responses_;
  bool failed_ = false;
};

}  // namespace aleator::core
