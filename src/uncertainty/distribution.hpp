// Scalar laws and copulas by name. The most common ones are computed here (own_laws.hpp), the others by OpenTURNS; it lives in a module of
// its own that is loaded when the first of these is made, so that runs that need none do not wait for its ninety libraries.
#pragma once

#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "numerics/polynomials.hpp"

namespace aleator::core {

class SequenceRecorder;

struct Argument {
  std::string name;
  double value;
};

// A law in OpenTURNS' terms: plain data from which it can be made again (make_distribution).
struct Law {
  std::string name;                  // of OpenTURNS' class: "Gamma"
  std::vector<Argument> parameters;  // all of them, by its own names
  std::string words;                 // for people
  double cut_lower = -std::numeric_limits<double>::infinity();
  double cut_upper = std::numeric_limits<double>::infinity();

  double parameter(std::string_view its_name) const {  // not a number where there is none of that name
    for (const Argument& p : parameters)
      if (p.name == its_name) return p.value;
    return std::numeric_limits<double>::quiet_NaN();
  }
  bool tabulated() const { return name == "Histogram"; }  // x0, p0, x1, p1, …
};

// One law of one number. All functions may be called from any thread.
class Distribution {
 public:
  virtual ~Distribution() = default;
  virtual double quantile(double p) const = 0;  // 0 < p < 1; nearer to 0 or 1 than 2⁻⁵³ as at that distance
  virtual void quantiles(std::span<const double> p, std::span<double> x) const {  // the same of many, with the same bits
    for (std::size_t i = 0; i < p.size(); ++i) x[i] = quantile(p[i]);
  }
  // Written down for lanes: from the p in a slot to the quantile in another, with the same bits. False: it cannot be.
  virtual bool record_quantile(SequenceRecorder&, [[maybe_unused]] int p, [[maybe_unused]] int x) const { return false; }
  // At the probability Φ(z) of a standard normal variable, from the smaller tail: Φ(8.3) is 1 in 53 bits, and z goes further out.
  virtual double at_normal(double z) const = 0;
  virtual double cdf(double x) const = 0;
  virtual double pdf(double x) const = 0;
  virtual bool has_density() const = 0;  // continuous; otherwise pdf() is the probability of a value
  virtual double mean() const = 0;       // not finite where it does not exist
  virtual double standard_deviation() const = 0;
  virtual double lower() const = 0;  // of the support, −∞ where it has no end
  virtual double upper() const = 0;
  // Continuous, and polynomials in the value itself are dense under the law: bounded, or with tails that fall at least as
  // exp(−c|x|), whose moments are finite and determine it. Otherwise (lognormal, student, discrete, …) expansions go through a
  // normal variable.
  virtual bool smooth_germ() const = 0;
  // Orthonormal under the law up to `degree`: Hermite for the normal law, Legendre for the uniform, Laguerre for gamma,
  // exponential and chi-square, Jacobi for beta, otherwise by Stieltjes' procedure. Throws std::invalid_argument without a
  // smooth germ.
  virtual PolynomialFamily polynomials(int degree) const = 0;
  virtual GaussQuadrature gauss(int n) const = 0;  // n points, nodes in z of polynomials()
  virtual Law law() const = 0;                     // what it was made from, for files
  virtual std::string words() const = 0;           // "Gamma, shape 4, rate 0.1 1/kg"-like, without the unit
};

// `kind` is a key of distribution_kinds() (model/distribution_kinds.hpp), the arguments are its fields. `nominal` serves where
// a kind's mean or mode may be left out. Throws std::invalid_argument with what is wrong and what would be right.
std::unique_ptr<const Distribution> make_distribution(std::string_view kind, std::span<const Argument> arguments, double nominal);
// A law that was written down as law() gave it. The same checks of its values, not of its names.
std::unique_ptr<const Distribution> make_distribution(const Law& law);
// A law under OpenTURNS' own name with its own parameter names: "Frechet", {beta, alpha, gamma}.
std::unique_ptr<const Distribution> make_openturns_distribution(const std::string& name, std::span<const Argument> arguments);
// A distribution function given by points, x0 p0 x1 p1 …, linear between them. Throws std::invalid_argument.
std::unique_ptr<const Distribution> make_tabulated_distribution(std::span<const double> points);

// Dependence: turns independent uniform numbers into dependent ones, each still uniform.
class Copula {
 public:
  virtual ~Copula() = default;
  virtual int dimension() const = 0;
  virtual void map(std::span<double> u) const = 0;  // in place; the first one stays as it is
};

// `correlation` by rows, of the underlying normal variables. Throws std::invalid_argument when it is not positive definite.
std::unique_ptr<const Copula> make_normal_copula(std::span<const double> correlation, int dimension);
// "clayton", "frank", "gumbel", … of two numbers.
std::unique_ptr<const Copula> make_copula(std::string_view kind, std::span<const Argument> arguments);

}  // namespace aleator::core
