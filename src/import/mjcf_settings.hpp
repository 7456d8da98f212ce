// MJCF before its bodies: included files, compiler settings, classes of defaults, assets, and how orientations are written.
#pragma once

#include <deque>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "import/mechanism.hpp"

namespace aleator::core::importing {

// An element, and those of the classes of defaults that it belongs to, the nearest first: an attribute is that of the first that has it.
struct Attributes {
  Element own;
  std::vector<Element> defaults = {};

  const Element& holder(const char* attribute) const;  // the element itself where none has it
  bool has(const char* attribute) const { return holder(attribute).has(attribute); }
  std::string text(const char* a, std::string_view fallback = "") const { return holder(a).text(a, fallback); }
  double number(const char* a, double fallback) const { return holder(a).number(a, fallback); }
  Vector vector(const char* a, const Vector& fallback) const { return holder(a).vector(a, fallback); }
  std::vector<double> numbers(const char* a, std::size_t least, std::size_t most) const {
    return holder(a).numbers(a, least, most);
  }
  Place place(const char* a) const { return holder(a).place(a); }
};

struct MeshAsset {
  std::string reference;
  Vector scale{1, 1, 1};
  Place place;
};

class MjcfSettings {
 public:
  MjcfSettings(const XmlFile& xml, const FileSource& files) : xml_(xml), files_(files) {}

  // The children of an element, with those of included files in place of <include>.
  const std::vector<Element>& children(const Element& e);
  void read(const std::vector<Element>& sections, Mechanism& m);

  // `around`: the class of the bodies around it.
  Attributes attributes(const Element& e, const std::string& around);
  // pos, and one of quat, axisangle, euler, xyaxes, zaxis.
  Pose pose(const Attributes& a) const;
  Matrix orientation(const Attributes& a) const;
  double angle(double x) const { return degrees ? x * 0.017453292519943295 : x; }
  std::string color(const Attributes& geom) const;

  bool degrees = true, autolimits = true, balance = false;
  std::string eulerseq = "xyz", meshdir, inertia_from_geom = "auto";
  double total_mass = -1, least_mass = 0;
  int first_group = 0, last_group = 5;
  std::map<std::string, MeshAsset> meshes;

 private:
  void read_compiler(const Element& e, Mechanism& m);
  void read_option(const Element& e, Mechanism& m);
  void read_default(const Element& e, const std::string& parent, int depth);
  void read_asset(const Element& e, Mechanism& m);

  const XmlFile& xml_;
  const FileSource& files_;
  std::deque<XmlFile> included_;
  std::set<std::string> names_;                           // of included files
  std::map<const void*, std::vector<Element>> children_;  // by node: files are included once
  struct Class {
    std::string parent;
    std::vector<Element> parts;
  };
  std::map<std::string, Class> classes_;
  std::map<std::string, std::string> materials_;
};

// mjcf_geoms.cpp: what a <geom> is drawn as, and its mass in the axes of the link. False: it has neither (planes, fields of heights).
bool read_geom(const Attributes& geom, MjcfSettings& settings, const FileSource& files, const ImportOptions& options,
               const std::string& description, Shape& shape, MassProperties& mass, std::vector<Note>& notes);

}  // namespace aleator::core::importing
