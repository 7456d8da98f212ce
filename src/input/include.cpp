#include "input/include.hpp"

#include <algorithm>
#include <filesystem>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "input/referred_files.hpp"

namespace aleator::core::input {
namespace {

bool is_single(const Language& language, std::string_view key) {
  return std::any_of(language.top.begin(), language.top.end(), [&](const Field& f) { return f.key == key; });
}

bool same_content(const Tree& a, const Tree& b) {
  return a.shape == b.shape && a.key == b.key && a.text == b.text &&
         std::equal(a.children.begin(), a.children.end(), b.children.begin(), b.children.end(), same_content);
}

// One block or a list of them each.
Tree both_lists(Tree first, Tree second) {
  Tree all = second;
  all.shape = Tree::Shape::list;
  all.children.clear();
  for (Tree* from : {&first, &second})
    if (from->is_list())
      std::move(from->children.begin(), from->children.end(), std::back_inserter(all.children));
    else
      all.children.push_back(std::move(*from));
  return all;
}

std::size_t values_in(const Tree& tree) {
  std::size_t count = 1;
  for (const Tree& child : tree.children) count += values_in(child);
  return count;
}

void merge_entries(Tree& into, Tree from, const std::string& file, ErrorList& errors) {
  std::unordered_map<std::string_view, Position> known;
  for (const Tree& entry : into.children) known.emplace(entry.key, entry.key_at);
  std::vector<Tree> all;
  for (Tree& entry : from.children) {
    if (const auto it = known.find(entry.key); it != known.end())
      errors.add(
          InputError(it->second, fmt::format("'{}' is given twice (also in {})", entry.key, place_text(file, entry.key_at))));
    else
      all.push_back(std::move(entry));
  }
  std::move(into.children.begin(), into.children.end(), std::back_inserter(all));
  into.children = std::move(all);
}

class Includer {
 public:
  Includer(const Language& language, Sources& sources, ErrorList& errors)
      : language_(language), sources_(sources), errors_(errors) {}

  // The files that a tree includes, merged into it.
  void into(Tree& top) {
    const auto it = std::find_if(top.children.begin(), top.children.end(), [](const Tree& c) { return c.key == "include"; });
    if (it == top.children.end()) return;
    const Tree list = std::move(*it);
    top.children.erase(it);
    Tree all;
    all.shape = Tree::Shape::mapping;
    all.at = top.at;
    const auto add = [&](const Tree& name) {
      errors_.attempt([&] {
        Tree tree;
        if (!read(name, tree)) return;
        std::erase_if(tree.children, [&](const Tree& c) { return is_single(language_, c.key) && top.find(c.key); });
        merge(tree, std::move(all), SingleKeys::must_agree);
        all = std::move(tree);
      });
    };
    const Place place{"", "include"};
    if (list.is_list() && !list.children.empty())
      for (const Tree& name : list.children) add(name);
    else if (list.is_scalar())
      add(list);
    else
      errors_.add(place.wrong(list, "the name of a file, or a list of names"));
    merge(top, std::move(all), SingleKeys::into_wins);
  }

 private:
  void merge(Tree& into, Tree from, SingleKeys single) {
    merge_sections(into, std::move(from), language_, single, sources_.file, errors_);
  }

  // Whether it was not there yet.
  bool read(const Tree& reference, Tree& tree) {
    const Place place{"", "include"};
    if (!reference.is_scalar() || reference.text.empty()) throw place.wrong(reference, "the name of a file");
    const std::string name = std::filesystem::path(referred_name(reference)).lexically_normal().generic_string();
    refuse_cycle(name, reference, place);
    if (open_.size() >= limits::include_depth)
      throw place.error(reference.at, fmt::format("goes more than {} files deep", limits::include_depth));
    if (!done_.insert(name).second) return false;
    if (done_.size() > limits::included_files)
      throw LastError(
          place.error(reference.at, fmt::format("is too much: at most {} files are read", limits::included_files)).mistakes());
    const std::string bytes = referred_bytes(sources_.access, sources_.given, sources_.files, reference, place);
    total_ += bytes.size();
    if (total_ > limits::file_mib << 20)
      throw LastError(
          place.error(reference.at, fmt::format("is too much: all files have at most {} MiB", limits::file_mib)).mistakes());
    const Origin* origin =
        sources_.add({sources_.access.path_of(name), std::filesystem::path(name).parent_path().generic_string()});
    tree = tree_of(bytes, origin->file);
    set_origin(tree, origin);
    values_ += values_in(tree);  // aliases may stand for more than there are bytes
    if (values_ > limits::values)
      throw LastError(
          place.error(reference.at, fmt::format("is too much: all files have at most {} values", limits::values)).mistakes());
    if (!tree.is_mapping())
      throw InputError(tree.at, fmt::format("an included file must be a mapping of sections, found {}", found(tree)));
    open_.push_back(name);
    into(tree);
    open_.pop_back();
    return true;
  }

  void refuse_cycle(const std::string& name, const Tree& reference, const Place& place) const {
    const std::string model = std::filesystem::path(sources_.file).filename().generic_string();
    if (name == model) throw place.error(reference.at, fmt::format("is a circle: {} is the model itself", name));
    const auto it = std::find(open_.begin(), open_.end(), name);
    if (it == open_.end()) return;
    throw place.error(reference.at, fmt::format("is a circle: {} -> {}", fmt::join(it, open_.end(), " -> "), name));
  }

  // Mistakes in it have its name.
  Tree tree_of(const std::string& bytes, const std::string& file) {
    ErrorList own;
    Tree tree;
    own.collect([&] { tree = yaml_tree(bytes, &own); });
    try {
      own.raise(file);
    } catch (const InputError& error) {
      if (tree.shape == Tree::Shape::null) throw;
      errors_.add(error);
    }
    return tree;
  }

  const Language& language_;
  Sources& sources_;
  ErrorList& errors_;
  std::vector<std::string> open_;  // files that are being read
  std::unordered_set<std::string> done_;
  std::size_t total_ = 0, values_ = 0;  // bytes and values of all
};

}  // namespace

void set_origin(Tree& tree, const Origin* origin) {
  tree.at.origin = tree.key_at.origin = origin;
  for (Tree& child : tree.children) set_origin(child, origin);
}

void merge_sections(Tree& into, Tree from, const Language& language, SingleKeys single, const std::string& file,
                    ErrorList& errors) {
  std::vector<Tree> first;
  for (Tree& section : from.children) {
    const auto there =
        std::find_if(into.children.begin(), into.children.end(), [&](const Tree& c) { return c.key == section.key; });
    if (there == into.children.end()) {
      first.push_back(std::move(section));
    } else if (is_single(language, section.key)) {
      if (single == SingleKeys::must_agree && !same_content(*there, section))
        errors.add(
            InputError(there->key_at, fmt::format("'{}' differs from that in {}: only the file that includes both may decide it",
                                                  section.key, place_text(file, section.key_at))));
    } else if (section.key == "repeat") {
      *there = both_lists(std::move(section), std::move(*there));
    } else if (there->is_mapping() && section.is_mapping()) {
      merge_entries(*there, std::move(section), file, errors);
    } else if (!there->is_mapping() && section.is_mapping()) {
      // what is wrong with the other one is told when it is read
    } else {
      errors.add(InputError(section.at, fmt::format("'{}' must be a mapping of names, found {}", section.key, found(section))));
    }
  }
  std::move(into.children.begin(), into.children.end(), std::back_inserter(first));
  into.children = std::move(first);
}

void include_files(Tree& top, const Language& language, Sources& sources, ErrorList& errors) {
  if (top.is_mapping()) Includer(language, sources, errors).into(top);
}

}  // namespace aleator::core::input
