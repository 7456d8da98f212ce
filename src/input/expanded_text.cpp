#include "input/expanded_text.hpp"

#include <filesystem>

#include "input/edit_text.hpp"
#include "input/expand.hpp"
#include "input/include.hpp"
#include "input/referred_files.hpp"

namespace aleator::core::input {
namespace {

void name_files_from_the_model(Tree& tree) {
  if (tree.is_scalar() && (tree.key == "file" || tree.key == "mesh")) tree.text = referred_name(tree);
  for (Tree& child : tree.children) name_files_from_the_model(child);
}

}  // namespace

std::string expanded_text(const Description& model, const Language& language) {
  ErrorList errors;
  Tree top;
  errors.collect([&] {
    top = yaml_tree(model.text, &errors);
    Sources sources{model.file, {std::filesystem::path(model.file).parent_path().string(), {}}, &model.files};
    include_files(top, language, sources, errors);
    expand_model(top, language, sources, errors);
    name_files_from_the_model(top);
  });
  errors.raise(model.file);
  std::erase_if(top.children, [](const Tree& section) { return section.key == "functions"; });  // where they are used
  return text_of_sections(top);
}

}  // namespace aleator::core::input
