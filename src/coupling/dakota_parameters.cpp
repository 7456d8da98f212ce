// Dakota's parameters files. Both formats have the same entries in the same order; they differ in how an entry is written, and in the
// names of those that begin an array.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "coupling/dakota.hpp"

namespace aleator::core::coupling {
namespace {

struct Entry {
  std::string tag, value;
  int line = 0;
};

constexpr long most_of_an_array = 1'000'000;

std::string stripped(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r"), last = text.find_last_not_of(" \t\r");
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

std::string unquoted(const std::string& text) {
  return text.size() >= 2 && text.front() == '"' && text.back() == '"' ? text.substr(1, text.size() - 2) : text;
}

class DakotaReader {
 public:
  DakotaReader(const std::string& text, const std::string& file) : file_(file) {
    int line = 0;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      add_line(stripped(text.substr(at, end - at)), ++line);
      at = end + 1;
    }
    last_line_ = line;
  }

  std::vector<DakotaSet> sets() {
    if (entries_.empty()) fail(1, "is empty: Dakota writes the variables of an evaluation to its parameters file");
    std::vector<DakotaSet> out;
    while (at_ < entries_.size()) out.push_back(set());
    return out;
  }

 private:
  [[noreturn]] void fail(int line, const std::string& why) const { throw InputError(file_, line, 1, why); }

  void add_line(const std::string& line, int number) {
    if (line.empty()) return;
    Entry e;
    e.line = number;
    if (line.front() == '{') {
      const std::size_t equals = line.find('=');
      if (equals == std::string::npos || line.back() != '}')
        fail(number, entries_.empty() ? "expected '{ DAKOTA_VARS = N }'; parameters files in JSON are not read: leave "
                                        "'parameters_format' at standard or aprepro"
                                      : fmt::format("expected '{{ tag = value }}', found '{}'", line.substr(0, 60)));
      e.tag = stripped(line.substr(1, equals - 1));
      e.value = unquoted(stripped(line.substr(equals + 1, line.size() - equals - 2)));
    } else {
      const std::size_t blank = line.find_last_of(" \t");
      if (blank == std::string::npos) fail(number, fmt::format("expected 'value tag', found '{}'", line.substr(0, 60)));
      e.tag = line.substr(blank + 1);
      e.value = stripped(line.substr(0, blank));
    }
    entries_.push_back(std::move(e));
  }

  const Entry* next() const { return at_ < entries_.size() ? &entries_[at_] : nullptr; }
  bool is_next(std::string_view standard, std::string_view aprepro) const {
    return next() && (next()->tag == standard || next()->tag == aprepro);
  }

  long whole(const Entry& e) const {
    long n = -1;
    const char* const end = e.value.data() + e.value.size();
    const auto [stop, error] = std::from_chars(e.value.data(), end, n);
    if (error != std::errc{} || stop != end || n < 0 || n > most_of_an_array)
      fail(e.line, fmt::format("'{}' must be a whole number, found '{}'", e.tag, e.value));
    return n;
  }

  // The length of an array, and then as many entries.
  std::vector<Entry> array(std::string_view standard, std::string_view aprepro) {
    if (!next()) fail(last_line_, fmt::format("ends before '{}' ({} in APREPRO's format)", standard, aprepro));
    if (!is_next(standard, aprepro))
      fail(next()->line,
           fmt::format("expected the number of '{}' ({} in APREPRO's format), found '{}'", standard, aprepro, next()->tag));
    const Entry& head = entries_[at_++];
    const long n = whole(head);
    if (n > long(entries_.size() - at_)) fail(head.line, fmt::format("announces {} {}, and the file ends before", n, standard));
    std::vector<Entry> out(entries_.begin() + long(at_), entries_.begin() + long(at_) + n);
    at_ += std::size_t(n);
    return out;
  }

  DakotaSet::Variable variable(const Entry& e) const {
    double x = 0;
    const char* const end = e.value.data() + e.value.size();
    const auto [stop, error] = std::from_chars(e.value.data() + (e.value.starts_with('+') ? 1 : 0), end, x);
    if (error != std::errc{} || stop != end || !std::isfinite(x))
      fail(e.line, fmt::format("variable '{}' has the value '{}': only finite numbers can be set in a model", e.tag, e.value));
    return {e.tag, x};
  }

  DakotaSet set() {
    DakotaSet s;
    for (const Entry& e : array("variables", "DAKOTA_VARS")) s.variables.push_back(variable(e));
    for (const Entry& e : array("functions", "DAKOTA_FNS")) {
      const std::size_t colon = e.tag.find(':');
      const long request = whole(e);
      if (request > 7) fail(e.line, fmt::format("'{}' must be between 0 and 7, found {}", e.tag, request));
      s.functions.push_back({colon == std::string::npos ? "" : e.tag.substr(colon + 1), int(request)});
    }
    for (const Entry& e : array("derivative_variables", "DAKOTA_DER_VARS")) {
      const long which = whole(e);
      if (which < 1 || which > long(s.variables.size()))
        fail(e.line, fmt::format("'{}' is {}, and there are {} variables", e.tag, which, s.variables.size()));
      s.derivative_variables.push_back(std::size_t(which - 1));
    }
    for (const Entry& e : array("analysis_components", "DAKOTA_AN_COMPS")) s.components.push_back(e.value);
    if (is_next("eval_id", "DAKOTA_EVAL_ID")) s.id = entries_[at_++].value;
    if (is_next("metadata", "DAKOTA_METADATA"))
      if (const int line = next()->line; !array("metadata", "DAKOTA_METADATA").empty())
        fail(line, "metadata are asked for, and there are none: leave 'metadata' out of the responses");
    return s;
  }

  std::string file_;
  std::vector<Entry> entries_;
  std::size_t at_ = 0;
  int last_line_ = 0;
};

}  // namespace

bool DakotaSet::asks_for(int request) const {
  return std::any_of(functions.begin(), functions.end(), [&](const Function& f) { return (f.request & request) != 0; });
}

std::vector<DakotaSet> read_dakota_parameters(const std::string& text, const std::string& file) {
  return DakotaReader(text, file).sets();
}

}  // namespace aleator::core::coupling
