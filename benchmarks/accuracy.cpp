#include "accuracy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "dynamics/recorder.hpp"
#include "ensemble/ensemble.hpp"

namespace aleator::core::bench {

namespace {

std::filesystem::path cache_file(const Case& c) {
  const std::string what = c.model.description.text + c.reference.words();
  return fmt::format("{}/bench-references/{}-{:016x}.bin", ALEATOR_BUILD_DIR, c.name, std::hash<std::string>()(what));
}

bool read_cache(const std::filesystem::path& file, size_t values, std::vector<Response>& out) {
  std::ifstream in(file, std::ios::binary);
  for (Response& r : out) {
    r.ok = true;
    r.values.resize(values);
    if (!in.read(reinterpret_cast<char*>(r.values.data()), std::streamsize(values * sizeof(double)))) return false;
  }
  return true;
}

void write_cache(const std::filesystem::path& file, const std::vector<Response>& responses) {
  std::filesystem::create_directories(file.parent_path());
  const std::filesystem::path unfinished = file.string() + ".new";
  {
    std::ofstream out(unfinished, std::ios::binary);
    for (const Response& r : responses)
      out.write(reinterpret_cast<const char*>(r.values.data()), std::streamsize(r.values.size() * sizeof(double)));
  }
  std::filesystem::rename(unfinished, file);
}

// Norms over time of one channel of a response, or of a difference.
struct Norms {
  double l2 = 0, l1 = 0;
};
Norms norms(const std::vector<double>& x, const std::vector<double>* minus, size_t channel, size_t channels) {
  Norms n;
  for (size_t k = channel; k < x.size(); k += channels) {
    const double d = x[k] - (minus ? (*minus)[k] : 0.0);
    n.l2 += d * d;
    n.l1 += std::abs(d);
  }
  n.l2 = std::sqrt(n.l2);
  return n;
}

bool is_reaction(const Channel& c) { return c.unit == "N" || c.unit == "N m"; }

}  // namespace

std::vector<Response> reference_responses(const Case& c) {
  const Settings& s = c.model.settings;
  const size_t values = output_times(s.duration, s.output_step).size() * c.model.channels.size();
  std::vector<Response> out(checked_rows);
  const std::filesystem::path file = cache_file(c);
  if (read_cache(file, values, out)) return out;
  fmt::print(stderr, "{}: computing the reference, {}\n", c.name, c.reference.words());
  Plan plan = c.plan;
  plan.samples = checked_rows;
  const Model model = c.with(c.reference);
  Ensemble(model, *c.random, plan, c.seed).run({}, [&](SimulatedRow&& r) {
    if (!r.ok) throw std::runtime_error(fmt::format("reference of {}, row {}: {}", c.name, r.row, r.why));
    out[r.row].values = std::move(r.values);
  });
  write_cache(file, out);
  return out;
}

Accuracy accuracy(const Case& c, const std::vector<Response>& truth, const std::vector<Response>& responses) {
  Accuracy worst;
  const size_t channels = c.model.channels.size(), rows = std::min(truth.size(), responses.size());
  for (size_t j = 0; j < channels; ++j) {
    Norms mean;  // rms over rows
    for (size_t i = 0; i < rows; ++i) {
      const Norms n = norms(truth[i].values, nullptr, j, channels);
      mean.l2 += n.l2 * n.l2 / double(rows);
      mean.l1 += n.l1 * n.l1 / double(rows);
    }
    const Norms least{1e-3 * std::sqrt(mean.l2), 1e-3 * std::sqrt(mean.l1)};
    for (size_t i = 0; i < rows; ++i) {
      if (!responses[i].ok || responses[i].values.size() != truth[i].values.size()) {
        worst.failed += j == 0;
        continue;
      }
      const Norms size = norms(truth[i].values, nullptr, j, channels),
                  error = norms(responses[i].values, &truth[i].values, j, channels);
      const Channel& channel = c.model.channels[j];
      // written so that a NaN is the worst
      if (c.flexible && is_reaction(channel)) {
        const double e = error.l1 / std::max(size.l1, least.l1);
        if (!(e <= worst.l1)) worst.l1 = e, worst.worst_l1 = channel.name;
      } else {
        const double e = error.l2 / std::max(size.l2, least.l2);
        if (!(e <= worst.l2)) worst.l2 = e, worst.worst_l2 = channel.name;
      }
    }
  }
  return worst;
}

}  // namespace aleator::core::bench
