#include "input/foreign_files.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "input/text.hpp"

namespace aleator::core::input {

namespace {

constexpr std::pair<std::string_view, std::string_view> beginnings[] = {
    {std::string_view("\x89HDF"), "an HDF5 file; results are read by `aleator report`, `export` and `compare`"},
    {std::string_view("PK\x03\x04"), "a ZIP archive"},
    {std::string_view("\x1f\x8b"), "a file compressed by gzip"},
    {std::string_view("%PDF"), "a PDF document"},
    {std::string_view("\x89PNG"), "a picture (PNG)"},
    {std::string_view("\x7f"
                      "ELF"),
     "a program"},
};

constexpr std::pair<std::string_view, std::string_view> roots[] = {
    {"robot", "a robot description (URDF, an XML file), of which `aleator import` makes a model"},
    {"mujoco", "a model of MuJoCo (MJCF, an XML file), of which `aleator import` makes a model"},
    {"sdf", "a simulation description (SDF, an XML file)"},
    {"OpenSimDocument", "a model of OpenSim (an XML file)"},
    {"html", "a web page (HTML)"},
};

// The name of the first element of an XML text; empty where there is none near the beginning.
std::string_view first_element(std::string_view text) {
  constexpr std::size_t far = 10'000;
  text = text.substr(0, far);
  for (std::size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at + 1)) {
    const std::string_view rest = text.substr(at + 1);
    if (rest.starts_with("!--")) {
      at = text.find("-->", at);
      if (at == std::string_view::npos) return "";
      continue;
    }
    if (rest.empty() || !is_letter(rest[0])) continue;  // <?xml …?>, <!DOCTYPE …>
    std::size_t n = 0;
    while (n < rest.size() && (is_letter(rest[n]) || is_digit(rest[n]) || rest[n] == '-' || rest[n] == ':')) ++n;
    return rest.substr(0, n);
  }
  return "";
}

}  // namespace

std::string foreign_kind(std::string_view bytes) {
  for (const auto& [begin, what] : beginnings)
    if (bytes.starts_with(begin)) return std::string(what);
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  while (!bytes.empty() && (is_blank(bytes.front()) || bytes.front() == '\r')) bytes.remove_prefix(1);
  if (bytes.size() < 2 || bytes[0] != '<' || !(bytes[1] == '?' || bytes[1] == '!' || is_letter(bytes[1]))) return "";
  const std::string_view root = first_element(bytes);
  for (const auto& [name, what] : roots)
    if (root == name) return std::string(what);
  return root.empty() ? "an XML file" : fmt::format("an XML file (<{}>)", root);
}

}  // namespace aleator::core::input
