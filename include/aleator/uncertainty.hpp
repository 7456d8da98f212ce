// What is uncertain in a model, and the model as a function of it: for anybody's own method.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include <aleator/model.hpp>

namespace aleator {

// One random number of a model.
struct Quantity {
  std::string name;  // "rb5.mass", "rb5.center_of_mass.x"
  std::string unit;
  std::string distribution;  // in words: "Gamma, shape 4, rate 0.1"
  double nominal = 0, mean = 0, std = 0;
};
std::vector<Quantity> quantities(const Model& model);

// Every number that can be set: parameters, numbers of bodies, and those of distributions.
struct Parameter {
  std::string name;          // as --set knows it: "k", "rb5.mass", "rb5.mass.cov"
  std::string unit;          // empty: not known
  double value = 0;          // NaN: nothing is written
  std::string distribution;  // in words; empty: it is not random
};
std::vector<Parameter> parameters(const Model& model);

// The same model with another distribution of one quantity ("k", "rb5.mass", "link.E"), written as in `uncertain:` of a model file:
// "{lognormal: {cov: 0.1}}"; empty: the quantity is not random. Numbers that were set for it are dropped. Throws InputError.
Model with_distribution(const Model& model, const std::string& quantity, const std::string& distribution);

struct FailedSample {
  std::size_t sample = 0;
  double time = 0;  // up to which it could be computed; NaN: it did not begin
  std::string reason;
};

struct Responses {
  std::size_t samples = 0;
  std::vector<double> time;
  std::vector<Channel> outputs;
  std::vector<double> values;          // [sample][time][output]; NaN where a sample failed
  std::vector<Channel> scalars;        // of the model
  std::vector<double> scalar_values;   // [sample][scalar]; NaN where a sample failed, or never crosses a level
  std::vector<FailedSample> failures;  // in the order of the samples
  bool complete = true;                // false: it was stopped, and samples that were not begun are NaN

  std::span<const double> at(std::size_t sample, std::size_t time_index) const {
    return {&values[(sample * time.size() + time_index) * outputs.size()], outputs.size()};
  }
};

struct FailedDerivative {
  std::size_t sample = 0;
  std::string input;  // with respect to which; empty: the sample itself failed
  std::string reason;
};

// Derivatives of the responses with respect to the inputs, by differences.
struct Jacobian {
  Responses responses;              // at the samples themselves
  std::vector<std::string> inputs;  // with respect to which
  std::vector<double> values;       // [sample][time][output][input]; NaN where there is none
  std::vector<double> errors;       // likewise: estimated absolute error of differencing; that of the integrator is not in it
  std::vector<double> scalar_values, scalar_errors;  // [sample][scalar][input]
  std::vector<FailedDerivative> failures;            // in the order of the samples

  std::size_t index(std::size_t sample, std::size_t time_index, std::size_t output, std::size_t input) const {
    return ((sample * responses.time.size() + time_index) * responses.outputs.size() + output) * inputs.size() + input;
  }
};

// The compiled model: samples in, responses out, on all cores, several samples at once in the lanes of each.
class Ensemble {
 public:
  struct Options {
    int threads = 0;    // 0: all
    std::string isa;    // instruction set; empty: the widest this processor has
    bool retry = true;  // a sample that fails is tried again with a smaller step
    // Columns of x by the names of `--set`: parameters, "rb5.mass", "rb5.inertia.xy", random or not. Random quantities that are not among
    // them have their nominal values. Empty: what is random.
    std::vector<std::string> inputs = {};
  };
  explicit Ensemble(const Model& model);
  Ensemble(const Model& model, Options options);  // throws InputError for names that are no numbers of the model
  ~Ensemble();
  Ensemble(Ensemble&&) noexcept;
  Ensemble& operator=(Ensemble&&) noexcept;

  const std::vector<std::string>& inputs() const;  // names of the columns of x
  const std::vector<double>& nominal() const;      // their values in the nominal model
  const std::vector<Channel>& outputs() const;
  const std::vector<Channel>& scalars() const;
  const std::vector<double>& time() const;
  const std::string& integrator() const;
  double step() const;

  // n samples from the distributions of the model, [n][inputs]: those of a Monte Carlo study with this seed. Inputs that are not random
  // have their nominal values.
  std::vector<double> draw(std::size_t n, std::uint64_t seed = 1) const;
  // x: [n][inputs], by rows. Throws std::invalid_argument when that is not its shape, or a number is not finite.
  Responses evaluate(std::span<const double> x, const std::stop_token& stop = {}) const;
  // Derivatives at these samples with respect to some inputs, or all: differences of eight more samples per input, extrapolated to a
  // vanishing step. Their steps follow from the standard deviations of the inputs, and are made smaller where that does not suffice; at
  // an end of a distribution they are one-sided. Bitwise reproducible as evaluate() is.
  // Throws std::invalid_argument as it does, and for names that are no inputs.
  Jacobian jacobian(std::span<const double> x, const std::vector<std::string>& with_respect_to = {},
                    const std::stop_token& stop = {}) const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace aleator
