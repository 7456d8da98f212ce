#include "input/yaml_tree.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <sstream>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include "input/foreign_files.hpp"
#include "input/limits.hpp"
#include "input/text.hpp"
#include "input/yaml_mistakes.hpp"

namespace aleator::core::input {

namespace {

// Builds the tree out of yaml-cpp's events. The parser calls itself once per level of nesting and reports
// every level before it goes deeper, so the limit on depth here is what protects its stack, too.
// `${i}` is no YAML inside of brackets, where { and } and commas are signs of their own. While YAML is parsed, those of `${…}` are
// letters that nobody uses, each one character wide as before.
constexpr std::pair<char, const char*> hidden_signs[] = {{'{', "\uE100"}, {'}', "\uE101"}, {',', "\uE102"},
                                                         {'[', "\uE103"}, {']', "\uE104"}, {':', "\uE105"}};

std::string with_hidden_variables(std::string_view text) {
  std::string out;
  for (std::size_t from = 0;;) {
    const std::size_t begin = text.find("${", from);
    const std::size_t end = text.find_first_of("}\n", std::min(begin, text.size()));
    if (begin == std::string_view::npos || end == std::string_view::npos) return out.append(text.substr(from));
    out += text.substr(from, begin + 1 - from);
    from = begin + 1;
    if (text[end] == '\n') continue;
    for (; from <= end; ++from) {
      const auto* sign =
          std::find_if(std::begin(hidden_signs), std::end(hidden_signs), [&](const auto& s) { return s.first == text[from]; });
      if (sign == std::end(hidden_signs))
        out += text[from];
      else
        out += sign->second;
    }
  }
}

std::string with_shown_variables(const std::string& text) {
  if (text.find("\xEE\x84") == std::string::npos) return text;
  std::string out = text;
  for (const auto& [sign, hidden] : hidden_signs)
    for (std::size_t at; (at = out.find(hidden)) != std::string::npos;) out.replace(at, 3, 1, sign);
  return out;
}

class Builder : public YAML::EventHandler {
 public:
  Builder(const std::string& text, ErrorList* errors) : text_(text), errors_(errors) {
    ascii_ = std::none_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
  }

  std::optional<Tree> root;

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (!root) return;
    const Position at = position(mark);
    const auto start = static_cast<std::size_t>(std::max(mark.pos, 0));
    const bool marked = start < text_.size() && (text_.compare(start, 3, "---") == 0 || text_.compare(start, 3, "...") == 0);
    throw InputError(
        at, marked ? "a file holds one model, here a second YAML document begins"
                   : fmt::format("wrong indentation: this line begins in column {}, the first entry of the file in column "
                                 "{}; entries of one mapping begin in the same column",
                                 at.column, root->at.column));
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { leaf(node(Tree::Shape::null, mark), anchor); }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, const std::string& value) override {
    Tree tree = node(Tree::Shape::scalar, mark);
    refuse_tag(tag, tree.at);
    if (tag == "!" && is_open_quote(text_, static_cast<std::size_t>(std::max(mark.pos, 0))))
      throw InputError(tree.at, "the quote that is opened here is never closed");
    tree.text = with_shown_variables(value);
    tree.plain = tag != "!";
    tree.inside = columns_before(mark, value);
    leaf(std::move(tree), anchor);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(node(Tree::Shape::list, mark), tag, anchor);
  }
  void OnSequenceEnd() override { close(); }

  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, YAML::EmitterStyle::value) override {
    open(node(Tree::Shape::mapping, mark), tag, anchor);
  }
  void OnMapEnd() override { close(); }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const Position at = position(mark);
    const auto it = anchors_.find(anchor);
    if (it == anchors_.end()) throw InputError(at, "this alias refers to the value that contains it");
    const Anchored& target = it->second;
    count(target.values, at);
    if (open_.size() + target.height > limits::nesting) throw too_deep(at);
    add(target.tree);
  }

 private:
  // A list or mapping that is not finished; of a mapping, the key whose value comes next.
  struct Open {
    Tree tree;
    YAML::anchor_t anchor = 0;
    std::optional<Tree> key;
  };
  // What an alias copies, and how much that is.
  struct Anchored {
    Tree tree;
    std::size_t values = 1, height = 1;
  };

  static InputError too_deep(Position at) { return {at, fmt::format("nested more than {} levels deep", limits::nesting)}; }

  // Aliases of aliases can stand for more values than there are atoms; all values, written or copied, are counted.
  void count(std::size_t values, Position at) {
    values_ += values;
    if (values_ > limits::values)
      throw InputError(at, fmt::format("more than {} values in the file (long tables belong in CSV files)", limits::values));
  }

  static void refuse_tag(const std::string& tag, Position at) {
    if (!tag.empty() && tag != "?" && tag != "!")
      throw InputError(at, fmt::format("YAML tags are not allowed in a model, found '{}'", tag));
  }

  // yaml-cpp counts bytes; people count characters. (Absurdly long lines keep the bytes: counting would take forever.)
  Position position(const YAML::Mark& mark) const {
    Position at{mark.line + 1, mark.column + 1};
    constexpr int ordinary = 2000;
    if (ascii_ || mark.column > ordinary || mark.pos > static_cast<int>(text_.size()) || mark.pos < mark.column) return at;
    const auto end = text_.begin() + mark.pos;
    at.column = 1 + static_cast<int>(std::count_if(end - mark.column, end,
                                                   [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
    return at;
  }

  Tree node(Tree::Shape shape, const YAML::Mark& mark) const {
    Tree tree;
    tree.shape = shape;
    tree.at = position(mark);
    return tree;
  }

  // Columns between the start of a scalar and its first letter, when the file has its text letter by letter.
  int columns_before(const YAML::Mark& mark, const std::string& value) const {
    const auto start = static_cast<std::size_t>(std::max(mark.pos, 0));
    for (const std::size_t skip : {0, 1})
      if (start + skip < text_.size() && text_.compare(start + skip, value.size(), value) == 0) return static_cast<int>(skip);
    return -1;
  }

  void leaf(Tree tree, YAML::anchor_t anchor) {
    count(1, tree.at);
    if (anchor) anchors_[anchor] = {tree, 1, 1};
    add(std::move(tree));
  }

  void open(Tree tree, const std::string& tag, YAML::anchor_t anchor) {
    refuse_tag(tag, tree.at);
    count(1, tree.at);
    if (open_.size() >= limits::nesting) throw too_deep(tree.at);
    open_.push_back({std::move(tree), anchor, std::nullopt});
  }

  void close() {
    Open done = std::move(open_.back());
    open_.pop_back();
    refuse_split_expressions(done.tree);
    if (done.tree.is_mapping()) {
      refuse_duplicates(done.tree);
      merge(done.tree);
    }
    if (done.anchor) {
      const auto [values, height] = extent(done.tree);
      count(values, done.tree.at);  // the copy kept for the aliases takes memory as well
      anchors_[done.anchor] = {done.tree, values, height};
    }
    add(std::move(done.tree));
  }

  static std::pair<std::size_t, std::size_t> extent(const Tree& tree) {
    std::size_t values = 1, height = 0;
    for (const Tree& child : tree.children) {
      const auto [v, h] = extent(child);
      values += v;
      height = std::max(height, h);
    }
    return {values, height + 1};
  }

  void add(Tree tree) {
    if (open_.empty()) {
      root = std::move(tree);
      return;
    }
    Open& parent = open_.back();
    if (parent.tree.is_list()) {
      parent.tree.children.push_back(std::move(tree));
    } else if (!parent.key) {
      if (!tree.is_scalar()) throw InputError(tree.at, fmt::format("a key must be a word, found {}", found(tree)));
      parent.key = std::move(tree);
    } else {
      tree.key = std::move(parent.key->text);
      tree.key_at = parent.key->at;
      parent.key.reset();
      parent.tree.children.push_back(std::move(tree));
    }
  }

  // A mistake after which the tree still makes sense.
  void refuse(const InputError& error) {
    if (!errors_) throw error;
    errors_->add(error);
  }

  void refuse_duplicates(Tree& mapping) {
    std::unordered_map<std::string_view, int> seen;
    std::vector<std::size_t> again;
    for (std::size_t i = 0; i < mapping.children.size(); ++i) {
      const Tree& child = mapping.children[i];
      const auto [first, is_new] = seen.try_emplace(child.key, child.key_at.line);
      if (is_new) continue;
      refuse(InputError(child.key_at, fmt::format("'{}' is given twice (first in line {})", child.key, first->second)));
      again.push_back(i);
    }
    for (auto i = again.rbegin(); i != again.rend(); ++i)
      mapping.children.erase(mapping.children.begin() + static_cast<std::ptrdiff_t>(*i));
  }

  // Commas inside { } and [ ] end a value: `{value: max(1, 2)}` is `value: max(1` and a key `2)`, `{mass: 2,5}` a key `5`.
  void refuse_split_expressions(Tree& tree) {
    constexpr std::size_t arguments = 16;  // of a function, at most
    for (std::size_t i = 0; i + 1 < tree.children.size(); ++i) {
      if (!tree.children[i].plain || !is_rest(tree, i + 1)) continue;
      std::string whole = tree.children[i].text;
      const bool decimal = tree.is_mapping() && digits(whole) && digits(tree.children[i + 1].key);
      std::size_t end = i + 1;
      for (; end < tree.children.size() && end < i + arguments && open_parentheses(whole) > 0 && is_rest(tree, end); ++end)
        whole += ", " + rest_of(tree, end);
      const bool split = end > i + 1 && open_parentheses(whole) == 0;
      if (!split && !decimal) continue;
      const std::string begin = tree.children[i].text;
      const Position at = tree.children[i].at;
      refuse(InputError(
          at, split ? fmt::format("the comma ends the value '{}': put the expression in quotes, as in \"{}\"", begin, whole)
                    : fmt::format("the comma ends the value '{0}': decimals have a point, as in {0}.{1}", begin,
                                  tree.children[i + 1].key)));
      tree.children[i].text = "1";  // so that nothing else is said about it
      tree.children.erase(tree.children.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                          tree.children.begin() + static_cast<std::ptrdiff_t>(split ? end : i + 2));
    }
  }
  static int open_parentheses(std::string_view text) {
    return static_cast<int>(std::count(text.begin(), text.end(), '(') - std::count(text.begin(), text.end(), ')'));
  }
  static bool digits(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return is_digit(c); });
  }
  // What follows a comma and is no entry of its own: in a mapping a key without a value.
  static bool is_rest(const Tree& tree, std::size_t i) {
    const Tree& child = tree.children[i];
    return tree.is_mapping() ? child.shape == Tree::Shape::null : child.is_scalar() && child.plain;
  }
  static const std::string& rest_of(const Tree& tree, std::size_t i) {
    return tree.is_mapping() ? tree.children[i].key : tree.children[i].text;
  }

  // `<<: *other` takes over the entries of another mapping, or of several, that are not given here.
  static void merge(Tree& mapping) {
    const auto it = std::find_if(mapping.children.begin(), mapping.children.end(), [](const Tree& c) { return c.key == "<<"; });
    if (it == mapping.children.end()) return;
    Tree source = std::move(*it);
    mapping.children.erase(it);
    std::vector<Tree> sources;
    if (source.is_list())
      sources = std::move(source.children);
    else
      sources.push_back(std::move(source));

    std::unordered_set<std::string> seen;
    for (const Tree& child : mapping.children) seen.insert(child.key);
    for (Tree& from : sources) {
      if (!from.is_mapping()) throw InputError(from.at, fmt::format("'<<' must be a mapping, found {}", found(from)));
      for (Tree& child : from.children)
        if (seen.insert(child.key).second) mapping.children.push_back(std::move(child));
    }
  }

  const std::string& text_;
  ErrorList* errors_;
  bool ascii_ = false;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, Anchored> anchors_;
  std::size_t values_ = 0;
};

std::optional<YamlMistake> parse(const std::string& text, Builder& builder) {
  try {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
    return {};
  } catch (const YAML::Exception& e) {
    const bool somewhere = !e.mark.is_null();
    YamlMistake mistake = yaml_mistake(text, somewhere ? Position{e.mark.line + 1, e.mark.column + 1} : Position{1, 1}, e.msg);
    mistake.error = InputError(mistake.error.where(), with_shown_variables(mistake.error.message()));
    return mistake;
  }
}

}  // namespace

Tree yaml_tree(std::string_view bytes, ErrorList* errors) {
  if (const std::string kind = foreign_kind(bytes); !kind.empty())
    throw InputError({1, 1},
                     fmt::format("this is {}, not a file that Aleator reads: models are YAML (docs/model-language.md)", kind));
  std::string text = with_hidden_variables(plain_text(bytes));
  constexpr int most = 20;  // mistakes after which reading goes on
  for (int repairs = 0;; ++repairs) {
    Builder builder(text, errors);
    std::optional<YamlMistake> mistake = parse(text, builder);
    if (mistake && errors && !mistake->repaired.empty() && repairs < most) {
      errors->add(mistake->error);
      text = std::move(mistake->repaired);
      continue;
    }
    if (mistake) throw mistake->error;
    if (!builder.root || builder.root->shape == Tree::Shape::null) throw InputError({1, 1}, "the file is empty");
    return std::move(*builder.root);
  }
}

std::string found(const Tree& tree) {
  switch (tree.shape) {
    case Tree::Shape::null:
      return "nothing";
    case Tree::Shape::mapping:
      return "a mapping";
    case Tree::Shape::list:
      return tree.children.empty() ? "an empty list" : fmt::format("a list of {}", tree.children.size());
    case Tree::Shape::scalar:
      break;
  }
  constexpr std::size_t longest = 60;
  if (tree.text.size() <= longest) return fmt::format("'{}'", tree.text);
  std::size_t end = longest;  // cut between characters, not inside one
  while (end > 0 && (static_cast<unsigned char>(tree.text[end]) & 0xC0U) == 0x80U) --end;
  return fmt::format("'{}...'", tree.text.substr(0, end));
}

}  // namespace aleator::core::input
