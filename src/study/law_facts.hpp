// What is to be told about random quantities in words and numbers: `check` prints it, results files keep it.
#pragma once

#include <string>
#include <vector>

#include "results/study.hpp"
#include "uncertainty/random_model.hpp"

namespace aleator::core {

struct Fact {
  std::string name, value;
};

std::vector<Fact> facts_of(const Quantity& quantity);
std::vector<Fact> facts_of(const BeamField& field);

// Parameters and moments with all their digits, for programs that read results.
std::vector<results::LawNumber> numbers_of(const Quantity& quantity);
std::vector<results::LawNumber> numbers_of(const BeamField& field);

}  // namespace aleator::core
