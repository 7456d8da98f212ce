#include "api/spectrum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "api/model_check.hpp"
#include "base/words.hpp"
#include "dynamics/equilibrium.hpp"
#include "dynamics/stationary.hpp"
#include "model/process_signals.hpp"
#include "study/loaded_model.hpp"

namespace aleator::core {
namespace {

constexpr double pi = processes::pi;
using Kind = processes::Process::Kind;

// Numbers that were set, without those that choose a realization of a process: it is at rest here.
std::vector<Override> at_rest(const LoadedModel& loaded) {
  std::vector<Override> all = loaded.model_settings();
  std::erase_if(all, [&](const Override& o) {
    return std::any_of(loaded.model.processes.begin(), loaded.model.processes.end(),
                       [&](const auto& p) { return o.name.starts_with(p->name + "."); });
  });
  return all;
}

[[noreturn]] void refuse(const LoadedModel& loaded, const std::string& why) {
  throw aleator::InputError(
      loaded.file, 0, 0,
      why +
          "; say what excites it, as in processes: {noise: {white_noise: {S0: 1, step: 0.02}}}, and {process: noise} as a "
          "force, torque, actuator, motion or component of gravity");
}

struct Inputs {
  std::vector<LinearInput> inputs;
  std::vector<Excitation> excitations;
};

// One input per signal, and the signals of each process that has a density.
Inputs inputs_of(const LoadedModel& loaded, std::span<const Override> overrides, std::vector<std::string>& notes) {
  const Model& m = loaded.model;
  if (m.processes.empty()) refuse(loaded, "the model has no processes");
  Inputs out;
  std::map<int, std::size_t> place;
  bool recorded = false;
  for (const ProcessSignal& s : process_signals(m, overrides)) {
    const auto& process = m.processes[std::size_t(s.process)];
    if (process->kind == Kind::recorded) {
      if (!std::exchange(recorded, true))
        notes.push_back(fmt::format("process '{}' is recorded and has no spectral density: it is at rest here", process->name));
      continue;
    }
    const auto [at, fresh] = place.emplace(s.process, out.excitations.size());
    if (fresh) out.excitations.push_back({process, {}});
    out.excitations[at->second].uses.push_back({int(out.inputs.size()), s.use});
    const double size = process->rms() * std::abs(s.use.scale);
    out.inputs.push_back({s.signal, size > 0 ? size : 1});
  }
  if (out.inputs.empty())
    refuse(loaded, recorded ? "the processes that the model uses are recorded and have no spectral density"
                            : "the model uses none of its processes");
  return out;
}

void note_processes(const StationaryMotion& motion, std::vector<std::string>& notes) {
  for (const Excitation& e : motion.excitations()) {
    const processes::Process& p = *e.process;
    if (p.envelope)
      notes.push_back(fmt::format("process '{}' has an envelope: these are the answers where it is 1 for long", p.name));
    if (p.marginal.kind != processes::Marginal::Kind::normal)
      notes.push_back(fmt::format("process '{}' is not normal: its density is that of the normal process it is made of", p.name));
    for (const LinearSystem::Motion& m : motion.system().motions)
      if (e.white() && m.eigenvalue.imag() * p.step > 0.5) {
        notes.push_back(
            fmt::format("process '{}' is held over steps of {:g} s in simulations, and weaker than white noise where the model "
                        "vibrates at {:.3g} Hz; a smaller 'step' makes it whiter",
                        p.name, p.step, m.eigenvalue.imag() / (2 * pi)));
        break;
      }
  }
}

void fill_curves(const StationaryMotion& motion, const LinearSpectrumRequest& request, LinearSpectrum& out) {
  auto [from, to] = motion.range();
  if (request.from > 0) from = 2 * pi * request.from;
  if (request.to > 0) to = 2 * pi * request.to;
  if (!(from < to)) from = to / 100;
  const std::vector<double> frequencies = motion.frequencies(from, to, std::max(2, request.points));
  std::vector<double> highest(out.outputs.size(), 0.0);
  for (LinearSpectrum::Output& o : out.outputs) o.gain.resize(out.processes.size());
  for (const double w : frequencies) {
    const Eigen::MatrixXd gain = motion.power_gain(w);
    out.frequency.push_back(w / (2 * pi));
    for (std::size_t c = 0; c < out.outputs.size(); ++c) {
      LinearSpectrum::Output& o = out.outputs[c];
      double density = 0;
      for (std::size_t p = 0; p < out.processes.size(); ++p) {
        const double g = gain(Eigen::Index(c), Eigen::Index(p));
        o.gain[p].push_back(std::sqrt(g));
        density += 4 * pi * g * motion.excitations()[p].density(w);
      }
      o.density.push_back(density);
      if (density > highest[c]) highest[c] = density, o.peak = out.frequency.back();
    }
  }
}

void fill_variances(const StationaryMotion& motion, LinearSpectrum& out) {
  const Eigen::MatrixXd variances = motion.variances();
  std::string seen;
  for (std::size_t c = 0; c < out.outputs.size(); ++c) {
    LinearSpectrum::Output& o = out.outputs[c];
    const auto row = variances.row(Eigen::Index(c));
    const double sum = row.sum();
    o.rms = std::sqrt(sum);
    for (Eigen::Index p = 0; p < row.size(); ++p) o.share.push_back(sum > 0 && std::isfinite(sum) ? row(p) / sum : std::nan(""));
    if (std::isinf(sum)) seen += (seen.empty() ? "" : ", ") + o.name;
  }
  if (!seen.empty())
    out.notes.push_back(
        fmt::format("these outputs see white noise itself, whose variance is infinite: {}; in simulations it depends on the "
                    "'step' of the noise. A 'filter' or 'psd' has a finite variance",
                    seen));
}

void note_outputs(LinearSpectrum& out) {
  std::string none;
  for (const LinearSpectrum::Output& o : out.outputs)
    if (!o.linear) none += (none.empty() ? "" : ", ") + o.name;
  if (!none.empty())
    out.notes.push_back(
        fmt::format("without a linear part about this state, as energies and norms, hence not computed: {}", none));
}

}  // namespace

LinearSpectrum spectrum_of(const aleator::Model& model, const LinearSpectrumRequest& request) {
  const LoadedModel& loaded = model.compiled();
  const Model& m = loaded.model;
  LinearSpectrum out;
  out.title = loaded.name();
  out.duration = m.settings.duration;
  const std::vector<Override> overrides = at_rest(loaded);
  Inputs inputs = inputs_of(loaded, overrides, out.notes);
  if (m.channels.empty())
    throw aleator::InputError(loaded.file, 0, 0, "the model has no outputs: say what is to be observed, below 'outputs:'");
  const Parameters rest = overrides.size() == loaded.model_settings().size() ? m.nominal : realize(m, overrides);
  const Realization<double> r = make_realization<double>(m, std::span(&rest, 1));
  Assembly<double> a(m, r);
  State<double> s = assemble(a);
  out.about_equilibrium = request.about_equilibrium || m.settings.start_at_equilibrium;
  if (out.about_equilibrium) s = equilibrium(a, s).state;

  const StationaryMotion motion(linear_system(a, s, inputs.inputs), std::move(inputs.excitations));
  const LinearSystem& system = motion.system();
  if (!system.balance.balanced)
    out.notes.push_back(
        fmt::format("this is no equilibrium ('{}' starts with {} m/s² or rad/s²); --about equilibrium linearises there",
                    system.balance.unbalanced_body, number(system.balance.unbalanced)));
  if (!system.kinks.empty())
    out.notes.push_back(
        fmt::format("at rest some forces have another slope in each direction, and count with the mean of both: on {}{}",
                    system.kinks[0], system.kinks.size() > 1 ? fmt::format(" and {} more", system.kinks.size() - 1) : ""));
  for (const Excitation& e : motion.excitations()) out.processes.push_back({e.process->name, e.process->words});
  for (std::size_t c = 0; c < m.channels.size(); ++c) {
    out.outputs.emplace_back();
    out.outputs.back().name = m.channels[c].name;
    out.outputs.back().unit = m.channels[c].unit;
    out.outputs.back().linear = system.linear[c] != 0;
  }
  for (const LinearSystem::Motion& x : system.motions)
    out.motions.push_back({std::abs(x.eigenvalue) / (2 * pi), -x.eigenvalue.real() / std::abs(x.eigenvalue), x.where});
  out.decay = motion.slowest_decay();
  fill_variances(motion, out);
  fill_curves(motion, request, out);
  note_outputs(out);
  note_processes(motion, out.notes);
  return out;
}

}  // namespace aleator::core
