#include "study/evaluation_log.hpp"

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
std::string line_of(const std::vector<double>& at, const std::vector<double>& values) {
  std::string out;
  for (const double x : at) out += fmt::format("{:.17g},", x);
  for (size_t i = 0; i < values.size(); ++i) out += fmt::format("{}{:.17g}", i > 0 ? "," : "", values[i]);
  return out + "\n";
}

}  // namespace

EvaluationLog::EvaluationLog(const std::string& path, const Columns& columns, const std::string& identity, bool resume)
    : path_(path) {
  const std::string first = fmt::format("# {} of study {:016x}", columns.what, quantity_key(identity));
  if (resume) {
    std::ifstream earlier(path);
    std::string line;
    if (std::getline(earlier, line) && line == first)
      while (std::getline(earlier, line) && !earlier.eof()) {  // a line without its end is not complete
        std::vector<double> row = numbers_in(line);
        if (row.size() != columns.at.size() + columns.values.size()) continue;
        const auto end_of_at = row.begin() + long(columns.at.size());
        values_[{row.begin(), end_of_at}] = {end_of_at, row.end()};
      }
    known_ = long(values_.size());
  }
  if (path.empty()) return;
  std::string header;
  for (const std::vector<std::string>* names : {&columns.at, &columns.values})
    for (const std::string& n : *names) header += (header.empty() ? "" : ",") + n;
  std::string text = first + "\n" + header + "\n";
  for (const auto& [at, values] : values_) text += line_of(at, values);
  AtomicFile file(path);  // what is known already must not be lost while it is written again
  file.write(text);
  file.commit();
  file_.open(path, std::ios::app);
  if (!file_) throw WriteError::from_errno(path, errno);
}

const std::vector<double>* EvaluationLog::find(const std::vector<double>& at) const {
  const auto it = values_.find(at);
  return it == values_.end() ? nullptr : &it->second;
}

void EvaluationLog::add(const std::vector<double>& at, const std::vector<double>& values) {
  values_[at] = values;
  if (path_.empty()) return;
  file_ << line_of(at, values) << std::flush;
  if (!file_) throw WriteError::from_errno(path_, errno);
}

}  // namespace aleator::core
