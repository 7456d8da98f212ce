// Evaluations of a search, one line each as soon as they are known: a search that was interrupted goes through them again without simulating
// anything.
#pragma once

#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace aleator::core {

class EvaluationLog {
 public:
  struct Columns {
    std::string what;                 // the values: "log-likelihoods"
    std::vector<std::string> at;      // names of what determines them
    std::vector<std::string> values;  // of themselves
  };
  // `identity`: everything that determines the numbers. With `resume` the lines of the same identity in the file serve again;
  // otherwise it begins anew. Without a path they are in memory alone. Throws results::WriteError.
  EvaluationLog(const std::string& path, const Columns& columns, const std::string& identity, bool resume);

  const std::vector<double>* find(const std::vector<double>& at) const;  // null: not known
  void add(const std::vector<double>& at, const std::vector<double>& values);
  long known() const { return known_; }  // from before

 private:
  std::string path_;
  std::map<std::vector<double>, std::vector<double>> values_;
  long known_ = 0;
  std::ofstream file_;
};

}  // namespace aleator::core
