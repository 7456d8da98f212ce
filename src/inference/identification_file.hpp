// The file of `aleator identify`: what was measured, which parameters are free, and how they are found. As plain data.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "input/error.hpp"
#include "input/fields.hpp"

namespace aleator::core::inference {

inline constexpr double not_given = std::numeric_limits<double>::quiet_NaN();

const input::Language& identification_language();

struct NamedNumber {
  std::string name;
  double value = 0;
  input::Position at;
};

struct NamedText {
  std::string name, text;
  input::Position at;
};

// What is believed of a free parameter before the data, inside its range.
struct Prior {
  enum class Kind { uniform, normal, lognormal };
  Kind kind = Kind::uniform;
  double mean = 0, std = 1;  // of the parameter itself, also when it is lognormal, before the cut at the ends of the range
};
double log_density(const Prior& prior, double x);  // up to a constant; −∞ where it is impossible

struct FreeName {
  std::string name;                         // as --set knows it
  double from = not_given, to = not_given;  // complete_ranges() fills in what is not given
  input::Position at, from_at, to_at;       // from_at, to_at: that of the name where they are not given
  Prior prior;
};

struct MeasuredData {
  input::Position at, specimens_at;         // line 0: no data given
  std::vector<std::string> specimens;       // files, folders, patterns, as written
  std::string time;                         // name of the column; empty: time or t
  std::vector<NamedText> columns;           // output of the model: column of the files; empty: by name
  std::vector<NamedNumber> noise, scale;    // an empty name: for all
  double time_scale = 1, time_offset = 0;   // time of the model = time_scale × time of the file − time_offset
  double from = not_given, to = not_given;  // only these times of the model are used
};

inline constexpr double default_energy = 0.95;
inline constexpr long default_evaluations = 300;  // for the search
inline constexpr int default_components = 3;      // at most, where neither energy nor components are given

struct IdentificationStudy {
  enum class Method { maximum_likelihood, bayesian, least_squares, sweep };
  enum class Likelihood { automatic, integral, kernel, moments };
  std::string file;          // as the user named it, for messages: throw error.in_file(study.file)
  std::string text;          // its bytes
  std::string title, model;  // model: where it is, seen from where the program runs
  input::Position model_at;
  std::vector<NamedNumber> set;
  MeasuredData data;
  std::vector<FreeName> free;
  Method method = Method::maximum_likelihood;
  Likelihood likelihood = Likelihood::automatic;
  input::Position likelihood_at, components_at;
  double energy = not_given;  // of the principal components; default_energy
  double confidence = 0.95, band = 0.9;
  long components = 0;   // 0: not given
  long evaluations = 0;  // at most; 0: not given, default_evaluations for the search and as many again to verify it
  long places = 9;
  long samples = 0;  // for each evaluation; 0: not given
  std::uint64_t seed = 1;
};

std::string name_of(IdentificationStudy::Method method);  // as written: maximum-likelihood
std::string name_of(IdentificationStudy::Likelihood likelihood);

// Throws InputError.
IdentificationStudy read_identification_file(const std::string& file);
IdentificationStudy read_identification_text(std::string text, const std::string& file);

// Fills in the ends of ranges that are not given, by the meaning of the names and, for those that have none of their own, from
// the value written in the model (NaN: unknown); refuses ranges where a law does not exist. Throws InputError.
void complete_ranges(IdentificationStudy& study, bool planar, const std::function<double(const std::string&)>& written);

}  // namespace aleator::core::inference
