#include "input/edit_text.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "base/json.hpp"
#include "input/yaml_tree.hpp"

namespace aleator::core::input {
namespace {

// In one line, as YAML and JSON both read it.
void write_flow(const Tree& tree, std::string& out) {
  const auto list = [&](char open, char close, bool keys) {
    out += open;
    for (const Tree& child : tree.children) {
      if (&child != &tree.children.front()) out += ", ";
      if (keys) out += child.key + ": ";  // words (yaml_tree.hpp)
      write_flow(child, out);
    }
    out += close;
  };
  switch (tree.shape) {
    case Tree::Shape::null:
      out += "null";
      break;
    case Tree::Shape::scalar:
      // What a plain scalar may not contain inside brackets, it did not contain there, or was written outside of them.
      out +=
          tree.plain && tree.text.find_first_of(",[]{}:#\n") == std::string::npos ? tree.text : Json().string(tree.text).take();
      break;
    case Tree::Shape::list:
      list('[', ']', false);
      break;
    case Tree::Shape::mapping:
      list('{', '}', true);
      break;
  }
}

Tree* child_of(Tree& tree, const std::string& key) {
  const auto found = std::find_if(tree.children.begin(), tree.children.end(), [&](const Tree& c) { return c.key == key; });
  return found == tree.children.end() ? nullptr : &*found;
}

void put(Tree& tree, std::span<const std::string> path, const std::optional<Tree>& value) {
  if (!tree.is_mapping()) {
    tree.shape = Tree::Shape::mapping;
    tree.children.clear();
  }
  Tree* child = child_of(tree, path[0]);
  if (!value && !child) return;
  if (!child) {
    tree.children.emplace_back().key = path[0];
    child = &tree.children.back();
  }
  if (path.size() > 1) {
    put(*child, path.subspan(1), value);
  } else if (value) {
    *child = *value;
    child->key = path[0];
  }
  if (!value && (path.size() == 1 || (child->is_mapping() && child->children.empty())))
    std::erase_if(tree.children, [&](const Tree& c) { return c.key == path[0]; });
}

// A section, an entry to a line.
std::string section_text(const Tree& section) {
  std::string out = section.key + ":";
  if (!section.is_mapping() || section.children.empty()) {
    out += ' ';
    write_flow(section, out);
    return out + "\n";
  }
  out += '\n';
  for (const Tree& child : section.children) {
    out += "  " + child.key + ": ";
    write_flow(child, out);
    out += '\n';
  }
  return out;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size() - 1) + 1;
    lines.push_back(text.substr(from, end - from));
    from = end;
  }
  if (!lines.empty() && lines.back().back() != '\n') lines.back() += '\n';
  return lines;
}

// The text without a section whose keys at the top begin their lines.
std::string without_section(const std::string& text, const Tree& top, const Tree& section) {
  std::vector<std::string> lines = lines_of(text);
  int end = int(lines.size()) + 1;  // the line after it
  for (const Tree& other : top.children)
    if (other.key_at.line > section.key_at.line) end = std::min(end, other.key_at.line);
  // Comments and empty lines before the next section belong to that.
  const auto is_remark = [](const std::string& line) {
    const std::size_t first = line.find_first_not_of(" \t\r\n");
    return first == std::string::npos || line[first] == '#';
  };
  while (end - 1 > section.key_at.line && is_remark(lines[std::size_t(end) - 2])) --end;
  std::string out;
  for (int i = 1; i <= int(lines.size()); ++i)
    if (i < section.key_at.line || i >= end) out += lines[std::size_t(i) - 1];
  return out;
}

std::string everything(const Tree& top) {
  std::string out;
  for (const Tree& section : top.children) out += section_text(section);
  return out;
}

bool same(const Tree& a, const Tree& b) {
  return a.shape == b.shape && a.key == b.key && a.text == b.text &&
         std::equal(a.children.begin(), a.children.end(), b.children.begin(), b.children.end(), same);
}

}  // namespace

std::string text_of_sections(const Tree& top) { return everything(top); }

std::string with_entry(const std::string& text, std::span<const std::string> path, const std::string& value) {
  const Tree before = yaml_tree(text);
  std::optional<Tree> entry;
  if (!value.empty()) entry = yaml_tree(value);
  Tree after = before;
  put(after, path, entry);
  // What was there stays as it is written, unless it is needed elsewhere (an anchor) or the file is one mapping in brackets.
  const Tree* old = before.find(path[0]);
  const Tree* section = after.find(path[0]);
  const bool lines =
      std::all_of(before.children.begin(), before.children.end(), [](const Tree& c) { return c.key_at.column == 1; });
  if (lines) {
    std::string kept = old ? without_section(text, before, *old) : text;
    if (!kept.empty() && kept.back() != '\n') kept += '\n';
    if (section) kept += section_text(*section);
    Tree moved = after;
    if (section)
      std::rotate(moved.children.begin() + (section - after.children.data()),
                  moved.children.begin() + (section - after.children.data()) + 1, moved.children.end());
    try {
      if (same(yaml_tree(kept), moved)) return kept;
    } catch (const InputError&) {
    }
  }
  return everything(after);
}

}  // namespace aleator::core::input
