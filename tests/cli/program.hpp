// Runs the built program as a user would: arguments in, exit code and texts out; and reads what it wrote.
#pragma once

#include <csignal>
#include <functional>
#include <string>
#include <vector>

#include "support/temporary_folder.hpp"

namespace aleator::core::test {

struct Outcome {
  int code = -1;         // exit code, or 1000 + number of the signal that ended it
  std::string out, err;  // what it printed
};

// `aleator arguments…` in `folder`. After `interrupt_after` seconds (if > 0) it gets a signal, SIGINT as Ctrl-C would send it;
// with `once`, counted from when there is such a file in `folder`: on a busy machine a program may take long to begin.
Outcome aleator(const std::vector<std::string>& arguments, const std::string& folder = ".", double interrupt_after = 0,
                int signal = SIGINT, const std::string& once = "");
// With something done in its process before it starts: limits, another user, the environment.
Outcome aleator_after(const std::function<void()>& preparation, const std::vector<std::string>& arguments,
                      const std::string& folder);

using Folder = TemporaryFolder;  // the one the program runs in

// A CSV file with a header, as numbers.
struct Csv {
  std::vector<std::string> names;
  std::vector<std::vector<double>> rows;
  double at(const std::string& name, double time) const;  // throws when there is no such column or time
  std::vector<double> column(const std::string& name) const;
};
Csv parse_csv_text(const std::string& text);

// Names of the models of examples/, without .yaml, sorted.
std::vector<std::string> example_names();

}  // namespace aleator::core::test
