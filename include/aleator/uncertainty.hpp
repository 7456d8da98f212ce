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
  std::vector<FailedSample> failures;  // in the order of the samples
  bool complete = true;                // false: it was stopped, and samples that were not begun are NaN

  std::span<const double> at(std::size_t sample, std::size_t time_index) const {
    return {&values[(sample * time.size() + time_index) * outputs.size()], outputs.size()};
  }
};

// The compiled model: samples in, responses out, on all cores, several samples at once in the lanes of each.
class Ensemble {
 public:
  struct Options {
    int threads = 0;    // 0: all
    std::string isa;    // instruction set; empty: the widest this processor has
    bool retry = true;  // a sample that fails is tried again with a smaller step
  };
  explicit Ensemble(const Model& model);
  Ensemble(const Model& model, Options options);
  ~Ensemble();
  Ensemble(Ensemble&&) noexcept;
  Ensemble& operator=(Ensemble&&) noexcept;

  const std::vector<std::string>& inputs() const;  // names of the columns of x
  const std::vector<Channel>& outputs() const;
  const std::vector<double>& time() const;
  const std::string& integrator() const;
  double step() const;

  // n samples from the distributions of the model, [n][inputs]: those of a Monte Carlo study with this seed.
  std::vector<double> draw(std::size_t n, std::uint64_t seed = 1) const;
  // x: [n][inputs], by rows. Throws std::invalid_argument when that is not its shape, or a number is not finite.
  Responses evaluate(std::span<const double> x, const std::stop_token& stop = {}) const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace aleator
