// MJCF before its bodies: included files, compiler settings, classes of defaults, assets, and how orientations are written.
#pragma once

#include <deque>
#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "import/mechanism.hpp"
#include "meshes/solid.hpp"

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
  std::string reference;  // empty: it is not in a file
  Vector scale{1, 1, 1};
  Place place;
};

class MjcfSettings {
 public:
  MjcfSettings(const XmlFile& xml, const FileSource& files) : xml_(xml), files_(files) {}

  // The children of an element, with those of included files in place of <include>.
  const std::vector<Element>& children(const Element& e);
  void read(const std::vector<Element>& sections, Mechanism& m);

  // `around`: the class of the bodies around it; `kind`: what classes call it, if not by its name.
  Attributes attributes(const Element& e, const std::string& around, std::string_view kind = "");
  // The class that a body or frame gives to what is in it; `around` where it gives none.
  std::string childclass(const Element& e, const std::string& around) const;
  // pos, and one of quat, axisangle, euler, xyaxes, zaxis: that of the element counts before those of its classes.
  Pose pose(const Attributes& a) const;
  Matrix orientation(const Attributes& a) const;
  static Attributes holder_of_orientation(const Attributes& a);  // the element alone that gives it, or none
  double angle(double x) const { return degrees ? x * 0.017453292519943295 : x; }
  std::string color(const Attributes& geom) const;

  bool degrees = true, autolimits = true, balance = false;
  std::string eulerseq = "xyz", meshdir, inertia_from_geom = "auto";
  double total_mass = -1, least_mass = 0, least_inertia = 0;
  int first_group = 0, last_group = 5;
  std::map<std::string, MeshAsset> meshes;
  // What <flag> enables: without `constraint` there is no equality, limit or friction.
  struct Flags {
    bool gravity = true, passive = true, spring = true, damper = true;
    bool constraint = true, equality = true, limit = true, frictionloss = true;
  } flags;

 private:
  void read_compiler(const Element& e);
  void read_option(const Element& e, Mechanism& m);
  void read_flags(const Element& e, Mechanism& m);
  void read_top_default(const Element& e);
  void read_default(const Element& e, const std::string& name, const std::string& parent);
  void read_asset(const Element& e, Mechanism& m);

  const XmlFile& xml_;
  const FileSource& files_;
  std::deque<XmlFile> included_;
  std::set<std::string> names_;                           // of included files
  std::map<const void*, std::vector<Element>> children_;  // by node: files are included once
  struct Class {
    std::string parent;  // empty: none
    std::vector<Element> parts;
    Place place;
  };
  const Class& class_of(const Element& e, const char* attribute, std::string name) const;
  std::map<std::string, Class> classes_;
  std::string main_ = "main";  // what the file calls the class of all elements
  bool strip_path_ = false;
  std::map<std::string, std::string> materials_;
};

// A word of an attribute, which must be one of those allowed.
std::string word_of(const Attributes& a, const char* attribute, const char* fallback, std::initializer_list<const char*> allowed);

// Volume; (1/m) ∫ x xᵀ dm about the centre.
struct GeomSolid {
  double volume = 0;
  Matrix second = {};
  Vector center = {};
};

// mjcf_geoms.cpp
class GeomReader {
 public:
  GeomReader(MjcfSettings& settings, const FileSource& files, const ImportOptions& options, std::string description)
      : settings_(settings), files_(files), options_(options), description_(std::move(description)) {}

  struct Geom {
    bool drawn = false;  // false: planes, fields of heights, meshes that are left out
    Shape shape;         // its pose is that of the geom, drawn or not; as everything here in the axes of what the geom is in
    MassProperties mass;
  };
  // `weighs`: its mass is part of that of a body.
  Geom read(const Attributes& geom, bool weighs, std::vector<Note>& notes);

 private:
  double mass_of(const Attributes& geom, double volume) const;
  bool read_mesh(const Attributes& geom, bool weighs, Shape& shape, GeomSolid& solid, std::vector<Note>& notes);
  bool refuse_fitted(const Attributes& geom, bool weighs, const std::string& type, std::vector<Note>& notes) const;
  GeomSolid solid_of_mesh(const Shape& shape);

  MjcfSettings& settings_;
  const FileSource& files_;
  const ImportOptions& options_;
  std::string description_;
  std::map<std::string, meshes::Solid> solids_;  // by file, before they are scaled: each file is read once
};

// At least this mass, and at least this as principal moments. False: there is no mass, and the inertia stays as it is.
bool raise_to(MassProperties& mass, double least_mass, double least_inertia);

}  // namespace aleator::core::importing
