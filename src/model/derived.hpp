// What is asked of responses besides their course: scalars derived from them, limits they should not exceed, their spectra.
#pragma once

#include "input/expression.hpp"
#include "model/model.hpp"

namespace aleator::core {

struct Derived {
  std::vector<DerivedScalar> scalars;
  std::vector<Limit> limits;
  std::vector<SpectrumRequest> spectra;
};

// One entry of `scalars:`. Throws InputError.
DerivedScalar derived_scalar(const input::Item& item, const input::Scope& scope, const std::vector<Channel>& channels,
                             const Settings& settings);

// `outputs` and `channels` are those of the model. Throws InputError.
Derived read_derived(const input::Description& description, const input::Scope& scope, const std::vector<Output>& outputs,
                     const std::vector<Channel>& channels, const Settings& settings);

// Those of one realization, and whether they differ between realizations when these parameters are random.
Derived realize_derived(const Model& model, std::span<const Override> overrides);
bool derived_depends_on(const Model& model, std::span<const std::string> parameters);

}  // namespace aleator::core
