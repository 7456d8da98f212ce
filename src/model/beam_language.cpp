// What may be written about beams, cables and their materials.
#include "model/beams.hpp"
#include "model/colours.hpp"

namespace aleator::core {

using input::Bound;
using input::Field;
using input::FieldType;
using input::Kind;

namespace {

std::vector<Field> material_values() {
  return {{.key = "E", .unit = "N/m²", .doc = "Young's modulus.", .bound = Bound::positive},
          {.key = "nu", .unit = "-", .doc = "Poisson's ratio, between −1 and 0.5."},
          {.key = "density", .unit = "kg/m³", .doc = "Density.", .bound = Bound::positive}};
}

std::vector<Kind> section_kinds() {
  const auto length = [](std::string_view key, std::string_view doc) {
    return Field{.key = key, .unit = "m", .doc = doc, .required = true, .bound = Bound::positive};
  };
  const auto group = [](std::vector<Field> fields) {
    return Field{.key = "", .type = FieldType::group, .doc = "Its size.", .fields = std::move(fields)};
  };
  return {
      {"rectangle", "Rectangle.",
       group({length("height", "Height, along the direction `height_along`; in a planar model in the plane."),
              length("width", "Width, across.")})},
      {"circle", "Circle.", group({length("radius", "Radius.")})},
      {"tube", "Circular tube.", group({length("radius", "Outer radius."), length("inner_radius", "Inner radius.")})},
      {"values", "Any section, by its values.",
       group({{.key = "area", .unit = "m²", .doc = "Area.", .required = true, .bound = Bound::positive},
              {.key = "second_moment",
               .unit = "m⁴",
               .doc = "∫y² dA: bending in the plane of the height (in a planar model in the plane).",
               .required = true,
               .bound = Bound::positive},
              {.key = "second_moment_across",
               .unit = "m⁴",
               .doc = "∫z² dA: bending in the other plane.",
               .fallback = "the same",
               .bound = Bound::positive},
              {.key = "torsion",
               .unit = "m⁴",
               .doc = "Torsion constant J: torque = G J × twist.",
               .fallback = "the sum of both",
               .bound = Bound::positive},
              {.key = "shear_factor", .unit = "-", .doc = "Shear correction k.", .fallback = "5/6", .bound = Bound::positive}})}};
}

std::vector<Field> beam_fields(bool cable) {
  std::vector<Field> fields = {
      {.key = "section", .type = FieldType::choice, .doc = "Cross-section.", .required = true, .kinds = section_kinds()},
      {.key = "material",
       .type = FieldType::text,
       .doc =
           "Name of an entry of `materials:`, or steel, aluminium, titanium, copper; values given explicitly take precedence."}};
  for (const Field& f : material_values()) fields.push_back(f);
  fields.push_back({.key = "elements",
                    .type = FieldType::integer,
                    .unit = "-",
                    .doc = "Number of elements, of equal length.",
                    .fallback = "4",
                    .bound = Bound::positive});
  if (!cable) {
    fields.push_back(
        {.key = "elasticity",
         .type = FieldType::word,
         .doc = "`enhanced` does not lock: a beam bends with E I, shears with k G A, twists with G J. `continuum` is the "
                "unmodified constitutive law (plane strain in a planar model), which is too stiff in bending for any number of "
                "elements.",
         .fallback = "enhanced",
         .words = {"enhanced", "continuum"}});
    fields.push_back(
        {.key = "height_along",
         .type = FieldType::direction,
         .doc = "Direction of the height of the section; its component along the beam is removed. Not in planar models.",
         .fallback = "z, or x where the beam runs along z"});
  }
  const auto table = [](std::string_view key, std::string_view unit, std::string_view doc) {
    return Field{.key = key, .type = FieldType::table, .unit = unit, .doc = doc};
  };
  fields.push_back({.key = "along",
                    .type = FieldType::group,
                    .doc = "Properties that vary along the axis: [[distance from the start, value], …], linear between.",
                    .fields = {table("E", "N/m²", "Young's modulus."), table("nu", "-", "Poisson's ratio."),
                               table("density", "kg/m³", "Density."),
                               table("height", "m", "Height of the section; the diameter for circles and tubes.")}});
  fields.push_back(
      {.key = "curve",
       .type = FieldType::word,
       .doc = "Interpretation of more than two points: a smooth curve through them (natural spline), or the arc through three.",
       .fallback = "spline",
       .words = {"spline", "arc"}});
  fields.push_back(
      {.key = "damping",
       .type = FieldType::group,
       .doc = "Material damping.",
       .fields = {{.key = "stiffness",
                   .unit = "s",
                   .doc = "Kelvin–Voigt: stress = elasticity × (strain + this × strain rate); a mode of ω has the damping ratio "
                          "ω × this / 2.",
                   .fallback = "0",
                   .bound = Bound::not_negative},
                  {.key = "mass",
                   .unit = "1/s",
                   .doc = "Proportional to mass and velocity; a mode of ω has the damping ratio this / (2 ω).",
                   .fallback = "0",
                   .bound = Bound::not_negative}}});
  fields.push_back({.key = "velocity",
                    .type = FieldType::vector,
                    .unit = "m/s",
                    .doc = "Velocity of its centre of mass at t = 0; it starts moving as a rigid body.",
                    .fallback = "0"});
  fields.push_back({.key = "angular_velocity",
                    .type = FieldType::spin,
                    .unit = "rad/s",
                    .doc = "Angular velocity at t = 0.",
                    .fallback = "0"});
  fields.push_back(colour_field());
  return fields;
}

}  // namespace

std::vector<Kind> beam_kinds() {
  const Field points = {
      .type = FieldType::points, .unit = "m", .doc = "Its axis at t = 0: start and end, or more points it runs through."};
  return {{"beam", "A flexible beam (ANCF): stretches, bends, shears and, in space, twists.", points, beam_fields(false)},
          {"cable", "A flexible cable (ANCF): stretches and bends, without shear and torsion; straight when unloaded.", points,
           beam_fields(true)}};
}

input::Section materials_section() { return {"materials", "material", "Materials of beams.", material_values(), {}}; }

}  // namespace aleator::core
