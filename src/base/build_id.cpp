#include "base/build_id.hpp"

#include <algorithm>
#include <string>

#include "build_version.hpp"  // generated, see cmake/Version.cmake

namespace aleator::core {

namespace {

struct Text {
  char characters[sizeof build::version + sizeof build::commit + sizeof __VERSION__ + 16] = {};
  std::size_t length = 0;
};

constexpr Text joined() {
  Text text;
  for (const std::string_view part : {std::string_view("Aleator "), std::string_view(build::version), std::string_view(" "),
                                      std::string_view(build::commit), std::string_view(" "), std::string_view(__VERSION__)}) {
    std::copy(part.begin(), part.end(), text.characters + text.length);
    text.length += part.size();
  }
  return text;
}

// One text in the file, whoever optimises: it is looked for there.
[[gnu::used]] constinit const Text id = joined();

}  // namespace

std::string_view build_id() { return {id.characters, id.length}; }

}  // namespace aleator::core
