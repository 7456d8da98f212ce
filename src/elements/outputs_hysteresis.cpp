// Outputs of hysteresis (hysteretic_force.hpp): its displacement z, its restoring force, what it has dissipated.
#include "elements/outputs_hysteresis.hpp"

#include <fmt/format.h>

#include "elements/hysteretic_force.hpp"
#include "elements/observe.hpp"

namespace aleator::core {

using input::Field;
using input::FieldType;
using input::InputError;
using input::Item;

namespace {

// f(topology, parameters, evaluation) of element k of the output; index: group, element, …
template <class T, class F>
T of_hysteresis(const Output& o, const Observation<T>& s, size_t k, const F& f) {
  const Group& g = s.groups[o.index[2 * k]];
  const int i = o.index[2 * k + 1];
  return f(detail::topology_of<HystereticForce, T>(g, i), detail::parameters_of<HystereticForce, T>(g, *s.evaluation, i),
           *s.evaluation);
}

struct HystereticDisplacement {
  template <class T>
  static void observe(const Output& o, const Observation<T>& s, T* out) {
    for (size_t k = 0; 2 * k < o.index.size(); ++k) out[k] = of_hysteresis(o, s, k, HystereticForce::hysteretic_displacement<T>);
  }
};
struct RestoringForce {
  template <class T>
  static void observe(const Output& o, const Observation<T>& s, T* out) {
    for (size_t k = 0; 2 * k < o.index.size(); ++k) out[k] = of_hysteresis(o, s, k, HystereticForce::restoring_force<T>);
  }
};
struct DissipatedByHysteresis {
  template <class T>
  static void observe(const Output& o, const Observation<T>& s, T* out) {
    out[0] = T(0);
    for (size_t k = 0; 2 * k < o.index.size(); ++k) out[0] += of_hysteresis(o, s, k, HystereticForce::dissipated_energy<T>);
  }
};

// Elements and their directions.
template <class F>
Output hysteretic_output(const Item& item, const Builder& b, const char* unit, const char* angular_unit) {
  bool is_angle = false, of[2] = {};
  std::vector<int> index;
  std::vector<std::string> channels;
  for (const HysteresisRecord& r : b.topology().hysteresis)
    if (r.name == item.subject.word) {
      index.insert(index.end(), {r.group, r.element});
      channels.push_back(r.direction);
      is_angle = r.is_angle;
      of[r.of_joint] = true;
    }
  if (of[0] && of[1])
    throw InputError(item.subject.at,
                     fmt::format("output '{}': a force and a joint with hysteresis are both named '{}'; rename one", item.name,
                                 item.subject.word));
  Output out = new_output<F>(item, is_angle ? angular_unit : unit);
  out.index = std::move(index), out.channels = std::move(channels);
  return out;
}

template <class F>
void build_hysteretic(const Item& item, Builder& b, const char* unit, const char* angular_unit) {
  Output out = hysteretic_output<F>(item, b, unit, angular_unit);
  if (out.index.empty()) {
    std::vector<std::string> known;
    for (const HysteresisRecord& r : b.topology().hysteresis) known.push_back(r.name);
    throw InputError(item.subject.at, fmt::format("output '{}': '{}' is no force or joint with hysteresis{}", item.name,
                                                  item.subject.word, input::suggestion(item.subject.word, known)));
  }
  b.add_output(std::move(out));
}
void build_hysteretic_displacement(const Item& i, Builder& b) { build_hysteretic<HystereticDisplacement>(i, b, "m", "rad"); }
void build_hysteretic_force(const Item& i, Builder& b) { build_hysteretic<RestoringForce>(i, b, "N", "N m"); }

}  // namespace

bool build_dissipated_by_hysteresis(const Item& item, Builder& b) {
  Output out = hysteretic_output<DissipatedByHysteresis>(item, b, "J", "J");
  if (out.index.empty()) return false;
  out.channels = {""};
  b.add_output(std::move(out));
  return true;
}

std::vector<ElementType> hysteresis_outputs() {
  const Field hysteretic = {.key = "", .type = FieldType::text, .doc = "A force or joint with hysteresis."};
  return {
      {{"hysteretic_displacement", "z of a Bouc–Wen hysteresis, in each of its directions.", hysteretic, {}},
       build_hysteretic_displacement,
       "{hysteretic_displacement: isolator}"},
      {{"hysteretic_force",
        "Its restoring force α k x + (1 − α) k z, in each of its directions: against x, the loop.",
        hysteretic,
        {}},
       build_hysteretic_force,
       "{hysteretic_force: isolator}"},
  };
}

}  // namespace aleator::core
