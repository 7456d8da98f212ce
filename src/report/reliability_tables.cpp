#include "report/reliability_tables.hpp"

#include <fmt/format.h>

#include <cmath>

#include "results/read_reliability.hpp"

namespace aleator::core::report {
namespace {

// An empty field where it is not known.
std::string field(double x) { return std::isnan(x) ? "," : fmt::format(",{:.17g}", x); }

std::string limit_line(const std::string& name, double probability, double cov, double lower, double upper, long realizations) {
  return name + field(probability) + field(cov) + field(lower) + field(upper) + fmt::format(",{}\n", realizations);
}

}  // namespace

std::string probabilities_csv(const results::StudyReader& file) {
  std::string text = "limit,probability,cov,lower,upper,realizations\n";
  const results::Reliability r = results::read_reliability(file);
  for (const auto& p : r.of) text += limit_line(p.limit, p.probability, p.cov, p.lower, p.upper, r.simulations);
  return text;
}

std::string exceedance_csv(const results::StudyReader& file) {
  const results::Reliability r = results::read_reliability(file);
  if (r.curves.empty()) throw ReadError(file.path(), "its method has no curves of probabilities");
  std::string text = "limit,b,probability,lower,upper\n";
  for (const auto& c : r.curves)
    for (std::size_t i = 0; i < c.b.size(); ++i)
      text += c.limit + field(c.b[i]) + field(c.probability[i]) + field(c.lower[i]) + field(c.upper[i]) + "\n";
  return text;
}

std::string failure_samples_csv(const results::StudyReader& file) {
  const results::Reliability r = results::read_reliability(file);
  const results::Reliability::Failures& f = r.failures;
  if (f.weights.empty()) throw ReadError(file.path(), "its method has found no failure samples");
  const std::vector<std::string> columns = file.column_names();
  std::string text = "weight,excess,limit";
  for (const std::string& c : columns) text += "," + c;
  text += "\n";
  for (std::size_t k = 0; k < f.weights.size(); ++k) {
    text += fmt::format("{:.17g}", f.weights[k]) + field(f.excess[k]) + "," + r.of[std::size_t(f.limit[k])].limit;
    for (std::size_t c = 0; c < columns.size(); ++c) text += field(f.inputs[k * columns.size() + c]);
    text += "\n";
  }
  return text;
}

}  // namespace aleator::core::report
