// A small model language with every type of field, and helpers that read a text in it.
#pragma once

#include <string>

#include <gtest/gtest.h>

#include "input/description.hpp"
#include "input/expression.hpp"
#include "support/message_of.hpp"

namespace aleator::core::input {

inline const Language& small_language() {
  using enum FieldType;
  static const Language language = {
      .top = {{.key = "title", .type = text, .doc = "What the model is about."},
              {.key = "plane", .type = word, .doc = "Plane of a planar model.", .words = {"xy", "xz", "yz"}},
              {.key = "gravity", .type = vector, .unit = "m/s^2", .doc = "Gravity.", .fallback = "[0, 0, 0]"},
              {.key = "simulation",
               .type = group,
               .doc = "How it is simulated.",
               .fields = {{.key = "duration", .unit = "s", .doc = "End of time.", .required = true, .bound = Bound::positive},
                          {.key = "step", .unit = "s", .doc = "Step.", .required = true, .bound = Bound::positive},
                          {.key = "iterations",
                           .type = integer,
                           .unit = "-",
                           .doc = "At most.",
                           .fallback = "10",
                           .bound = Bound::positive},
                          {.key = "quiet", .type = flag, .doc = "Say nothing.", .fallback = "false"}}}},
      .sections = {
          {.key = "bodies",
           .entry = "body",
           .doc = "What moves.",
           .fields = {{.key = "mass", .unit = "kg", .doc = "Mass.", .required = true, .bound = Bound::positive},
                      {.key = "at", .type = point, .unit = "m", .doc = "Centre of mass.", .required = true},
                      {.key = "orientation", .type = orientation, .doc = "Orientation.", .fallback = "inertial axes"},
                      {.key = "inertia", .type = tensor, .unit = "kg m^2", .doc = "Inertia."},
                      {.key = "spin", .type = spin, .unit = "rad/s", .doc = "Angular velocity.", .fallback = "0"},
                      {.key = "shape",
                       .type = choice,
                       .doc = "Shape.",
                       .kinds = {{.key = "box",
                                  .doc = "A box.",
                                  .subject = {.type = vector, .unit = "m", .doc = "Edges.", .bound = Bound::positive}},
                                 {.key = "sphere",
                                  .doc = "A sphere.",
                                  .subject = {.type = group, .fields = {{.key = "radius", .unit = "m", .required = true}}}}}},
                      {.key = "layers",
                       .type = choices,
                       .doc = "Layers.",
                       .kinds = {{.key = "steel", .doc = "Steel.", .subject = {.type = number}},
                                 {.key = "wood", .doc = "Wood.", .subject = {.type = number}}}},
                      {.key = "outline", .type = polygon, .unit = "m", .doc = "Outline."},
                      {.key = "color", .type = word, .doc = "Any word."}}},
          {.key = "joints",
           .entry = "joint",
           .doc = "What connects.",
           .kinds = {{.key = "revolute",
                      .doc = "A hinge.",
                      .subject = {.type = body_pair, .doc = "Two bodies."},
                      .fields = {{.key = "axis", .type = direction, .doc = "Axis.", .required = true},
                                 {.key = "at", .type = point, .unit = "m", .doc = "A point.", .required = true},
                                 {.key = "motion", .type = function, .doc = "Prescribed angle."}}},
                     {.key = "gear",
                      .doc = "A relation of two joints.",
                      .subject = {.type = joint_pair},
                      .fields = {{.key = "ratio", .doc = "Ratio.", .required = true}}}}},
          {.key = "forces",
           .entry = "force",
           .doc = "What pushes.",
           .kinds = {{.key = "bushing",
                      .doc = "Springs in all directions.",
                      .subject = {.type = body_pair},
                      .fields = {{.key = "stiffness", .doc = "Stiffness.", .bound = Bound::not_negative, .per_direction = true},
                                 {.key = "law", .type = table, .doc = "Force over length."}}},
                     {.key = "spring",
                      .doc = "Between points.",
                      .subject = {.type = body_pair},
                      .fields = {{.key = "points", .type = point_pair, .doc = "Ends.", .required = true}}},
                     {.key = "load",
                      .doc = "A force on a body.",
                      .subject = {.type = body},
                      .fields = {{.key = "force", .type = functions, .unit = "N", .doc = "Components.", .required = true}}}}},
          {.key = "outputs",
           .entry = "output",
           .doc = "What is recorded.",
           .kinds = {{.key = "position",
                      .doc = "Of a body.",
                      .subject = {.type = body},
                      .fields = {{.key = "components", .type = words, .doc = "Which.", .words = {"x", "y", "z"}}}},
                     {.key = "reaction", .doc = "Of a joint.", .subject = {.type = joint}},
                     {.key = "force",
                      .doc = "Of a force.",
                      .subject = {.type = force},
                      .fields = {{.key = "position", .type = numbers, .doc = "Places."}}}}}}};
  return language;
}

inline Description read(const std::string& text) { return read_text(text, "m.yaml", small_language()); }

// The complete message of the error that reading gives, or "no error".
inline std::string error_of(const std::string& text) {
  return test::message_of<InputError>([&] { read(text); });
}

// A model with one body, whose further fields start at line 3, column 5.
inline std::string body_with(const std::string& fields) {
  return "bodies:\n  rb1: {mass: 1, at: [0, 0, 0],\n    " + fields + "}\n";
}

// A model with bodies a and b and the joint `hinge`, whose further fields start at line 3, column 5.
inline std::string hinge_with(const std::string& fields) {
  return "bodies: {a: {mass: 1, at: [0, 0, 0]}, b: {mass: 1, at: [0, 0, 0]}}\njoints:\n  hinge: {revolute: [a, b], at: [0, 0, "
         "0],\n    " +
         fields + "}\n";
}

// A model with bodies a and b and the force `f`, written at line 2, column 14.
inline std::string force_being(const std::string& content) {
  return "bodies: {a: {mass: 1, at: [0, 0, 0]}, b: {mass: 1, at: [0, 0, 0]}}\nforces: {f: {" + content + "}}\n";
}

inline const Value& field(const Description& model, std::string_view section, std::string_view key) {
  const Value* value = model.section(section).at(0).find(key);
  if (!value) throw std::logic_error("no such field");
  return *value;
}

inline std::vector<double> values(const Description& model, const std::vector<Number>& numbers) {
  const Scope scope(model);
  std::vector<double> list;
  for (const Number& number : numbers) list.push_back(scope(number));
  return list;
}

}  // namespace aleator::core::input
