// From the words of the model to laws: one function per kind of random quantity.
#pragma once

#include "elements/builder.hpp"
#include "model/suspects.hpp"
#include "uncertainty/random_model.hpp"

namespace aleator::core {

// What reading one law needs to know.
struct LawContext {
  const Model& model;
  const input::Scope& scope;
  const Builder& builder;    // reads vectors and orientations
  const Suspects& suspects;  // what of the model is wrong; none, unless it is a draft
};

// The distribution without what it is about: throws what is wrong with its numbers where that can be told without it.
void look_at_scalar_law(const input::Item& item, const LawContext& context);
void look_at_law_of_body(const std::string& key, const input::Item& law, const LawContext& context);

int body_index(const Model& model, const std::string& name);  // −1 when there is none

std::shared_ptr<const Distribution> read_scalar_law(const input::Item& item, const LawContext& context, double nominal);
std::shared_ptr<const Distribution> read_mass_law(const input::Item& mass, const LawContext& context, int body);
std::shared_ptr<const CenterOfMassLaw> read_center_of_mass_law(const input::Item& choice, const LawContext& context, int body);
std::shared_ptr<const InertiaLaw> read_inertia_law(const input::Item& inertia, const LawContext& context, int body);

// The laws of a body whose quantity is the same as another's: the same factor, displacement, normalised tensor.
std::shared_ptr<const Distribution> shared_mass_law(const Distribution& other, const Model& model, int body, int other_body);
std::shared_ptr<const CenterOfMassLaw> shared_center_of_mass_law(const CenterOfMassLaw& other, const Model& model, int body,
                                                                 int other_body);
std::shared_ptr<const InertiaLaw> shared_inertia_law(const InertiaLaw& other, const Model& model, int body);

}  // namespace aleator::core
