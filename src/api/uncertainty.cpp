#include <aleator/uncertainty.hpp>

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "base/cancellation.hpp"
#include "dynamics/recorder.hpp"
#include "ensemble/choose_for_study.hpp"
#include "ensemble/ensemble.hpp"
#include "study/nominal.hpp"
#include "study/session.hpp"
#include "study/study_laws.hpp"

namespace aleator {

std::vector<Quantity> quantities(const Model& model) {
  std::vector<Quantity> out;
  const core::LoadedModel& m = model.compiled();
  if (m.random().empty()) return out;
  for (const core::results::ColumnLaw& c : core::laws_of(m.model, m.random(), 1).columns)
    out.push_back({c.name, c.unit, c.law, c.nominal, c.mean, c.std});
  return out;
}

struct Ensemble::Data {
  Model model;
  Options options;
  std::vector<std::string> inputs;
  std::vector<Channel> outputs;
  std::vector<double> time;
  std::shared_ptr<const core::Model> stepped;
  std::unique_ptr<const core::Ensemble> compiled;
};

Ensemble::Ensemble(const Model& model) : Ensemble(model, Options{}) {}

Ensemble::Ensemble(const Model& model, Options options)
    : data_(new Data{model, std::move(options), model.compiled().random().columns(), model.outputs(), {}, nullptr, nullptr}) {
  const core::LoadedModel& m = model.compiled();
  const core::RandomModel& random = m.random();
  const core::Isa isa = core::isa_of(data_->options.isa);
  const Study defaults;
  const core::Plan plan = core::make_plan({.samples = defaults.samples}, random);
  if (random.empty())
    data_->stepped = core::to_simulate(m.model, {});
  else if (core::is_open(m.model.settings))
    data_->stepped = core::with_choice(m.model, core::choose_for_study(m.model, random, plan, defaults.seed, isa), {});
  else
    data_->stepped = {std::shared_ptr<const core::Model>(), &m.model};
  data_->time = core::output_times(m.model.settings.duration, m.model.settings.output_step);
  data_->compiled = std::make_unique<const core::Ensemble>(*data_->stepped, random, plan, defaults.seed, isa);
}

Ensemble::~Ensemble() = default;
Ensemble::Ensemble(Ensemble&&) noexcept = default;
Ensemble& Ensemble::operator=(Ensemble&&) noexcept = default;

const std::vector<std::string>& Ensemble::inputs() const { return data_->inputs; }
const std::vector<Channel>& Ensemble::outputs() const { return data_->outputs; }
const std::vector<double>& Ensemble::time() const { return data_->time; }
const std::string& Ensemble::integrator() const { return data_->stepped->settings.integrator; }
double Ensemble::step() const { return data_->stepped->settings.step; }

std::vector<double> Ensemble::draw(std::size_t n, std::uint64_t seed) const {
  std::vector<double> x;
  x.reserve(n * data_->inputs.size());
  for (std::size_t k = 0; k < n; ++k) {
    const std::vector<double> sample = data_->model.compiled().random().sample(seed, k);
    x.insert(x.end(), sample.begin(), sample.end());
  }
  return x;
}

Responses Ensemble::evaluate(std::span<const double> x, const std::stop_token& token) const {
  const std::size_t columns = data_->inputs.size();
  if (columns == 0) throw std::invalid_argument("nothing is uncertain in this model: it has no inputs");
  if (x.size() % columns != 0)
    throw std::invalid_argument(fmt::format("a sample has {} numbers, and {} are no whole number of samples", columns, x.size()));
  std::vector<std::vector<double>> table(x.size() / columns);
  for (std::size_t k = 0; k < table.size(); ++k) {
    table[k].assign(x.begin() + long(k * columns), x.begin() + long((k + 1) * columns));
    for (std::size_t c = 0; c < columns; ++c)
      if (!std::isfinite(table[k][c]))
        throw std::invalid_argument(fmt::format("sample {}: {} is not finite", k, data_->inputs[c]));
  }
  Responses out;
  out.samples = table.size();
  out.time = data_->time;
  out.outputs = data_->outputs;
  const std::size_t each = out.time.size() * out.outputs.size();
  out.values.assign(out.samples * each, std::numeric_limits<double>::quiet_NaN());
  if (table.empty()) return out;
  const core::StopFlag stop(token);
  const core::Ensemble rows(*data_->compiled, core::plan_of(std::move(table)), 1);
  core::EnsembleOptions options;
  options.threads = data_->options.threads;
  options.smaller_steps = data_->options.retry;
  options.stop = &stop.flag();
  rows.run(options, [&](core::SimulatedRow&& r) {
    if (r.ok)
      std::copy(r.values.begin(), r.values.end(), out.values.begin() + r.row * long(each));
    else
      out.failures.push_back({std::size_t(r.row), r.failed_at, r.why});
  });
  out.complete = !stop.flag();
  return out;
}

}  // namespace aleator
