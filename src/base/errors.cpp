#include "base/errors.hpp"

#include <algorithm>
#include <limits>
#include <system_error>
#include <utility>

namespace aleator {
namespace {

std::string place(const std::string& file, int line, int column) {
  std::string out = file;
  const auto add = [&](int number) { out += (out.empty() ? "" : ":") + std::to_string(number); };
  if (line > 0) add(line);
  if (line > 0 && column > 0) add(column);
  return out.empty() ? out : out + ": ";
}

// What would be right, as messages say it: "(did you mean 'rb5'?)", "(known: a, b)", "must be at least 2", "; use total-degree".
std::string remedy_in(const std::string& message) {
  for (const char* begin : {"(did you mean ", "(known: "})
    if (const size_t at = message.rfind(begin); at != std::string::npos && message.back() == ')')
      return message.substr(at + 1, message.size() - at - 2);
  if (const size_t at = message.find("must "); at != std::string::npos) return message.substr(at, message.find(", found") - at);
  if (const size_t at = message.rfind("; "); at != std::string::npos) return message.substr(at + 2);
  return "";
}

}  // namespace

InputError::InputError(std::string file, int line, int column, std::string message)
    : Error(place(file, line, column) + message),
      file_(std::move(file)),
      message_(std::move(message)),
      remedy_(remedy_in(message_)),
      line_(line),
      column_(column) {}

ReadError::ReadError(const std::string& path, const std::string& reason) : Error("cannot read '" + path + "': " + reason) {}

WriteError::WriteError(std::string path, std::string reason)
    : Error("cannot write '" + path + "': " + reason), path_(std::move(path)), reason_(std::move(reason)) {}

WriteError WriteError::from_errno(std::string path, int code) { return {std::move(path), std::generic_category().message(code)}; }

SimulationError::SimulationError(const std::string& message, double at) : Error(message), time(at) {}
SimulationError::SimulationError(const std::string& message)
    : SimulationError(message, std::numeric_limits<double>::quiet_NaN()) {}

}  // namespace aleator
