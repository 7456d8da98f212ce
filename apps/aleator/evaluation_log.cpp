#include "evaluation_log.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>

#include "results/error.hpp"
#include "uncertainty/stream.hpp"

namespace aleator::app {

namespace {

// The numbers of a line; empty where it is none (the last one may be half written).
std::vector<double> numbers_in(const std::string& line) {
  std::vector<double> out;
  const char* at = line.c_str();
  while (true) {
    char* end = nullptr;
    out.push_back(std::strtod(at, &end));
    if (end == at) return {};
    if (*end == 0) return out;
    if (*end != ',') return {};
    at = end + 1;
  }
}

}  // namespace

EvaluationLog::EvaluationLog(const std::string& path, const std::vector<std::string>& names, const std::string& identity,
                             bool resume)
    : path_(path) {
  const std::string first = fmt::format("# log-likelihoods of study {:016x}", quantity_key(identity));
  std::string header;
  for (const std::string& n : names) header += n + ",";
  if (resume) {
    std::ifstream earlier(path);
    std::string line;
    if (std::getline(earlier, line) && line == first)
      while (std::getline(earlier, line) && !earlier.eof()) {  // a line without its end is not complete
        std::vector<double> row = numbers_in(line);
        if (row.size() != names.size() + 1) continue;
        const double value = row.back();
        row.pop_back();
        values_[row] = value;
      }
    known_ = long(values_.size());
  }
  file_.open(path, std::ios::trunc);
  file_ << first << "\n" << header << "log_likelihood\n";
  for (const auto& [values, value] : values_) {
    for (const double x : values) file_ << fmt::format("{:.17g},", x);
    file_ << fmt::format("{:.17g}\n", value);
  }
  file_.flush();
  if (!file_) throw results::WriteError::from_errno(path, errno);
}

const double* EvaluationLog::find(const std::vector<double>& values) const {
  const auto it = values_.find(values);
  return it == values_.end() ? nullptr : &it->second;
}

void EvaluationLog::add(const std::vector<double>& values, double log_likelihood) {
  values_[values] = log_likelihood;
  for (const double x : values) file_ << fmt::format("{:.17g},", x);
  file_ << fmt::format("{:.17g}", log_likelihood) << std::endl;
  if (!file_) throw results::WriteError::from_errno(path_, errno);
}

}  // namespace aleator::app
