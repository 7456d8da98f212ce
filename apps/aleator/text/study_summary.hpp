// What a study says on the terminal when it is done.
#pragma once

#include <string>

#include "design/study.hpp"
#include "results/study.hpp"
#include "uncertainty/random_model.hpp"

namespace aleator::core::app {

struct StudySummary {
  const Model& model;
  const Study& study;
  const results::StudyResult& result;
  long realizations;  // finished
  long rows;          // simulated now
  double seconds;
  std::string file;
};
void print_summary(const StudySummary& summary);

void print_laws(const Model& model, const RandomModel& random, std::uint64_t seed);  // what is uncertain, with histograms
results::FieldSummary summary_of(const BeamField& field);
std::string law_words(const Quantity& quantity);  // "Gamma, shape 4, rate 0.1", "maximum entropy on a box"
std::string duration_words(double seconds);       // "35 s", "12 min", "3.1 h"
void remove_partial(const std::string& folder);   // of an interrupted run that is now complete

}  // namespace aleator::core::app
