#include "api/results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "analysis/exceedance.hpp"
#include "results/read_study.hpp"

namespace aleator {
namespace {

Estimate estimate(const core::results::Estimate& e) { return {e.value, e.error}; }
Probability probability_of(const core::results::Probability& p) { return {{p.value, p.error}, p.interval.low, p.interval.high}; }

OutputStatistics statistics_of(const core::results::Channel& channel, const core::results::ChannelStatistics& s) {
  return {channel.name, channel.unit, s.nominal,    s.mean,      s.std,         s.lower,      s.upper,
          s.minimum,    s.maximum,    s.mean_error, s.std_error, s.lower_error, s.upper_error};
}

SobolIndices sobol_of(const core::results::Channel& channel, const core::results::SobolIndices& all, size_t c) {
  SobolIndices out{channel.name, {}};
  for (size_t g = 0; g < all.groups.size(); ++g) {
    const auto& x = all.of[c][g];
    out.groups.push_back({all.groups[g], x.first, x.total, x.first_error, x.total_error, estimate(x.integrated_first),
                          estimate(x.integrated_total)});
  }
  return out;
}

// Counted among independent realizations, it is a whole number of them.
core::results::Probability at_a_time(const core::results::Estimate& e, const core::StudyData& data) {
  const double n = double(data.result.statistics.realizations), count = std::round(e.value * n);
  if (data.result.replicates > 1 || std::abs(e.value * n - count) > 1e-6) return core::analysis::with_interval(e, n);
  const double counted[] = {count}, there[] = {n};
  return core::analysis::probability_of(counted, there, 1);
}

}  // namespace

void fill(StudyResult& out, const core::results::StudyResult& r) {
  const auto& channels = r.nominal.channels;
  out.method = r.method;
  out.seed = r.seed;
  out.planned = r.planned;
  out.done = r.done;
  out.confidence = r.statistics.confidence;
  out.is_sample = r.rows_follow_law;
  out.time = r.nominal.time;
  for (const auto& c : channels) out.outputs.push_back({c.name, c.unit});
  for (const auto& c : r.columns) out.inputs.push_back(c.name);
  for (size_t c = 0; c < r.statistics.channels.size(); ++c)
    out.statistics.push_back(statistics_of(channels[c], r.statistics.channels[c]));
  for (const auto& x : r.statistics.scalars)
    out.scalars.push_back({x.name, x.unit, x.kind, x.channel, x.nominal, estimate(x.mean), estimate(x.std), estimate(x.lower),
                           estimate(x.upper), x.minimum, x.maximum, x.count, x.values});
  for (const auto& x : r.statistics.spectra) {
    const auto& c = channels[size_t(x.channel)];
    out.spectra.push_back({c.name, core::results::density_unit(c.unit), x.from, x.segment, x.segments, x.frequency, x.nominal,
                           x.mean, x.error, x.lower, x.upper});
  }
  for (const auto& l : r.statistics.limits) {
    const std::string of = limited(l, channels, r.statistics);
    out.limits.push_back(
        {l.scalar < 0 ? of : "", l.value, l.above, l.probability, l.error, probability_of(l.ever), l.scalar < 0 ? "" : of});
  }
  if (!r.statistics.shares.groups.empty())
    for (size_t c = 0; c < channels.size(); ++c) out.sobol.push_back(sobol_of(channels[c], r.statistics.shares, c));
  for (const auto& f : r.failures) out.failures.push_back({f.realization, f.why, f.time, f.sample});
  out.evidence = r.evidence;
  out.reliability = r.reliability;
}

StudyResult as_public(const core::SessionResult& s) {
  StudyResult out;
  if (s.data) fill(out, s.data->result);
  out.outcome = s.outcome;
  out.reason = s.reason;
  out.concluded = s.concluded;
  out.file = s.file;
  out.simulated = s.simulated;
  out.fixed_size = s.fixed_size;
  out.failed = s.failed;
  out.seconds = s.seconds;
  if (s.outcome != Outcome::complete || !s.data) out.planned = s.planned;
  if (s.outcome != Outcome::complete) out.done = s.finished;
  out.data = s.data;
  return out;
}

const OutputStatistics& StudyResult::operator[](std::string_view output) const {
  for (const OutputStatistics& s : statistics)
    if (s.name == output) return s;
  throw std::out_of_range(fmt::format("there is no output '{}'", output));
}

std::span<const double> StudyResult::samples() const {
  return data ? std::span<const double>(data->result.inputs) : std::span<const double>();
}
std::span<const double> StudyResult::responses() const {
  if (!data) return {};
  if (data->responses_in.empty()) return data->result.responses;
  std::call_once(data->reading, [&] {
    const core::results::StudyReader from(data->responses_in);
    core::results::read_study(from, &data->stored);
  });
  return data->stored;
}

BodyMotion StudyResult::motion() const {
  if (!data) return {};
  const core::results::StudyResult& r = data->result;
  if (data->motion_in.empty()) return {core::results::frame_names(r.nominal.bodies), r.nominal.poses, r.motion_of, r.motion};
  core::StudyData::StoredMotion& m = data->motion;
  std::call_once(data->reading_motion, [&] {
    const core::results::StudyReader from(data->motion_in);
    if (!from.has_motion()) return;
    m.nominal = from.poses(core::results::StudyReader::nominal);
    m.realizations = from.all_poses();
    m.kept = from.kept_motions();
    m.bodies = from.frames();
  });
  return {m.bodies, m.nominal, m.kept, m.realizations};
}

Probability StudyResult::probability(std::string_view output, double value, bool above, double at) const {
  size_t c = 0;
  while (c < outputs.size() && outputs[c].name != output) ++c;
  if (c == outputs.size()) throw std::out_of_range(fmt::format("there is no output '{}'", output));
  const auto distance = [at](double a, double b) { return std::abs(a - at) < std::abs(b - at); };
  const size_t k = std::isnan(at) ? 0 : size_t(std::min_element(time.begin(), time.end(), distance) - time.begin());
  for (const LimitStatistics& l : limits)
    if (l.output == output && l.above == above && l.value == value)
      return std::isnan(at) ? l.ever : probability_of(at_a_time({l.probability[k], l.error[k]}, *data));
  if (!is_sample)
    throw std::invalid_argument(fmt::format(
        "the realizations of {} are no sample: add the value to 'limits' of the output, or use a sampling method", method));
  const size_t nt = time.size(), nc = outputs.size();
  const std::span<const double> all = responses();
  std::vector<double> read;  // of this output alone
  core::analysis::ResponseRows y{all.data() + c, nt * nc > 0 ? all.size() / (nt * nc) : 0, nt * nc, int(nc)};
  if (all.empty() && !file.empty() && core::results::StudyReader(file).has_responses(std::string(output))) {
    read = read_responses(file, std::string(output));
    y = {read.data(), read.size() / nt, nt, 1};
  }
  if (y.rows == 0) throw std::invalid_argument("there are no realizations: only statistics were kept");
  const int replicates = data ? data->result.replicates : 1;
  return probability_of(std::isnan(at) ? core::analysis::exceedance(time, y, value, above, replicates)
                                       : core::analysis::exceedance_at(time, k, y, value, above, replicates));
}

StudyResult read_results(const std::string& path, bool with_responses) {
  const core::results::StudyReader file(path);
  auto data = std::make_shared<core::StudyData>();
  data->result = core::results::read_study(file, with_responses ? &data->stored : nullptr);
  StudyResult out;
  fill(out, data->result);
  out.file = data->motion_in = file.path();
  out.outcome = file.complete() ? Outcome::complete : Outcome::interrupted;
  out.data = std::move(data);
  return out;
}

std::vector<double> read_responses(const std::string& path, const std::string& output) {
  const core::results::StudyReader file(path);
  if (!file.has_responses(output)) throw ReadError(file.path(), fmt::format("it has no responses of '{}'", output));
  return file.responses(output);
}

}  // namespace aleator
