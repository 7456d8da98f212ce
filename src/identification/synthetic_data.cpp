#include "identification/synthetic_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <stdexcept>

#include "base/atomic_file.hpp"
#include "base/errors.hpp"
#include "ensemble/choose_for_study.hpp"
#include "ensemble/ensemble.hpp"
#include "inference/observed_point.hpp"
#include "study/nominal.hpp"
#include "uncertainty/hyper_parameters.hpp"
#include "uncertainty/stream.hpp"

namespace aleator::core {
namespace {

namespace fs = std::filesystem;

// Another seed than any study has: with the seed of the twin, identification would simulate the very specimens it is given.
std::uint64_t seed_of(const SyntheticRequest& o) { return quantity_key(fmt::format("twin {}", o.data.seed)); }

struct MeasuredOutput {
  int channel = 0;
  std::string name;
  double noise = 0;  // standard deviation
};

input::InputError wrong(const Model& model, const std::string& what) {
  return input::InputError(input::Position{}, what).in_file(model.description.file);
}

// `v` means `v.x`, `v.y`, `v.z`
bool means(const std::string& wanted, const std::string& name) { return name == wanted || name.starts_with(wanted + "."); }

void refuse_unknown(const Model& model, const std::string& wanted) {
  std::vector<std::string> known;
  for (const Channel& c : model.channels) known.push_back(c.name);
  if (std::none_of(known.begin(), known.end(), [&](const std::string& name) { return means(wanted, name); }))
    throw wrong(model, fmt::format("there is no output '{}'{}", wanted, input::suggestion(wanted, known)));
}

std::vector<MeasuredOutput> measured_outputs(const SyntheticRequest& o, const Model& model) {
  for (const std::string& wanted : o.data.outputs) refuse_unknown(model, wanted);
  std::vector<MeasuredOutput> out;
  for (size_t c = 0; c < model.channels.size(); ++c) {
    const std::string& name = model.channels[c].name;
    if (o.data.outputs.empty() ||
        std::any_of(o.data.outputs.begin(), o.data.outputs.end(), [&](const auto& w) { return means(w, name); }))
      out.push_back({int(c), name});
  }
  if (out.empty()) throw wrong(model, "the model has no outputs: there is nothing to measure");
  return out;
}

// accel_z=0.5, accel_z=2% or 2%
struct Noise {
  std::string name;  // empty: of all
  double value = 0;
  bool relative = false;
};

Noise noise_of(const std::string& text) {
  const size_t equals = text.find('=');
  Noise n;
  if (equals != std::string::npos) n.name = text.substr(0, equals);
  const std::string number = equals == std::string::npos ? text : text.substr(equals + 1);
  char* end = nullptr;
  n.value = std::strtod(number.c_str(), &end);
  n.relative = std::string_view(end) == "%";
  if (end == number.c_str() || (*end != 0 && !n.relative) || !std::isfinite(n.value) || equals == 0)
    throw std::invalid_argument(fmt::format("expects NAME=VALUE, NAME=PERCENT% or PERCENT%, found '{}'", text));
  if (n.value < 0) throw std::invalid_argument(fmt::format("may not be negative, found '{}'", text));
  if (n.name.empty() && !n.relative)
    throw std::invalid_argument(
        fmt::format("outputs differ in their units: give a percentage for all, or NAME={}, found '{}'", number, text));
  if (n.relative) n.value /= 100;
  return n;
}

// Later ones replace earlier ones, so that `--noise 2% --noise x=0.1` says what it seems to.
void read_noise(const SyntheticRequest& o, const Model& model, const Trajectory& nominal, std::vector<MeasuredOutput>& outputs) {
  for (const std::string& text : o.data.noise) {
    const Noise noise = noise_of(text);
    if (!noise.name.empty()) refuse_unknown(model, noise.name);
    for (MeasuredOutput& m : outputs) {
      if (!noise.name.empty() && !means(noise.name, m.name)) continue;
      m.noise = noise.value;
      if (!noise.relative) continue;
      double squares = 0;
      for (size_t t = 0; t < nominal.times.size(); ++t)
        squares += std::pow(nominal.values[t * model.channels.size() + size_t(m.channel)], 2);
      m.noise *= std::sqrt(squares / double(nominal.times.size()));
      if (squares == 0 && noise.value > 0)
        tell(o.options.on_note, fmt::format("{}: note: the nominal '{}' is zero, and so is {} of it: it has no noise",
                                            o.model->file, m.name, text.substr(text.find('=') + 1)));
    }
  }
}

// One that fails is replaced by the next.
std::vector<SimulatedRow> realize_specimens(const SyntheticRequest& o, const Ensemble& ensemble, long most) {
  std::vector<SimulatedRow> specimens;
  EnsembleOptions options;
  options.stop = o.stop;
  while (long(specimens.size()) < o.data.specimens && options.first_row < most && !o.stopped()) {
    options.end_row = std::min(most, options.first_row + o.data.specimens - long(specimens.size()));
    options.first_row = ensemble.run(options, [&](SimulatedRow&& r) {
      if (r.ok)
        specimens.push_back(std::move(r));
      else
        tell(o.options.on_note,
             fmt::format("{}: note: realization {} failed and is replaced by the next: {}", o.model->file, r.row, r.why));
    });
  }
  if (!o.stopped() && long(specimens.size()) < o.data.specimens)
    throw SimulationError(fmt::format("of {} realizations only {} could be computed", most, specimens.size()));
  return specimens;
}

// Random numbers are drawn for every time of the model, so that a point has the same ones whichever are left out.
std::string specimen_text(const SyntheticRequest& o, const SimulatedRow& r, const std::vector<double>& times, size_t channels,
                          const std::vector<MeasuredOutput>& outputs) {
  const std::uint64_t seed = seed_of(o), row = std::uint64_t(r.row);
  Stream moved(seed, row, quantity_key("time of measurement"));
  std::vector<Stream> noise, gaps;
  std::string text = "time";
  for (const MeasuredOutput& m : outputs) {
    text += "," + m.name;
    noise.emplace_back(seed, row, quantity_key("noise of " + m.name));
    gaps.emplace_back(seed, row, quantity_key("gaps of " + m.name));
  }
  text += "\n";
  for (size_t t = 0; t < times.size(); ++t) {
    const bool kept = long(t) % o.data.every == 0;
    double time = times[t];
    const double shift = moved.uniform() - 0.5;
    if (o.data.irregular && times.size() > 1)  // by less than half the distance to the next: the order stays
      time = std::clamp(time + 0.9 * shift * double(o.data.every) * (times[1] - times[0]), times.front(), times.back());
    if (kept) text += fmt::format("{}", time);
    for (size_t c = 0; c < outputs.size(); ++c) {
      const double error = outputs[c].noise * noise[c].normal();
      const bool gap = gaps[c].uniform() < o.data.gaps;
      if (!kept) continue;
      const inference::ObservedPoint point = inference::observed_point(times, time, outputs[c].channel, outputs[c].name);
      const double value = point.of([&](int at) { return r.values[size_t(at) * channels + size_t(point.channel)]; });
      text += gap ? "," : fmt::format(",{}", value + error);
    }
    if (kept) text += "\n";
  }
  return text;
}

std::string truth_text(const Model& model, const RandomModel& random, const std::vector<SimulatedRow>& specimens,
                       const std::vector<MeasuredOutput>& outputs, const std::string& command_line,
                       const std::vector<Override>& settings) {
  std::string text = fmt::format("# {}\n# model: {}\n", command_line, model.description.file);
  for (const Override& s : settings) text += fmt::format("# set {} = {}\n", s.name, s.value);
  for (const HyperParameter& h : hyper_parameters(model))
    if (std::isfinite(h.value) && std::none_of(settings.begin(), settings.end(), [&](const auto& s) { return s.name == h.name; }))
      text += fmt::format("# written {} = {}\n", h.name, h.value);
  for (const MeasuredOutput& m : outputs)
    text += fmt::format("# noise of {} = {} {}\n", m.name, m.noise, model.channels[size_t(m.channel)].unit);
  text += "specimen,realization";
  for (const std::string& c : random.columns()) text += "," + c;
  text += "\n";
  for (size_t k = 0; k < specimens.size(); ++k) {
    text += fmt::format("{},{}", k + 1, specimens[k].row);
    for (const double x : specimens[k].sample) text += fmt::format(",{}", x);
    text += "\n";
  }
  return text;
}

void write_file(const std::string& path, const std::string& text) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

// Every CSV file of the folder counts as a specimen: those of an earlier twin go, others are never touched.
void clear(const std::string& folder) {
  create_folder(folder);
  std::vector<fs::path> tables;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".csv") tables.push_back(entry.path());
  if (!tables.empty() && !fs::exists(folder + "/truth.txt"))
    throw WriteError(folder, "it has CSV files that are not of a twin; choose another folder with --out");
  for (const fs::path& p : tables)
    if (p.filename().string().starts_with("specimen-")) fs::remove(p);
}

}  // namespace

std::vector<SyntheticOutput> write_synthetic_data(const SyntheticRequest& o) {
  for (const std::string& text : o.data.noise) noise_of(text);
  const LoadedModel& loaded = *o.model;
  const RandomModel& random = loaded.random();
  for (const std::string& note : random.notes()) tell(o.options.on_note, fmt::format("{}: note: {}", loaded.file, note));
  if (random.empty()) throw wrong(loaded.model, "nothing is uncertain: all specimens would be the same");
  std::vector<MeasuredOutput> outputs = measured_outputs(o, loaded.model);
  const std::uint64_t seed = seed_of(o);
  const long most = 10 * o.data.specimens + 100;
  const Plan plan{.samples = most};
  std::shared_ptr<const Model> model{std::shared_ptr<const Model>(), &loaded.model};
  if (is_open(model->settings))
    model = with_choice(*model, choose_for_study(*model, random, plan, seed, best_isa()), o.options.on_note);
  const Trajectory nominal = simulate_nominal(*model, o.stop, o.options.on_note);
  if (o.stopped()) return {};
  read_noise(o, *model, nominal, outputs);
  const std::vector<SimulatedRow> specimens = realize_specimens(o, Ensemble(*model, random, plan, seed), most);
  if (o.stopped()) return {};

  const std::string& folder = o.options.folder;
  clear(folder);
  write_file(folder + "/truth.txt", truth_text(*model, random, specimens, outputs, o.options.command_line, loaded.settings));
  const size_t digits = std::max<size_t>(3, std::to_string(o.data.specimens).size());
  for (size_t k = 0; k < specimens.size(); ++k)
    write_file(fmt::format("{}/specimen-{:0{}}.csv", folder, k + 1, digits),
               specimen_text(o, specimens[k], nominal.times, model->channels.size(), outputs));
  std::vector<SyntheticOutput> out;
  for (const MeasuredOutput& m : outputs) out.push_back({m.name, model->channels[size_t(m.channel)].unit, m.noise});
  return out;
}

}  // namespace aleator::core
