#include "identification/evaluation_log.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>

#include "base/atomic_file.hpp"
#include "base/errors.hpp"
#include "uncertainty/stream.hpp"

namespace aleator::core {

namespace {

// The numbers of a line; empty where it is none: the last one may be half written, and a loss of power leaves zeros.
std::vector<double> numbers_in(const std::string& line) {
  if (line.find('\0') != std::string::npos) return {};
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

// Exactly as they are: what is read again must be found again.
std::string line_of(const std::vector<double>& values, double log_likelihood) {
  std::string out;
  for (const double x : values) out += fmt::format("{:.17g},", x);
  return out + fmt::format("{:.17g}\n", log_likelihood);
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
  if (path.empty()) return;
  std::string text = first + "\n" + header + "log_likelihood\n";
  for (const auto& [values, value] : values_) text += line_of(values, value);
  AtomicFile file(path);  // what is known already must not be lost while it is written again
  file.write(text);
  file.commit();
  file_.open(path, std::ios::app);
  if (!file_) throw WriteError::from_errno(path, errno);
}

const double* EvaluationLog::find(const std::vector<double>& values) const {
  const auto it = values_.find(values);
  return it == values_.end() ? nullptr : &it->second;
}

void EvaluationLog::add(const std::vector<double>& values, double log_likelihood) {
  values_[values] = log_likelihood;
  if (path_.empty()) return;
  file_ << line_of(values, log_likelihood) << std::flush;
  if (!file_) throw WriteError::from_errno(path_, errno);
}

}  // namespace aleator::core
