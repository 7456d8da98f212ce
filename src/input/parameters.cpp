#include "input/parameters.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "input/text.hpp"

namespace aleator::core::input {

namespace {

void check_name(const Tree& entry) {
  const auto refuse = [&](std::string_view why) {
    throw InputError(entry.key_at, fmt::format("parameter '{}': {}", entry.key, why));
  };
  if (!is_identifier(entry.key)) refuse("a name has letters, digits and _ and does not begin with a digit");
  if (entry.key == "t") refuse("this name is reserved for time");
  if (is_reserved_name(entry.key)) refuse("this name already has a meaning in expressions");
  if (entry.key.size() > limits::name_length) refuse(fmt::format("a name has at most {} characters", limits::name_length));
}

// Depth first, without recursion: chains of parameters may be long.
class Sorter {
 public:
  Sorter(std::span<const Tree> entries, ErrorList& errors)
      : entries_(entries), errors_(errors), marks_(entries.size(), Mark::new_one) {
    for (std::size_t i = 0; i < entries.size(); ++i) index_.emplace(entries[i].key, i);
  }

  SortedParameters sorted() {
    for (std::size_t i = 0; i < entries_.size(); ++i)
      if (marks_[i] == Mark::new_one) visit(i);
    return {std::move(order_), std::move(circular_)};
  }

 private:
  enum class Mark : char { new_one, open, done };
  struct Step {
    std::size_t entry;
    std::vector<std::size_t> needs;  // what it uses, still to be visited
  };

  void enter(std::size_t entry) {
    marks_[entry] = Mark::open;
    Step step{entry, {}};
    if (entries_[entry].is_scalar() && entries_[entry].text.size() <= limits::expression_length)
      for (const std::string_view name : identifiers_in(entries_[entry].text))
        if (const auto it = index_.find(name); it != index_.end()) step.needs.push_back(it->second);
    std::reverse(step.needs.begin(), step.needs.end());
    steps_.push_back(std::move(step));
  }

  void visit(std::size_t start) {
    enter(start);
    while (!steps_.empty()) {
      Step& step = steps_.back();
      if (step.needs.empty()) {
        marks_[step.entry] = Mark::done;
        order_.push_back(&entries_[step.entry]);
        steps_.pop_back();
        continue;
      }
      const std::size_t next = step.needs.back();
      step.needs.pop_back();
      if (marks_[next] == Mark::open) refuse_circle(next);
      if (marks_[next] == Mark::new_one) enter(next);
    }
  }

  // It is told once, and the entries in it have no value.
  void refuse_circle(std::size_t entry) {
    std::vector<std::string> names;
    auto step = std::find_if(steps_.begin(), steps_.end(), [&](const Step& s) { return s.entry == entry; });
    for (; step != steps_.end(); ++step) {
      names.push_back(entries_[step->entry].key);
      circular_.insert(names.back());
    }
    names.push_back(entries_[entry].key);
    errors_.add(
        InputError(entries_[entry].at, fmt::format("parameter '{}' depends on itself: {}", names[0], fmt::join(names, " -> "))));
  }

  std::span<const Tree> entries_;
  ErrorList& errors_;
  std::unordered_set<std::string> circular_;
  std::vector<Mark> marks_;
  std::unordered_map<std::string_view, std::size_t> index_;
  std::vector<Step> steps_;
  std::vector<const Tree*> order_;
};

}  // namespace

SortedParameters sorted_parameters(std::span<const Tree> entries, ErrorList& errors) {
  std::unordered_set<std::string> wrong;
  for (const Tree& entry : entries)
    if (!errors.attempt([&] { check_name(entry); })) wrong.insert(entry.key);
  SortedParameters sorted = Sorter(entries, errors).sorted();
  // What has no proper name is left out, for the parser of expressions knows only proper ones.
  std::erase_if(sorted.entries, [&](const Tree* entry) { return wrong.contains(entry->key); });
  sorted.misnamed = std::move(wrong);
  return sorted;
}

std::vector<std::string> parameter_names(const std::vector<const Tree*>& entries) {
  std::vector<std::string> names;
  for (const Tree* entry : entries) names.push_back(entry->key);
  return names;
}

std::vector<Parameter> read_parameters(Reading& reading, const SortedParameters& sorted, std::vector<std::string>& suspect) {
  const Field number{};
  std::vector<Parameter> parameters;
  std::vector<char> wrong;
  for (const Tree* entry : sorted.entries) {
    const Place place{fmt::format("parameter '{}'", entry->key), ""};
    Number value{.constant = 1, .program = -1, .at = entry->at};
    bool fine = !sorted.circular.contains(entry->key) &&
                reading.errors.attempt([&] { value = read_number(reading, number, *entry, place); });
    if (fine && value.program >= 0)
      for (const int p : reading.compiler.program(value).parameters)
        fine = fine && static_cast<std::size_t>(p) < wrong.size() && !wrong[static_cast<std::size_t>(p)];
    if (!fine) {
      value = {.constant = 1, .program = -1, .at = entry->at};
      suspect.push_back(entry->key);
    }
    wrong.push_back(!fine);
    parameters.push_back({entry->key, value});
  }
  return parameters;
}

}  // namespace aleator::core::input
