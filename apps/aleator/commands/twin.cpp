// aleator twin MODEL --specimens N: measured data made by the model itself, with noise, to try identification on: there the truth
// is known.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

#include "base/atomic_file.hpp"
#include "base/errors.hpp"
#include "ensemble/choose_for_study.hpp"
#include "ensemble/ensemble.hpp"
#include "inference/observed_point.hpp"
#include "nominal.hpp"
#include "uncertainty/stream.hpp"

namespace aleator::core::app {
namespace {

namespace fs = std::filesystem;

struct TwinArguments {
  ModelArguments model;
  long specimens = 0, every = 1;
  long long seed = 1;
  std::vector<std::string> outputs, noise;
  double gaps = 0;
  bool irregular = false;
  std::string out;

  std::string folder() const { return out.empty() ? "out/" + stem(model.file) + "-twin" : out; }
};

// Another seed than any study has: with the seed of the twin, identification would simulate the very specimens it is given.
std::uint64_t seed_of(const TwinArguments& o) { return quantity_key(fmt::format("twin {}", o.seed)); }

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

std::vector<MeasuredOutput> measured_outputs(const TwinArguments& o, const Model& model) {
  for (const std::string& wanted : o.outputs) refuse_unknown(model, wanted);
  std::vector<MeasuredOutput> out;
  for (size_t c = 0; c < model.channels.size(); ++c) {
    const std::string& name = model.channels[c].name;
    if (o.outputs.empty() || std::any_of(o.outputs.begin(), o.outputs.end(), [&](const auto& w) { return means(w, name); }))
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
    throw CLI::ValidationError("--noise", fmt::format("expects NAME=VALUE, NAME=PERCENT% or PERCENT%, found '{}'", text));
  if (n.value < 0) throw CLI::ValidationError("--noise", fmt::format("may not be negative, found '{}'", text));
  if (n.name.empty() && !n.relative)
    throw CLI::ValidationError(
        "--noise", fmt::format("outputs differ in their units: give a percentage for all, or NAME={}, found '{}'", number, text));
  if (n.relative) n.value /= 100;
  return n;
}

// Later ones replace earlier ones, so that `--noise 2% --noise x=0.1` says what it seems to.
void read_noise(const TwinArguments& o, const Model& model, const Trajectory<double>& nominal,
                std::vector<MeasuredOutput>& outputs) {
  for (const std::string& text : o.noise) {
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
        fmt::print(stderr, "{}: note: the nominal '{}' is zero, and so is {} of it: it has no noise\n", o.model.file, m.name,
                   text.substr(text.find('=') + 1));
    }
  }
}

// One that fails is replaced by the next.
std::vector<SimulatedRow> realize_specimens(const TwinArguments& o, const Ensemble& ensemble, long most) {
  std::vector<SimulatedRow> specimens;
  EnsembleOptions options;
  options.stop = &interrupted();
  while (long(specimens.size()) < o.specimens && options.first_row < most && !interrupted()) {
    options.end_row = std::min(most, options.first_row + o.specimens - long(specimens.size()));
    options.first_row = ensemble.run(options, [&](SimulatedRow&& r) {
      if (r.ok)
        specimens.push_back(std::move(r));
      else
        fmt::print(stderr, "{}: note: realization {} failed and is replaced by the next: {}\n", o.model.file, r.row, r.why);
    });
  }
  if (!interrupted() && long(specimens.size()) < o.specimens)
    throw SimulationError(fmt::format("of {} realizations only {} could be computed", most, specimens.size()));
  return specimens;
}

// Random numbers are drawn for every time of the model, so that a point has the same ones whichever are left out.
std::string specimen_text(const TwinArguments& o, const SimulatedRow& r, const std::vector<double>& times, size_t channels,
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
    const bool kept = long(t) % o.every == 0;
    double time = times[t];
    const double shift = moved.uniform() - 0.5;
    if (o.irregular && times.size() > 1)  // by less than half the distance to the next: the order stays
      time = std::clamp(time + 0.9 * shift * double(o.every) * (times[1] - times[0]), times.front(), times.back());
    if (kept) text += fmt::format("{}", time);
    for (size_t c = 0; c < outputs.size(); ++c) {
      const double error = outputs[c].noise * noise[c].normal();
      const bool gap = gaps[c].uniform() < o.gaps;
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

int twin_command(const TwinArguments& o, const std::string& command_line) {
  for (const std::string& text : o.noise) noise_of(text);
  Model model = o.model.load();
  const std::vector<Override> settings = o.model.overrides();
  const RandomModel random(model, settings);
  for (const std::string& note : random.notes()) fmt::print(stderr, "{}: note: {}\n", o.model.file, note);
  if (random.empty()) throw wrong(model, "nothing is uncertain: all specimens would be the same");
  std::vector<MeasuredOutput> outputs = measured_outputs(o, model);
  const std::uint64_t seed = seed_of(o);
  const long most = 10 * o.specimens + 100;
  const Plan plan{.samples = most};
  if (is_open(model.settings)) take(choose_for_study(model, random, plan, seed, best_isa()), model);
  const Trajectory<double> nominal = simulate_nominal(model);
  if (interrupted()) return exit_code::interrupted;
  read_noise(o, model, nominal, outputs);
  const std::vector<SimulatedRow> specimens = realize_specimens(o, Ensemble(model, random, plan, seed), most);
  if (interrupted()) return exit_code::interrupted;

  const std::string folder = o.folder();
  clear(folder);
  write_file(folder + "/truth.txt", truth_text(model, random, specimens, outputs, command_line, settings));
  const size_t digits = std::max<size_t>(3, std::to_string(o.specimens).size());
  for (size_t k = 0; k < specimens.size(); ++k)
    write_file(fmt::format("{}/specimen-{:0{}}.csv", folder, k + 1, digits),
               specimen_text(o, specimens[k], nominal.times, model.channels.size(), outputs));
  fmt::print("wrote {} specimens with {} outputs into {}, and what they are made of into {}/truth.txt\n", specimens.size(),
             outputs.size(), folder, folder);
  for (const MeasuredOutput& m : outputs)
    fmt::print("  {}: noise {} {}\n", m.name, number(m.noise), model.channels[size_t(m.channel)].unit);
  return exit_code::done;
}

}  // namespace

void add_twin(CLI::App& app, Action& action) {
  auto o = std::make_shared<TwinArguments>();
  CLI::App* c = app.add_subcommand("twin", "Make measured data from the model itself, with noise, to try identification on");
  o->model.add_to(*c);
  c->add_option("--specimens", o->specimens, "How many specimens are measured")
      ->required()
      ->check(whole_number(1, 1000000))
      ->type_name("N");
  c->add_option("--outputs", o->outputs, "Outputs that are measured (default all)")->delimiter(',')->type_name("A,B");
  c->add_option("--noise", o->noise, "Standard deviation of the noise: of an output, or in percent of its nominal rms, or of all")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->type_name("NAME=X|NAME=X%|X%");
  c->add_option("--every", o->every, "Keep every Kth time of the model")->check(whole_number(1, 1000000))->type_name("K");
  c->add_option("--gaps", o->gaps, "Share of the values that are missing")->check(real_number(0, 0.99))->type_name("SHARE");
  c->add_flag("--irregular", o->irregular, "Measure at times a little off those of the model");
  c->add_option("--seed", o->seed, "Seed of specimens and noise (default 1)")->check(whole_number(0, most_seed))->type_name("S");
  c->add_option("--out", o->out, "Folder for the data (default out/NAME-twin)")->type_name("DIR");
  c->callback([o, &action] { action.run = [o, &action] { return twin_command(*o, action.command_line); }; });
}

}  // namespace aleator::core::app
