#include "base/errors.hpp"

#include <algorithm>
#include <limits>
#include <system_error>
#include <utility>

namespace aleator {
namespace {

// What would be right, as messages say it: "(did you mean 'rb5'?)", "(known: a, b)", "must be at least 2", "; use total-degree".
std::string remedy_in(const std::string& whole) {
  const size_t made_by = whole.ends_with(']') ? whole.rfind(" [in ") : std::string::npos;  // an instance, a repeat
  const std::string message = whole.substr(0, made_by);
  for (const char* begin : {"(did you mean ", "(known: "})
    if (const size_t at = message.rfind(begin); at != std::string::npos && message.back() == ')')
      return message.substr(at + 1, message.size() - at - 2);
  if (const size_t at = message.find("must "); at != std::string::npos) return message.substr(at, message.find(", found") - at);
  if (const size_t at = message.rfind("; "); at != std::string::npos) {
    std::string remedy = message.substr(at + 2);
    if (remedy.ends_with(')') && remedy.find('(') == std::string::npos) remedy.pop_back();
    return remedy;
  }
  return "";
}

std::string text_of(const std::vector<Mistake>& mistakes, std::size_t more) {
  std::string out;
  for (const Mistake& m : mistakes) out += (out.empty() ? "" : "\n") + place_of(m) + m.message;
  if (more > 0) out += "\nand " + std::to_string(more) + " more";
  return out;
}

}  // namespace

std::string place_of(const Mistake& mistake) {
  std::string out = mistake.file;
  const auto add = [&](int number) { out += (out.empty() ? "" : ":") + std::to_string(number); };
  if (mistake.line > 0) add(mistake.line);
  if (mistake.line > 0 && mistake.column > 0) add(mistake.column);
  return out.empty() ? out : out + ": ";
}

InputError::InputError(std::string file, int line, int column, std::string message)
    : InputError(std::vector<Mistake>{{std::move(file), line, column, "", std::move(message), ""}}) {}

InputError::InputError(std::vector<Mistake> mistakes, std::size_t more)
    : Error(text_of(mistakes, more)), mistakes_(std::move(mistakes)), more_(more) {
  for (Mistake& m : mistakes_) m.remedy = remedy_in(m.message);
}

ReadError::ReadError(const std::string& path, const std::string& reason) : Error("cannot read '" + path + "': " + reason) {}

WriteError::WriteError(std::string path, std::string reason)
    : Error("cannot write '" + path + "': " + reason), path_(std::move(path)), reason_(std::move(reason)) {}

WriteError WriteError::from_errno(std::string path, int code) { return {std::move(path), std::generic_category().message(code)}; }

SimulationError::SimulationError(const std::string& message, double at) : Error(message), time(at) {}
SimulationError::SimulationError(const std::string& message)
    : SimulationError(message, std::numeric_limits<double>::quiet_NaN()) {}

}  // namespace aleator
