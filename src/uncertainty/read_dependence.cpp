#include "uncertainty/read_dependence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

namespace aleator::core {

using input::InputError;
using input::Item;

namespace {

struct Pairing {
  std::vector<int> members;
  double value;
  const Item* item;
};

InputError wrong(const Item& item, input::Position at, const std::string& message) {
  return {at, fmt::format("dependence '{}': {}", item.name, message)};
}

// What is not random because its entry in `uncertain:` is wrong, or could be.
bool may_be_wrong(const std::string& quantity, const LawContext& c, std::span<const std::string> wrong) {
  const std::string entry = quantity.substr(0, quantity.find('.'));
  return c.suspects.contain_uncertain(entry) || c.suspects.contain(entry) ||
         std::find(wrong.begin(), wrong.end(), entry) != wrong.end();
}

std::vector<int> members_of(const Item& item, const std::vector<Quantity>& quantities, const LawContext& c,
                            std::span<const std::string> wrong_entries) {
  std::vector<std::string> known;
  for (const Quantity& q : quantities)
    if (q.scalar && q.same_as.empty()) known.push_back(q.name);
  std::vector<int> members;
  std::optional<input::Consequence> follows;  // told after what is wrong for certain
  for (const std::string& name : item.subject.words) {
    const auto it = std::find_if(quantities.begin(), quantities.end(), [&](const Quantity& q) { return q.name == name; });
    if (it == quantities.end()) {
      const InputError error =
          wrong(item, item.subject.at, fmt::format("'{}' is not a random quantity{}", name, input::suggestion(name, known)));
      if (!may_be_wrong(name, c, wrong_entries)) throw error;
      follows = input::Consequence(error);
      continue;
    }
    if (!it->scalar || !it->same_as.empty())
      throw wrong(item, item.subject.at,
                  fmt::format("'{}' {}", name, it->scalar ? "follows " + it->same_as + "; name that one" : "is not a scalar"));
    members.push_back(int(it - quantities.begin()));
  }
  if (follows) throw input::Consequence(*follows);
  if (members.size() < 2) throw wrong(item, item.subject.at, "names at least two quantities");
  return members;
}

// The fields that are named, if any is.
std::vector<const BeamField*> fields_of(const Item& item, const std::vector<BeamField>& fields) {
  std::vector<const BeamField*> found;
  for (const std::string& name : item.subject.words)
    for (const BeamField& f : fields)
      if (f.name == name) found.push_back(&f);
  if (!found.empty() && found.size() != item.subject.words.size())
    throw wrong(
        item, item.subject.at,
        fmt::format("'{}' is a random field and can be correlated only with other random fields (one that is set from outside is "
                    "none)",
                    found[0]->name));
  if (found.size() == 1) throw wrong(item, item.subject.at, "names at least two quantities");
  return found;
}

// Fields are correlated term by term, so that the correlation at two points is that of the field times `value`.
std::vector<std::vector<int>> variables_of(const Item& item, const std::vector<const BeamField*>& fields) {
  const BeamField& first = *fields[0];
  for (const BeamField* f : fields) {
    bool same = f->terms.size() == first.terms.size() && f->method == first.method && f->beams.size() == first.beams.size();
    for (size_t i = 0; same && i < first.beams.size(); ++i) {
      const auto &a = f->beams[i].weights, &b = first.beams[i].weights;
      same = a.size() == b.size();
      for (size_t k = 0; same && k < a.size(); ++k) same = std::abs(a[k] - b[k]) < 1e-9;
    }
    if (!same)
      throw wrong(item, item.subject.at,
                  fmt::format("'{}' and '{}' must have the same correlation, terms, nodes and beams to be correlated as a whole; "
                              "their variables ({}.xi1, …) can be correlated one by one",
                              first.name, f->name, first.name));
  }
  std::vector<std::vector<int>> out(first.terms.size());
  for (size_t i = 0; i < out.size(); ++i)
    for (const BeamField* f : fields) {
      if (f->terms[i].quantity < 0) throw wrong(item, item.subject.at, fmt::format("'{}.xi{}' is set", f->name, i + 1));
      out[i].push_back(f->terms[i].quantity);
    }
  return out;
}

void refuse_shared_member(const std::vector<Dependence>& copulas, const Item& item, const std::vector<int>& members,
                          const std::vector<Quantity>& quantities) {
  for (const Dependence& d : copulas)
    for (const int q : members)
      if (std::find(d.quantities.begin(), d.quantities.end(), q) != d.quantities.end())
        throw wrong(item, item.subject.at, fmt::format("'{}' is already in another copula", quantities[q].name));
}

// Correlations that have members in common make one normal copula.
std::vector<Dependence> normal_copulas(std::vector<Pairing> correlations) {
  std::vector<Dependence> out;
  while (!correlations.empty()) {
    std::vector<Pairing> block = {correlations.back()};
    correlations.pop_back();
    std::vector<int> members = block[0].members;
    const auto touches = [&](const Pairing& c) {
      return std::any_of(c.members.begin(), c.members.end(),
                         [&](int q) { return std::find(members.begin(), members.end(), q) != members.end(); });
    };
    for (auto it = correlations.begin(); it != correlations.end();) {
      if (!touches(*it)) {
        ++it;
        continue;
      }
      for (const int q : it->members)
        if (std::find(members.begin(), members.end(), q) == members.end()) members.push_back(q);
      block.push_back(*it);
      correlations.erase(it);
      it = correlations.begin();
    }
    std::sort(members.begin(), members.end());
    const int n = int(members.size());
    std::vector<double> matrix(size_t(n) * n, 0.0);
    for (int i = 0; i < n; ++i) matrix[i * n + i] = 1;
    std::string words = "normal copula, correlation";
    for (const Pairing& c : block) {
      words += fmt::format(" {:g}", c.value);
      for (const int a : c.members)
        for (const int b : c.members)
          if (a != b) {
            const auto i = std::find(members.begin(), members.end(), a) - members.begin();
            const auto j = std::find(members.begin(), members.end(), b) - members.begin();
            if (matrix[i * n + j] != 0 && matrix[i * n + j] != c.value)
              throw wrong(*c.item, c.item->at, "gives another correlation to a pair that already has one");
            matrix[i * n + j] = c.value;
          }
    }
    try {
      out.push_back({members, make_normal_copula(matrix, n), words});
    } catch (const std::invalid_argument& e) {
      throw wrong(*block[0].item, block[0].item->at, e.what());
    }
  }
  return out;
}

// Reads `dependence:` entry by entry.
class Reader {
 public:
  Reader(const LawContext& context, const RandomThings& things, std::span<const std::string> wrong)
      : c_(context), quantities_(things.quantities), fields_(things.fields), wrong_(wrong) {}

  std::vector<Dependence> copulas;
  std::vector<Pairing> correlations;

  void read(const Item& item) {
    const bool correlation = item.kind == "correlation";
    const double value = correlation ? c_.scope(item.find("value")->number) : 0;
    if (correlation && !(value > -1 && value < 1))
      throw wrong(item, item.find("value")->at, fmt::format("'value' must lie strictly between -1 and 1, found {:g}", value));
    if (const std::vector<const BeamField*> whole = fields_of(item, fields_); correlation && !whole.empty()) {
      for (const std::vector<int>& members : variables_of(item, whole)) {
        refuse_shared_member(copulas, item, members, quantities_);
        correlations.push_back({members, value, &item});
      }
      return;
    }
    const std::vector<int> members = members_of(item, quantities_, c_, wrong_);
    refuse_shared_member(copulas, item, members, quantities_);
    if (correlation)
      correlations.push_back({members, value, &item});
    else
      read_copula(item, members);
  }

 private:
  void read_copula(const Item& item, const std::vector<int>& members) {
    if (members.size() != 2) throw wrong(item, item.subject.at, fmt::format("'{}' joins two quantities", item.kind));
    for (const Pairing& other : correlations)
      for (const int q : members)
        if (std::find(other.members.begin(), other.members.end(), q) != other.members.end())
          throw wrong(item, item.subject.at, fmt::format("'{}' already has a correlation", quantities_[size_t(q)].name));
    std::vector<Argument> arguments;
    std::string words = item.kind + " copula";
    for (const auto& [key, field] : item.fields) {
      arguments.push_back({key, c_.scope(field.number)});
      words += fmt::format(", {} {:g}", key, arguments.back().value);
    }
    try {
      copulas.push_back({members, make_copula(item.kind, arguments), words});
    } catch (const std::invalid_argument& e) {
      throw wrong(item, item.subject.at, e.what());
    }
  }

  const LawContext& c_;
  const std::vector<Quantity>& quantities_;
  const std::vector<BeamField>& fields_;
  std::span<const std::string> wrong_;
};

}  // namespace

std::vector<Dependence> read_dependences(const std::vector<Item>& items, const LawContext& c, const RandomThings& things,
                                         std::span<const std::string> wrong, input::ErrorList& errors) {
  Reader reader(c, things, wrong);
  for (const Item& item : items)
    if (!c.suspects.in_numbers_of(item)) errors.attempt([&] { reader.read(item); });
  std::vector<Dependence> out;
  errors.attempt([&] { out = normal_copulas(std::move(reader.correlations)); });
  reader.copulas.insert(reader.copulas.end(), std::make_move_iterator(out.begin()), std::make_move_iterator(out.end()));
  return std::move(reader.copulas);
}

}  // namespace aleator::core
