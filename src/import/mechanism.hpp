// What robot descriptions have in common, whichever format they are in: a tree of links, each held to its parent by one joint, with
// positions relative to the link's frame; relations between joints, loops, named points; and notes about what was decided or left out.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "import/xml.hpp"
#include "numerics/vec3.hpp"

namespace aleator::core::importing {

using Vector = Vec3<double>;
using Matrix = Mat3<double>;

// X_AB: the frame B seen from A; p_A = R p_B + p.
struct Pose {
  Matrix R = Matrix::identity();
  Vector p;
};
Pose operator*(const Pose& a, const Pose& b);
Vector operator*(const Pose& a, const Vector& p);
Pose inverse(const Pose& a);
Matrix rotation_about(const Vector& axis, double angle);  // of a unit vector
Matrix rotation_rpy(const Vector& rpy);                   // Rz(yaw) Ry(pitch) Rx(roll)

// About the centre of mass, in the axes of the link.
struct MassProperties {
  double mass = 0;
  Vector center;
  Matrix inertia = {};
  Place place = {};

  void add(const MassProperties& other);      // of one rigid body
  void rotate_and_move(const Pose& to_link);  // given in a frame of its own
};

struct Shape {
  enum class Kind { box, cylinder, sphere, capsule, ellipsoid, mesh };
  Kind kind = Kind::box;
  Vector size;       // full edges; radius, length along z; radius; radius, length; three half axes
  std::string file;  // of a mesh: as its bytes are asked for
  Vector scale{1, 1, 1};
  Pose pose;          // in the link
  std::string color;  // "#rrggbb"; empty: none given
  Place place = {};
};

struct Joint {
  enum class Kind { fixed, hinge, slide, ball, planar, free };
  std::string name;  // empty of a root
  Kind kind = Kind::free;
  Pose to_joint;         // X_PJ, of the joint's frame in the parent link
  Pose to_link;          // X_JL, of the link behind it
  Vector axis{0, 0, 1};  // unit vector, in the joint's frame
  double zero = 0;       // the position in which the file draws it

  bool limited = false;
  double lower = 0, upper = 0;
  double stop_stiffness = 0;  // 0: one that fits the masses behind it
  double damping = 0, friction = 0, stiffness = 0, spring_rest = 0;
  double inertia = 0;   // of the rotor, as it acts on the joint (armature)
  bool locked = false;  // held at the position drawn
  Place place = {};
};

struct Link {
  std::string name;
  int parent = -1;  // −1: the ground
  Joint joint;      // to the parent
  MassProperties mass;
  bool joins = false;  // a body without mass between joints
  std::vector<Shape> shapes;
  Place place = {};
};

// Position of `second` = ratio × position of `first` + offset.
struct Relation {
  std::string name, first, second;
  double ratio = 1, offset = 0;
  Place place = {};
};

// A constraint that closes a loop: points coincide (spherical), or the links are held together (fixed).
struct Loop {
  std::string name, kind;
  int first = -1, second = -1;
  Vector at;         // in the first link
  Vector at_second;  // in the second link
  Place place = {};
};

// A point of a link that has a name: a site, a frame without mass.
struct NamedPoint {
  std::string name;
  int link = -1;
  Vector at;
};

struct Observed {
  std::string name, kind;  // kind: position, velocity, coordinate, rate, …
  std::string joint;       // of coordinate and rate
  int link = -1;
  Vector at;
  bool in_link = false;  // components in the axes of the link
  Place place = {};
};

struct Note {
  Place place;
  std::string message;
};

struct Mechanism {
  std::string title, format;  // "URDF"
  std::string file;
  Vector gravity{0, 0, -9.81};
  std::vector<Link> links;  // parents before children
  std::vector<Relation> relations;
  std::vector<Loop> loops;
  std::vector<NamedPoint> points;
  std::vector<Observed> observed;
  std::vector<Note> notes;

  void note(const Place& place, std::string message) { notes.push_back({place, std::move(message)}); }
};

// Where the files are that a description names: in a folder on the disk, or recorded with a study.
struct FileSource {
  std::function<bool(const std::string& name)> exists;
  std::function<std::string(const std::string& name)> bytes;  // throws InputError
};

enum class Base { decided, fixed, floating };

struct ImportOptions {
  Base base = Base::decided;
  bool repair = false;
  bool limits = true;                            // stops at the limits of joints
  bool meshes = true;                            // false: meshes are left out where the mass does not depend on them
  double duration = 1;                           // s, of the simulation
  bool in_model = false;                         // they are those of `urdf:` or `mjcf:`
  std::vector<std::string> packages;             // folders in which package:// is looked for
  std::map<std::string, double> positions = {};  // of joints at t = 0
  std::map<std::string, std::vector<double>> velocities = {};  // of joints at t = 0; three of ball, six of free ones (by link)

  // What a user writes: an option of the command, or a key in a model.
  const char* words(const char* command, const char* key) const { return in_model ? key : command; }
};

// Readers: one per format, by the name of the root element.
Mechanism read_urdf(const XmlFile& xml, const FileSource& files, const ImportOptions& options);
Mechanism read_mjcf(const XmlFile& xml, const FileSource& files, const ImportOptions& options);
// Whichever it is; throws where it is neither.
Mechanism read_description(const std::string& name, std::string bytes, const FileSource& files, const ImportOptions& options);

// physical.cpp: refuses what no body can have, or, if that is asked for, replaces it by the nearest that one can have, and notes by how much.
void check_physical(const std::string& link, MassProperties& mass, const ImportOptions& options, std::vector<Note>& notes);

// paths.cpp: the file that a mesh's name means, as it is asked for; throws where it leads out of its folder or is missing.
std::string mesh_file(const std::string& reference, const Place& place, const std::string& description, const FileSource& files,
                      const ImportOptions& options);

}  // namespace aleator::core::importing
