// What is not known exactly about a model (`uncertain:`, `dependence:`): the laws, and the sample of any realization.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "model/model.hpp"
#include "uncertainty/beam_field.hpp"
#include "uncertainty/center_of_mass_law.hpp"
#include "uncertainty/distribution.hpp"
#include "uncertainty/hyper_parameters.hpp"
#include "uncertainty/inertia_law.hpp"

namespace aleator::core {

// One random quantity: a scalar (a parameter or the mass of a body), or the centre of mass or the inertia of a body.
struct Quantity {
  std::string name;                  // "stiffness", "rb5.mass", "rb5.center_of_mass", "rb5.inertia"
  std::vector<std::string> columns;  // its numbers in a sample, by the names `--set` knows: "rb5.center_of_mass.x", …
  std::string unit;
  int first_column = 0;
  int body = -1;
  int field = -1;         // of a variable of a random field: which one
  int process = -1;       // of a number of a random process: which one
  std::uint64_t key = 0;  // of its random numbers: that of another quantity when it is shared (`same_as`)
  int group = 0;          // quantities that depend on each other are one cause
  std::string same_as;    // name of the quantity it is shared with, or empty

  bool is_parameter() const { return body < 0 && process < 0; }
  bool is_draw() const {
    return process >= 0 && name.ends_with(".draw");
  }  // stands for all numbers of a process that no design places
  bool is_mass() const { return body >= 0 && field < 0 && scalar != nullptr; }

  // One of these.
  std::shared_ptr<const Distribution> scalar;
  std::shared_ptr<const CenterOfMassLaw> center_of_mass;
  std::shared_ptr<const InertiaLaw> inertia;
};

// Scalars that are not independent.
struct Dependence {
  std::vector<int> quantities;
  std::shared_ptr<const Copula> copula;
  std::string words;  // "normal copula, correlation 0.5"
};

// One of the independent numbers behind a sample, uniform on ]0, 1[: designs place them, expansions are written in them. A scalar
// has one, a block (a centre of mass, a planar inertia) one per dimension where there is a map from uniform numbers to its law.
struct Variable {
  std::string name;  // of a scalar its own; "rb5.center_of_mass.u1" of a block
  int quantity = 0, coordinate = 0;
  int group = 0;
  std::uint64_t key = 0;  // of its random numbers
  bool alone = false;     // a scalar that no copula ties to others: its value may be given instead
};

// Where a variable is to be, or the value it is to give.
struct Place {
  double u = 0.5;
  double value = std::numeric_limits<double>::quiet_NaN();  // counts when finite; of variables that are alone
  double z = std::numeric_limits<double>::quiet_NaN();      // likewise: a standard normal variable, u = Φ(z) up to its digits
};

class RandomModel {
 public:
  // Reads the laws and solves what has to be solved. A quantity that is set from outside is fixed, no longer random. The model
  // must have been loaded with the same settings (without those of laws and fields, hyper_parameters.hpp), and must outlive this.
  // Throws InputError; ImpossibleLaw where hyper-parameters have values for which there is no law.
  // `inputs`: its columns instead of what is random, by the names of `--set` (uncertainty/chosen_inputs.hpp).
  explicit RandomModel(const Model& model, std::span<const Override> settings = {}, std::span<const std::string> inputs = {});

  const Model& model() const { return *model_; }
  const std::vector<Quantity>& quantities() const { return quantities_; }
  const std::vector<Dependence>& dependences() const { return dependences_; }
  const std::vector<BeamField>& fields() const { return fields_; }
  const std::vector<Variable>& variables() const { return variables_; }
  const std::vector<std::string>& unmapped() const { return unmapped_; }  // blocks that no variables reach
  const std::vector<std::string>& groups() const { return groups_; }      // names of independent causes
  const std::vector<std::string>& columns() const { return columns_; }    // of a sample
  const std::vector<std::string>& units() const { return units_; }        // of its columns
  const std::vector<std::string>& notes() const { return notes_; }        // what the user should know
  bool empty() const { return quantities_.empty(); }
  // Its drawing depends on random parameters: its own random quantities follow that, and are not of their laws alone.
  bool body_varies(int body) const { return body_varies_[size_t(body)] != 0; }
  bool levels_vary() const { return levels_vary_; }  // limits of outputs or levels of scalars depend on random parameters

  // The numbers of one realization, a value per column: a function of the seed and the realization alone. `replicate` says for
  // each group which of the independent copies of the study it is taken from (empty: the first).
  // `placement` moves the variables to where a design wants them; u is where Monte Carlo would have them. Blocks without a map
  // are drawn from their own streams in any case.
  using Placement = std::function<Place(int variable, int replicate, double u)>;
  std::vector<double> sample(std::uint64_t seed, std::uint64_t realization, std::span<const int> replicate = {},
                             const Placement& placement = nullptr) const;
  // The same numbers of several realizations, column by column, to [rows][columns] (random_samples.cpp). Nothing is allocated once a thread has
  // drawn as many.
  struct Rows {
    std::uint64_t seed = 0;
    std::span<const std::uint64_t> realizations;  // [rows]
    std::span<const int> replicates;              // [rows][groups]; empty: the first of all
  };
  using PlacementOfRow = std::function<Place(std::size_t row, int variable, int replicate, double u)>;
  void samples(const Rows& rows, const PlacementOfRow& placement, std::span<double> to) const;
  // Where bodies are drawn of random parameters, a realization that makes none throws: then they are for one at a time.
  bool draws_bodies() const { return draws_bodies_; }

  // The same as numbers to be replaced in the model, together with those set from outside. After the columns a sample may have the standard
  // normal numbers of all processes but the leading ones, instead of those that their draws stand for.
  std::vector<Override> overrides(std::span<const double> sample) const;
  // Those of the nominal model, with variables of fields that are set from outside; the others are 0.
  std::vector<Override> nominal_overrides() const;

 private:
  const Model* model_;
  std::vector<Override> settings_;  // of the model, from outside
  std::vector<Quantity> quantities_;
  std::vector<Dependence> dependences_;
  std::vector<BeamField> fields_;
  std::vector<std::string> groups_, columns_, units_, notes_, unmapped_;
  std::vector<Variable> variables_;
  std::vector<int> first_variable_;  // [quantities], that of the source where it is shared; −1: none
  bool levels_vary_ = false, draws_bodies_ = false;
  std::vector<char> body_varies_;  // [bodies] with random parameters

  void find_variables();
  void add_field_values(std::span<const double> sample, std::vector<Override>& out) const;
  std::vector<Override> parameters_of(std::span<const double> sample) const;
  double mass_of(int body, std::span<const double> sample, std::span<const BodyProperties> drawn) const;
};

}  // namespace aleator::core
