// Realizations that differ from their model in mass, centre of mass and inertia of rigid bodies alone: nothing of the description has to be
// read again. What a moved centre of mass leaves where it is, markers, is placed as the builder did; all numbers are those of a full build.
#pragma once

#include <functional>

#include "model/mass_changes.hpp"
#include "model/model.hpp"
#include "numerics/traced.hpp"

namespace aleator::core {

// False, and `to` is of no use: other numbers are replaced, too, or a value is wrong; a full build says which.
bool realize_masses(const Model& model, std::span<const Override> overrides, Parameters& to);

// The same for many realizations, which have values of the same numbers: what is replaced is found once. The model must outlive it.
class MassRealizer {
 public:
  // Of overrides with these names. One that is not usable(): realizations need a full build.
  MassRealizer(const Model& model, std::span<const Override> overrides);
  bool usable() const { return usable_; }
  // A value for each of the overrides. False, and `to` is of no use: a value is wrong.
  bool operator()(std::span<const double> values, Parameters& to) const;
  // The same into numbers as lanes read them, which are those of the nominal model but for earlier values.
  bool operator()(std::span<const double> values, Realization<double>& to) const;

  // The same written down for lanes: the numbers that may change, in the flat array of a realization or among positions and velocities. True
  // where a realization makes a body; otherwise a full build says whether it does.
  enum class Where { numbers, positions, velocities };
  using Put = std::function<void(Where, int index, const Traced&)>;
  TracedMask record(const std::vector<Traced>& values, const Put& put) const;

 private:
  // Where numbers of bodies are.
  template <class T>
  struct Places {
    RigidBody::Parameters<T>* bodies;
    MarkerParameters<T>* markers;
    T *positions, *velocities;
  };
  bool replace(std::span<const double> values, const Places<double>& to) const;

  struct Body {
    int body = 0;  // of the model
    std::vector<MassChange> changes;
    std::vector<int> markers;  // on it
  };
  const Model* model_;
  std::vector<Body> bodies_;
  bool usable_ = false;
};

// The general way.
Parameters realize_by_building(const Model& model, std::span<const Override> overrides);

// As fill_realization, of numbers whose functions of time are those that are there already.
void fill_numbers(const Model& model, const Parameters& numbers, Realization<double>& to);

}  // namespace aleator::core
