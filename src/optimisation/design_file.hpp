// The file of `aleator design`: which parameters are chosen, what is minimised, what must hold, and how statistics are found. As plain data.
#pragma once

#include <string>
#include <vector>

#include <aleator/study.hpp>

#include "input/description.hpp"
#include "input/error.hpp"
#include "model/mass_properties.hpp"

namespace aleator::core::optimisation {

const input::Language& design_language();

struct Chosen {
  std::string name;  // as --set knows it
  double from = 0, to = 0;
  bool logarithmic = false;
  input::Position at, to_at;

  double value(double place) const;  // from the unit interval
};

// A text and where it begins.
struct Written {
  std::string text;
  input::Position at;
};

struct DesignStudy {
  std::string file;          // as the user named it, for messages
  std::string text;          // its bytes
  std::string title, model;  // model: where it is, seen from where the program runs
  input::Position model_at;
  std::vector<Override> set;
  std::vector<Chosen> chosen;
  Written cost;
  std::vector<Written> constraints;
  long evaluations = 60;
  double confidence = 0.95;        // with which a constraint must hold
  input::Description description;  // of the file: `study:` and `verify:` are read over what the model says
};

// Throws InputError.
DesignStudy read_design_file(const std::string& file);
DesignStudy read_design_text(std::string text, const std::string& file);

// How statistics are found during the search, over what `study:` of the model says; and how the answer is verified, over that: four times as many
// realizations and the next seed, unless the file says otherwise. Throw InputError.
Study search_study(const DesignStudy& study, Study of_model);
Study verification_study(const DesignStudy& study, const Study& of_search);

}  // namespace aleator::core::optimisation
