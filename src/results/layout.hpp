// How long the datasets and the lists among the attributes of a results file are, as layout.md says it: what is read is checked
// against this, so that whoever reads need not ask again.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace aleator::core::results {

// What a length counts, and where the file says how many there are.
struct Count {
  const char* what;
  const char* object;     // a dataset, by its first dimension; or
  const char* attribute;  // a list among the attributes of the object
  long fixed = -1;        // or always the same
  bool or_none = false;   // or nothing was kept
};

// Lengths of a dataset, or of a list among the attributes, which `layout.md` gives a shape; null where any will do.
struct ExpectedShape {
  const char* where;                 // "*" stands for one step of a path
  const char* attribute;             // null: the dataset
  std::vector<const Count*> counts;  // along each dimension; null: any length
};
const ExpectedShape* expected_shape(const std::string& object, const std::string& attribute);

}  // namespace aleator::core::results
