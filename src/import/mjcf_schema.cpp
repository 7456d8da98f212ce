#include "import/mjcf_schema.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

namespace aleator::core::importing {

namespace {

// Attributes, with spaces between them. Those of all versions of MuJoCo since 2.1: files outlive them.
struct Known {
  std::string_view element;  // with its section where the name alone is not enough
  std::string_view read;
  std::string_view noted = "";   // change the motion or an output in MuJoCo, and are left out
  std::string_view silent = "";  // change contacts, looks, MuJoCo's own solver or nothing
};

constexpr Known schema[] = {
    {"mujoco", "model"},
    {"compiler",
     "angle assetdir autolimits balanceinertia boundinertia boundmass coordinate eulerseq inertiafromgeom inertiagrouprange "
     "meshdir "
     "settotalmass strippath",
     "", "alignfree conflict convexhull discardvisual exactmeshinertia fitaabb fusestatic saveinertial texturedir usethread"},
    {"option", "gravity wind density viscosity", "",
     "actuatorgroupdisable apirate ccd_iterations ccd_tolerance collision cone impratio integrator iterations jacobian "
     "ls_iterations "
     "ls_tolerance magnetic mpr_iterations mpr_tolerance noslip_iterations noslip_tolerance o_friction o_margin o_solimp "
     "o_solref "
     "sdf_initpoints sdf_iterations sleep_tolerance solver timestep tolerance"},
    {"flag",
     "actuation autoreset clampctrl constraint contact damper diagexact energy equality eulerdamp filterparent frictionloss "
     "fwdinv "
     "gravity invdiscrete island limit midphase multiccd nativeccd override passive refsafe sensor sensornoise sleep spring "
     "warmstart"},
    {"default", "class"},
    {"body", "axisangle childclass euler gravcomp mocap name pos quat xyaxes zaxis", "", "simple sleep user"},
    {"frame", "axisangle childclass euler name pos quat xyaxes zaxis"},
    {"inertial", "axisangle diaginertia euler fullinertia mass pos quat xyaxes zaxis"},
    {"joint", "armature axis class damping frictionloss limited name pos range ref springdamper springref stiffness type",
     "margin solimpfriction solimplimit solreffriction solreflimit",
     "actuatorfrclimited actuatorfrcrange actuatorgravcomp group user"},
    {"freejoint", "name", "", "align group"},
    {"geom",
     "axisangle class density euler fromto group mass material mesh name pos quat rgba shellinertia size type xyaxes zaxis", "",
     "adhesion conaffinity condim contype fitscale fluidcoef fluidshape friction gap hfield margin priority solimp solmix solref "
     "surfacevel user"},
    {"site", "axisangle class euler fromto name pos quat xyaxes zaxis", "", "group material rgba size type user"},
    {"mesh", "class file inertia name refpos refquat scale", "",
     "builtin content_type face material maxhullvert normal params smoothnormal texcoord vertex"},
    {"material", "class name rgba", "",
     "emission metallic reflectance roughness shininess specular texrepeat texture texuniform"},
    {"default/equality", "active", "", "class name solimp solref"},
    {"equality/connect", "active anchor body1 body2 class name site1 site2", "", "solimp solref"},
    {"equality/weld", "active anchor body1 body2 class name relpose site1 site2", "", "solimp solref torquescale"},
    {"equality/joint", "active class joint1 joint2 name polycoef", "", "solimp solref"},
    {"sensor", "joint name objname objtype refname reftype site", "cutoff delay", "interp interval noise nsample user"},
};

constexpr std::string_view read_sensors[] = {"jointpos",    "jointvel",    "framepos",  "framelinvel", "frameangvel",
                                             "framelinacc", "frameangacc", "framequat", "gyro",        "velocimeter"};

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (end > 0) out.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

bool is_word(std::string_view word, std::string_view text) {
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || text[at - 1] == ' ') && (end == text.size() || text[end] == ' ')) return true;
  }
  return false;
}

class SchemaCheck {
 public:
  SchemaCheck(MjcfSettings& settings, Mechanism& m, input::ErrorList& errors) : settings_(settings), m_(m), errors_(errors) {}

  void section(const Element& e) {
    const std::string_view name = e.name();
    if (name == "compiler" || name == "option") attributes(e, name);
    if (name == "option") children(e, [&](const Element& c) { option(c); });
    if (name == "default") defaults(e);
    if (name == "asset") children(e, [&](const Element& c) { asset(c); });
    if (name == "worldbody") children(e, [&](const Element& c) { in_body(c); });
    if (name == "equality") children(e, [&](const Element& c) { attributes(c, fmt::format("equality/{}", c.name())); });
    if (name == "sensor") children(e, [&](const Element& c) { sensor(c); });
  }

  // Of elements that are not in the table, nothing is said.
  void attributes(const Element& e, std::string_view row) {
    const auto* const known =
        std::find_if(std::begin(schema), std::end(schema), [&](const Known& k) { return k.element == row; });
    if (known == std::end(schema)) return;
    for (const pugi::xml_attribute& a : e.node.attributes()) errors_.attempt([&] { attribute(e, a.name(), *known); });
  }

  GivenNames names;

 private:
  template <class F>
  void children(const Element& e, F&& f) {
    errors_.attempt([&] {
      for (const Element& child : settings_.children(e)) f(child);
    });
  }

  void attribute(const Element& e, std::string_view name, const Known& known) {
    if (is_word(name, known.read) || is_word(name, known.silent)) return;
    if (name.find(':') != std::string_view::npos || name == "xmlns") return;  // of XML, not of MuJoCo
    if (is_word(name, known.noted)) return m_.note(e.place(name), fmt::format("<{}>: '{}' is left out", e.name(), name));
    const std::vector<std::string> all = words_of(fmt::format("{} {} {}", known.read, known.noted, known.silent));
    throw error_at(e.place(name),
                   fmt::format("<{}>: MuJoCo has no attribute '{}'{}", e.name(), name, input::suggestion(name, all)));
  }

  void option(const Element& e) {
    if (e.name() == "flag") return attributes(e, "flag");
    errors_.attempt([&] { leave_out(e, {"flag"}, m_); });
  }

  void defaults(const Element& e) {
    attributes(e, "default");
    children(e, [&](const Element& c) {
      const std::string_view name = c.name();
      if (name == "default") return defaults(c);
      if (name == "equality") return attributes(c, "default/equality");
      if (name == "joint" || name == "geom" || name == "site" || name == "mesh" || name == "material") return attributes(c, name);
      // Of what is left out itself.
      static constexpr std::string_view others =
          "camera light pair tendon general motor position velocity intvelocity orientation pid damper cylinder muscle adhesion "
          "dcmotor plugin";
      std::vector<std::string> known = words_of(others);
      for (const char* own : {"default", "joint", "geom", "site", "mesh", "material", "equality"}) known.emplace_back(own);
      if (!is_word(name, others)) errors_.attempt([&] { leave_out(c, known, m_); });
    });
  }

  void asset(const Element& e) {
    if (e.name() == "mesh" || e.name() == "material") attributes(e, e.name());
  }

  void in_body(const Element& e) {
    const std::string_view name = e.name();
    if (name != "body" && name != "frame" && name != "inertial" && name != "joint" && name != "freejoint" && name != "geom" &&
        name != "site")
      return;
    attributes(e, name);
    if (name == "body" && e.has("name")) names.bodies.insert(e.text("name"));
    if ((name == "joint" || name == "freejoint") && e.has("name")) names.joints.insert(e.text("name"));
    if (name == "body" || name == "frame") children(e, [&](const Element& c) { in_body(c); });
  }

  void sensor(const Element& e) {
    if (std::find(std::begin(read_sensors), std::end(read_sensors), e.name()) != std::end(read_sensors)) attributes(e, "sensor");
  }

  MjcfSettings& settings_;
  Mechanism& m_;
  input::ErrorList& errors_;
};

}  // namespace

GivenNames check_schema(MjcfSettings& settings, const Element& top, Mechanism& m, input::ErrorList& errors) {
  SchemaCheck check(settings, m, errors);
  check.attributes(top, "mujoco");
  for (const Element& e : settings.children(top)) check.section(e);
  return std::move(check.names);
}

void leave_out(const Element& e, const std::vector<std::string>& known, Mechanism& m) {
  const std::string near = input::suggestion(e.name(), known);
  if (near.starts_with(" (did you mean")) throw error_at(e.place(), fmt::format("unknown element <{}>{}", e.name(), near));
  m.note(e.place(), fmt::format("<{}> is left out", e.name()));
}

}  // namespace aleator::core::importing
