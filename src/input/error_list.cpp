#include "input/error_list.hpp"

#include <algorithm>
#include <tuple>

namespace aleator::core::input {

void ErrorList::keep(const InputError& error) {
  for (const Mistake& m : error.mistakes()) mistakes_.push_back(m);
}

void ErrorList::add(const InputError& error) {
  keep(error);
  if (mistakes_.size() >= most) throw Enough{};
}

// Mistakes in files that the model refers to, which have a name already, come last.
void ErrorList::raise(const std::string& file) const {
  if (mistakes_.empty() && consequence_) throw InputError(*consequence_).in_file(file);
  if (mistakes_.empty()) return;
  std::vector<Mistake> all = mistakes_;
  for (Mistake& m : all)
    if (m.file == file) m.file.clear();
  const auto place = [](const Mistake& m) { return std::tie(m.file, m.line, m.column); };
  std::stable_sort(all.begin(), all.end(), [&](const Mistake& a, const Mistake& b) { return place(a) < place(b); });
  // Of what a repeat or several instances make of one place, the first is told.
  const auto is_made = [](const Mistake& m) { return m.message.ends_with(']') && m.message.find(" [in ") != std::string::npos; };
  const auto same = [&](const Mistake& a, const Mistake& b) {
    return place(a) == place(b) && (a.message == b.message || (is_made(a) && is_made(b)));
  };
  all.erase(std::unique(all.begin(), all.end(), same), all.end());
  const std::size_t kept = std::min(all.size(), shown);
  const std::size_t more = all.size() - kept;
  all.resize(kept);
  throw InputError(std::move(all), more).in_file(file);
}

}  // namespace aleator::core::input
