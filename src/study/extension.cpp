#include "study/extension.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <limits>
#include <map>
#include <sstream>

#include "propagation/method.hpp"
#include "results/version.hpp"
#include "uncertainty/stream.hpp"

namespace aleator::core {

namespace {

// The text without the section that says how to study it: from `study:` to the next line that is not indented.
std::string without_study(const std::string& text) {
  std::istringstream lines(text);
  std::string line, out;
  bool inside = false;
  while (std::getline(lines, line)) {
    const bool begins = !line.empty() && line[0] != ' ' && line[0] != '\t' && line[0] != '#' && line[0] != '\r';
    if (begins) inside = line.starts_with("study:");
    if (!inside) out += line + "\n";
  }
  return out;
}

}  // namespace

std::string identity_of_realizations(const Model& m, const Study& s, const std::vector<Override>& settings,
                                     const std::string& isa) {
  const DesignSettings d = design_of(s);
  std::string all =
      fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n", results::version(), d.name, s.hypercube, s.replicates, s.seed, d.shared_variables);
  all += fmt::format("{}\n{:.17g}\n{}\n", m.settings.integrator, m.settings.step, isa);
  if (m.settings.step_tolerance > 0) all += fmt::format("step tolerance {:.17g}\n", m.settings.step_tolerance);
  if (s.what != "motion")
    all += fmt::format("{} {} {} {} {}\n", s.what, s.modes.number, s.modes.about, s.modes.frame, s.modes.shapes);
  if (s.on_failure == "skip") all += "no smaller steps\n";
  for (const Override& o : settings) all += fmt::format("{}={}\n", o.name, o.value);
  for (const input::ReferredFile& f : m.description.files) all += f.text;
  return fmt::format("{:016x}", quantity_key(all + without_study(m.description.text)));
}

std::optional<Earlier> find_earlier(const std::string& folder, const std::string& identity, long samples) {
  const std::string path = folder + "/results.h5";
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return std::nullopt;
  try {
    Earlier e;
    e.file = std::make_shared<results::StudyReader>(path);
    e.samples = e.file->samples();
    if (e.file->identity() != identity || !e.file->complete() || e.samples == 0 || e.samples >= samples) return std::nullopt;
    e.stages = e.file->stages();
    if (e.file->input_rows() != e.samples) return std::nullopt;
    return e;
  } catch (const results::ReadError&) {
    return std::nullopt;  // whatever it is, it is about to be replaced
  }
}

void replay(const Earlier& earlier, const std::function<void(results::JournalRecord&&)>& each) {
  const results::StudyReader& f = *earlier.file;
  const std::vector<std::string> outputs = f.outputs();
  const size_t nt = f.time().size(), nc = outputs.size(), columns = f.column_names().size();
  const std::vector<double> inputs = f.inputs(), status = f.status();
  const std::vector<results::Failure> failures = f.failures();
  std::map<long, const results::Failure*> failure_of;
  for (const results::Failure& x : failures) failure_of[x.realization] = &x;
  std::map<long, size_t> motion_of;
  for (const long k : f.kept_motions()) motion_of.emplace(k, motion_of.size());
  const std::vector<double> motions = f.all_poses();
  const size_t motion_size = motion_of.empty() ? 0 : motions.size() / motion_of.size();
  for (long k = 0; k < earlier.samples; ++k) {
    results::JournalRecord r;
    r.row = k;
    r.ok = status[size_t(k)] == 0;
    r.sample.assign(inputs.begin() + k * long(columns), inputs.begin() + (k + 1) * long(columns));
    if (const auto it = failure_of.find(k); it != failure_of.end()) {
      r.why = it->second->why;
      r.values = {it->second->time};
    }
    if (r.ok) {
      r.values.resize(nt * nc);
      for (size_t c = 0; c < nc; ++c) {
        const std::vector<double> y = f.response(outputs[c], k);
        for (size_t t = 0; t < nt; ++t) r.values[t * nc + c] = y[t];
      }
    }
    if (const auto it = motion_of.find(k); it != motion_of.end())
      r.poses.assign(motions.begin() + long(it->second * motion_size), motions.begin() + long((it->second + 1) * motion_size));
    each(std::move(r));
  }
}

}  // namespace aleator::core
