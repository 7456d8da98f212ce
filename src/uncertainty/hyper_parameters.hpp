// Hyper-parameters: the numbers of the laws in `uncertain:`, by names that `--set` and identification know: `stiffness.mean`,
// `rb5.mass.cov`, `rb5.center_of_mass.scale`, `rb5.inertia.lambda_l`, `link.E.correlation_length`. One that is set takes the place
// of what is written there.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "input/expression.hpp"
#include "model/model.hpp"

namespace aleator::core {

// What a name that is set from outside stands for.
enum class SettingKind { nothing, number_of_model, hyper_parameter, field_variable };
SettingKind kind_of_setting(const input::Description& description, const std::string& name);

// A number of the model as it is: a parameter, `rb5.mass`, `rb5.center_of_mass.x`, `rb5.inertia.xy`, `link.E`; NaN for other names.
double nominal_number(const Model& model, const input::Scope& scope, const std::string& name);

struct SplitSettings {
  std::vector<Override> model;  // numbers of the model, and names that mean nothing: the model refuses them
  std::vector<Override> hyper;  // also those that the laws refuse
  std::vector<Override> field;  // variables of fields: `link.E.xi1`
};
SplitSettings split_settings(const input::Description& description, std::span<const Override> settings);

struct HyperParameter {
  std::string name;
  std::string unit;  // "-", "kg", "m"; empty where it is not known: that of a parameter
  double value;  // in the model as it is: as written, or what is taken where nothing is; NaN: there is none (a law not cut off)
};
// All that can be set in a model.
std::vector<HyperParameter> hyper_parameters(const Model& model);
// One of them; NaN as its value where nothing of this name can be set.
HyperParameter hyper_parameter(const Model& model, const std::string& name);

// `uncertain:` as it would be written with these. Throws InputError for a name that no law
// has, ImpossibleLaw for a value out of its bound.
std::vector<input::Item> with_hyper_parameters(std::vector<input::Item> uncertain, std::span<const Override> hyper);

// With hyper-parameters that were set, the laws do not exist (`rb5.mass.cov=0.8`): the names are right, the values are not.
class ImpossibleLaw : public input::InputError {
 public:
  explicit ImpossibleLaw(const input::InputError& why) : InputError(why) {}
};

}  // namespace aleator::core
