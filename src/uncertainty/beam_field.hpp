// A random field of a property along one or several beams: variables ξ → values at the stations of the beams.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/model.hpp"
#include "uncertainty/field_law.hpp"
#include "uncertainty/random_field.hpp"

namespace aleator::core {

struct BeamField {
  std::string name;  // "link.E"
  std::string property;
  FieldLaw law;
  Correlation correlation;
  RandomField::Method method = RandomField::Method::eole;
  std::shared_ptr<const RandomField> field;
  // Its variables: each is a random quantity, or a number set from outside.
  struct Term {
    int quantity = -1;
    double value = 0;
  };
  std::vector<Term> terms;
  // Instead of all that (study: method: variability): one wave f(s) = √2 σ cos(κ s + φ) along the axis of its beam, with two terms, the
  // wave number κ and the phase φ. The flexibility 1/E is level/mean (1 + f), other properties are level · mean (1 + f).
  struct Wave {
    double level = 1, sigma = 0;
  };
  std::optional<Wave> wave;
  // The beams it serves; stations are those of BodyProperties.
  struct Beam {
    int body;
    std::string name;                  // of the beam
    std::vector<Vec3<double>> points;  // of its axis, in small steps
    std::vector<double> mean;          // [stations] nominal
    std::vector<double> weights;       // [stations][terms]
    std::vector<double> places;        // [stations] m along its axis
    double length = 0;                 // m
  };
  std::vector<Beam> beams;

  // The values of the property along a beam for given means and variables.
  std::vector<double> values(const Beam& beam, std::span<const double> mean, std::span<const double> xi) const;
};

}  // namespace aleator::core
