#include "cases.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "dynamics/integrators.hpp"
#include "models.hpp"

namespace aleator::core::bench {

namespace {

struct Row {
  std::string name;
  bool flexible;
  Configuration reference;
};

// IDA at 1e-10 is the truth of rigid mechanisms, where its dense matrices allow. The chain is held against Runge-Kutta at a quarter of
// the step it needs; that is within 6e-6 of a quarter of it again (nominal model). Flexible ones are held against fine steps of Radau.
const std::vector<Row>& rows() {
  static const std::vector<Row> list = {
      {"five-body", false, {"ida", 0, 1e-10}},     {"andrews-random", false, {"ida", 0, 1e-10}},
      {"chain-100", false, {"runge-kutta", 2e-3}}, {"slider-crank", true, {"radau", 1e-4, 1e-8}},
      {"beam-100", true, {"radau", 2e-3, 1e-8}},
  };
  return list;
}

}  // namespace

std::string Configuration::words() const {
  std::string text = integrator;
  if (step > 0) text += fmt::format(", h = {:.3g}", step);
  if (core::integrator({.integrator = integrator}).chooses_steps) text += fmt::format(", tolerance {:.3g}", tolerance);
  return text;
}

Model Case::with(const Configuration& c) const {
  Model m = model;
  m.settings.integrator = c.integrator;
  if (c.step > 0) m.settings.step = c.step;
  if (c.tolerance > 0 || c.integrator != model.settings.integrator) m.settings.tolerance = c.tolerance;
  return m;
}

const std::vector<std::string>& case_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const Row& r : rows()) list.push_back(r.name);
    return list;
  }();
  return names;
}

std::unique_ptr<Case> make_case(const std::string& name) {
  for (const Row& r : rows()) {
    if (r.name != name) continue;
    auto c = std::make_unique<Case>(Case{r.name, r.flexible, r.reference, model_named(name), nullptr});
    c->random = std::make_unique<RandomModel>(c->model);
    return c;
  }
  throw std::runtime_error("there is no case " + name);
}

}  // namespace aleator::core::bench
