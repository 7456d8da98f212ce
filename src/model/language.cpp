#include "model/language.hpp"

#include "elements/registry.hpp"
#include "model/beams.hpp"
#include "model/colours.hpp"
#include "model/initial_motions.hpp"
#include "model/integrator_names.hpp"
#include "model/language_scalars.hpp"
#include "model/language_study.hpp"
#include "model/mass_properties.hpp"
#include "processes/language.hpp"

namespace aleator::core {

using input::Bound;
using input::Field;
using input::FieldType;
using input::Kind;

static std::vector<Kind> kinds_of(const std::vector<ElementType>& types) {
  std::vector<Kind> kinds;
  for (const auto& t : types) kinds.push_back(t.kind);
  return kinds;
}

static std::vector<Field> body_fields() {
  return {
      {.key = "shape",
       .type = FieldType::choice,
       .doc = "Its shape: defines its appearance, volume and inertia.",
       .kinds = shape_kinds()},
      {.key = "shapes",
       .type = FieldType::choices,
       .doc = "Several shapes that form one body; each may have its own position, density or mass.",
       .kinds = shape_kinds()},
      {.key = "mass",
       .unit = "kg",
       .doc = "Mass. A body that joins others may have none: 0.",
       .fallback = "density × volume",
       .bound = Bound::not_negative},
      {.key = "density", .unit = "kg/m³", .doc = "Density of the shapes.", .bound = Bound::positive},
      {.key = "at",
       .type = FieldType::point,
       .unit = "m",
       .doc = "Position of the centre of its shape.",
       .fallback = "centre of mass, or the origin"},
      {.key = "orientation",
       .type = FieldType::orientation,
       .doc = "Its axes at t = 0; shapes rotate with them.",
       .fallback = "inertial axes"},
      {.key = "center_of_mass",
       .type = FieldType::point,
       .unit = "m",
       .doc = "Centre of mass.",
       .fallback = "that of the shapes"},
      {.key = "inertia",
       .type = FieldType::tensor,
       .unit = "kg m²",
       .doc = "Inertia tensor about the centre of mass, Ixy = −∫xy dm.",
       .fallback = "that of the shapes"},
      {.key = "inertia_axes",
       .type = FieldType::word,
       .doc = "Axes in which `inertia` is given: inertial, or those of the body.",
       .fallback = "inertial",
       .words = {"inertial", "body"}},
      {.key = "point_masses",
       .type = FieldType::named_groups,
       .doc =
           "Masses without extent that are fixed to it: a payload, a counterweight. They count in its mass, centre of mass and "
           "inertia.",
       .fallback = "none",
       .fields = {{.key = "mass", .unit = "kg", .doc = "Mass.", .required = true, .bound = Bound::positive},
                  {.key = "at", .type = FieldType::point, .unit = "m", .doc = "Where it is at t = 0.", .required = true}}},
      {.key = "velocity",
       .type = FieldType::vector,
       .unit = "m/s",
       .doc = "Velocity of its centre of mass at t = 0.",
       .fallback = "0"},
      {.key = "angular_velocity", .type = FieldType::spin, .unit = "rad/s", .doc = "Angular velocity at t = 0.", .fallback = "0"},
      {.key = "reference_node",
       .type = FieldType::flag,
       .doc = "Describe it by an ANCF reference node (position and directors, with constraints that keep them orthonormal) "
              "instead of a "
              "position and a rotation; joints to beams are then linear. The motion is the same.",
       .fallback = "false"},
      colour_field(),
  };
}

static std::vector<std::string_view> integrator_words() {
  std::vector<std::string_view> words = {"auto"};
#define ALEATOR_ADD(id, word) words.push_back(word);
  ALEATOR_INTEGRATORS(ALEATOR_ADD)
#undef ALEATOR_ADD
  return words;
}

static std::vector<Field> simulation_fields() {
  return {
      {.key = "duration",
       .unit = "s",
       .doc = "Duration of the simulation, from t = 0.",
       .required = true,
       .bound = Bound::positive},
      {.key = "step",
       .unit = "s",
       .doc = "Largest time step; with a named integrator all steps between breakpoints are of this size.",
       .fallback = "duration / 1000, or output_step where that is less",
       .bound = Bound::positive},
      {.key = "accuracy",
       .unit = "-",
       .doc = "Relative error of outputs (root mean square over time) due to time stepping. Given instead of a step: one step "
              "for all "
              "realizations is found for it, and verified.",
       .fallback = "none: 'step' is used",
       .bound = Bound::positive},
      {.key = "output_step",
       .unit = "s",
       .doc = "Interval between output times.",
       .fallback = "duration / 200",
       .bound = Bound::positive},
      {.key = "integrator",
       .type = FieldType::word,
       .doc = "Integration method, with steps of equal size. `auto`: an explicit or implicit method, as the fastest motion asks, "
              "with "
              "steps adapted to their error.",
       .fallback = "auto; with `rho` generalized-alpha",
       .words = integrator_words()},
      {.key = "rho",
       .unit = "-",
       .doc = "Spectral radius at infinity of generalized-alpha, 0 … 1: near 1 conserves energy best, 0 damps fast vibrations "
              "immediately; with joints use values below 1, because at 1 reactions oscillate without decay.",
       .fallback = "0.8",
       .bound = Bound::not_negative},
      {.key = "tolerance",
       .unit = "-",
       .doc =
           "Relative tolerance: with `auto` of the error of a step, for ida of the integration, otherwise of Newton's iteration.",
       .fallback = "auto: 1e-6 explicit, 1e-5 implicit; ida: 1e-8; others 1e-9",
       .bound = Bound::positive},
      {.key = "stabilization",
       .type = FieldType::word,
       .doc = "How explicit methods satisfy the constraints.",
       .fallback = "projection",
       .words = {"projection", "baumgarte", "none"}},
      {.key = "start",
       .type = FieldType::word,
       .doc = "Start as drawn, or from the static equilibrium.",
       .fallback = "drawn",
       .words = {"drawn", "equilibrium"}},
  };
}

static std::vector<Kind> output_kinds() {
  std::vector<Kind> kinds = kinds_of(output_types());
  for (Kind& k : kinds) {
    k.fields.push_back(limits_field("that of the output"));
    for (const Field& f : filter_fields()) k.fields.push_back(f);
  }
  return kinds;
}

static input::Language make_language() {
  input::Language l = {
      .top =
          {{.key = "title", .type = FieldType::text, .doc = "Title of the model."},
           {.key = "plane",
            .type = FieldType::word,
            .doc = "Makes the model planar: bodies have three degrees of freedom, joints their planar meaning.",
            .words = {"xy", "xz", "yz"}},
           {.key = "gravity",
            .type = FieldType::functions,
            .unit = "m/s²",
            .doc = "Acceleration of gravity. Components may be functions of time: where the ground accelerates by a, write −a; "
                   "outputs are then relative to the ground.",
            .fallback = "[0, 0, 0]"},
           {.key = "simulation", .type = FieldType::group, .doc = "Settings of the simulation.", .fields = simulation_fields()},
           study_field()},
      .sections = {
          {"bodies", "body", "Rigid bodies (without a tag), beams and cables. The ground is predefined under the name `ground`.",
           body_fields(), beam_kinds()},
          materials_section(),
          initial_motions_section(),
          processes::section(),
          {"joints", "joint", "Joints between two bodies (or a body and the ground).", {}, kinds_of(joint_types())},
          {"forces", "force", "Springs, dampers, bushings, loads.", {}, kinds_of(force_types())},
          {"outputs", "output", "Quantities observed over time.", {}, output_kinds()}}};
  for (const input::Section& s : study_sections()) l.sections.push_back(s);
  return l;
}

const input::Language& language() {
  static const input::Language l = make_language();
  return l;
}

}  // namespace aleator::core
