// A study beside the stationary motion.
#include <algorithm>
#include <cmath>

#include "api/spectrum.hpp"
#include "results/read.hpp"

namespace aleator::core {
namespace {

using results::StudyReader;
using Statistics = results::ChannelStatistics;

// √ of the mean square deviation from the mean over the last times. Realizations are independent, times of one of them are not: the error is that of the
// mean of their mean squares.
SampledSpectrum::Output from_realizations(const StudyReader& file, const std::string& output, std::size_t first,
                                          std::size_t times) {
  constexpr long chunk = 256;
  std::vector<double> mean(times, 0.0), squares;
  const auto each = [&](auto&& look) {
    for (long k = 0; k < file.samples(); k += chunk) {
      const long count = std::min(chunk, file.samples() - k);
      const std::vector<double> all = file.responses(output, k, count);
      for (long i = 0; i < count; ++i) {
        const double* y = all.data() + std::size_t(i) * times;
        if (std::all_of(y + first, y + times, [](double x) { return std::isfinite(x); })) look(y);
      }
    }
  };
  long n = 0;
  each([&](const double* y) {
    ++n;
    for (std::size_t t = first; t < times; ++t) mean[t] += y[t];
  });
  if (n < 2) return {std::nan(""), std::nan("")};
  for (double& x : mean) x /= double(n);
  each([&](const double* y) {
    double sum = 0;
    for (std::size_t t = first; t < times; ++t) sum += (y[t] - mean[t]) * (y[t] - mean[t]);
    squares.push_back(sum / double(times - first));
  });
  double variance = 0, scatter = 0;
  for (const double q : squares) variance += q / double(n);
  for (const double q : squares) scatter += (q - variance) * (q - variance) / double(n - 1);
  variance *= double(n) / double(n - 1);
  const double rms = std::sqrt(variance);
  return {rms, rms > 0 ? std::sqrt(scatter / double(n)) / (2 * rms) : 0};
}

// Where realizations were not kept: errors at one time, which are upper bounds of that of the mean.
SampledSpectrum::Output from_statistics(const StudyReader& file, const std::string& output, std::size_t first,
                                        std::size_t times) {
  if (!file.has_statistics(output, &Statistics::std)) return {std::nan(""), std::nan("")};
  const std::vector<double> deviation = file.statistics(output, &Statistics::std);
  const std::vector<double> error = file.has_statistics(output, &Statistics::std_error)
                                        ? file.statistics(output, &Statistics::std_error)
                                        : std::vector<double>(times, std::nan(""));
  double squares = 0, errors = 0;
  for (std::size_t t = first; t < times; ++t) squares += deviation[t] * deviation[t], errors += error[t] * error[t];
  return {std::sqrt(squares / double(times - first)), std::sqrt(errors / double(times - first))};
}

bool of_process(const LinearSpectrum& s, const std::string& column) {
  return std::any_of(s.processes.begin(), s.processes.end(), [&](const auto& p) { return column.starts_with(p.name + "."); });
}

}  // namespace

SampledSpectrum sampled_spectrum(const LinearSpectrum& spectrum, const std::string& results) {
  const StudyReader file(results);
  SampledSpectrum out;
  out.file = file.path();
  out.realizations = file.realizations();
  const std::vector<double> time = file.time();
  const std::vector<std::string> names = file.outputs();
  const std::size_t first = time.size() / 2;
  if (time.size() < 2) throw ReadError(file.path(), "it has too few times");
  if (!file.rows_follow_law()) throw ReadError(file.path(), "its realizations are the nodes of a quadrature, not a sample");
  out.felt = std::isfinite(spectrum.decay) ? std::exp(-2 * spectrum.decay * time[first]) : 0;
  for (const std::string& column : file.column_names())
    if (!of_process(spectrum, column)) out.other.push_back(column);
  for (const LinearSpectrum::Output& o : spectrum.outputs) {
    if (std::find(names.begin(), names.end(), o.name) == names.end())
      out.outputs.push_back({std::nan(""), std::nan("")});
    else if (file.samples() > 1 && file.has_responses(o.name))
      out.outputs.push_back(from_realizations(file, o.name, first, time.size()));
    else
      out.outputs.push_back(from_statistics(file, o.name, first, time.size()));
  }
  return out;
}

bool results_of(const std::string& results, const aleator::Model& model) {
  try {
    const StudyReader file(results);
    return model.settings().empty() && file.provenance().model_text == model.text();
  } catch (const ReadError&) {
    return false;
  }
}

}  // namespace aleator::core
