// The model behind Dakota (https://dakota.sandia.gov): its parameters files in, its results files out.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <aleator/model.hpp>

namespace aleator::core::coupling {

// One set of a parameters file.
struct DakotaSet {
  struct Variable {
    std::string name;
    double value = 0;
  };
  struct Function {
    std::string label;  // empty: none was given
    int request = 0;    // active set: 1 value, 2 gradient, 4 Hessian, and their sums
  };
  std::vector<Variable> variables;
  std::vector<Function> functions;
  std::vector<std::size_t> derivative_variables;  // which of the variables, from 0
  std::vector<std::string> components;
  std::string id;

  bool asks_for(int request) const;
};

// One or, of a batch, several sets, in the standard format (`value tag`) or that of APREPRO (`{ tag = value }`). Throws InputError.
std::vector<DakotaSet> read_dakota_parameters(const std::string& text, const std::string& file);

struct DakotaOptions {
  std::vector<std::string> outputs;  // what the functions are, in their order; empty: by their labels
  int threads = 0;
  std::function<void(std::string_view note)> on_note;  // which sets failed, and why
  std::stop_token stop;
};

// What is to be written for each set: its values and gradients, or "FAIL", as Dakota wants it where a simulation failed. All sets are
// computed together. Throws InputError: for variables and functions that the model does not have.
std::vector<std::string> dakota_results(const aleator::Model& model, const std::vector<DakotaSet>& sets,
                                        const DakotaOptions& options);

// The results file of the sets of one parameters file.
std::string join_dakota_results(const std::vector<std::string>& results);

// Parameters files and the results files that belong to them, one after the other: all sets are computed together, then all files are
// written; none when it was stopped, which it returns. Throws also WriteError.
bool run_dakota(const aleator::Model& model, const std::vector<std::string>& files, const DakotaOptions& options);

}  // namespace aleator::core::coupling
