// What results are made of: plain data, whoever computed it.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

namespace aleator::core::results {

// One column of numbers over time. Vector outputs are three channels: p.x, p.y, p.z.
struct Channel {
  std::string name;  // "accel_z"
  std::string unit;  // "m/s^2"
};

// A shape as drawn, placed in the frame of its body.
struct Shape {
  std::string kind;                              // box, cylinder, sphere, capsule, ellipsoid, prism, mesh, mesh-points
  std::vector<double> size;                      // m; what the numbers mean depends on the kind, see layout.md
  std::array<double, 3> position{};              // m
  std::array<double, 4> quaternion{1, 0, 0, 0};  // w first
};

struct DrawnBody {
  std::string name;
  std::vector<Shape> shapes;
  int nodes = 1;            // frames it has: a beam has several
  std::string colour = {};  // "#rrggbb"; empty: whoever draws chooses
};

// What joins two frames, or acts on one, where it hangs on them.
struct Connection {
  std::string name, kind;      // "hinge35", "revolute"
  std::string role;            // joint, force
  std::vector<int> frames;     // two, or one of a load: index among frame_names(), −1 is the ground
  std::vector<double> points;  // three numbers for each: in that frame, of the ground inertial (m)
  std::vector<double> axis;    // in the first frame; empty where it has none
  // nt x 3: on its second side, or on the body it loads, inertial axes (N); of the nominal motion. Empty: not recorded.
  std::vector<double> force = {};
};

// A point that an output observes.
struct ObservedPoint {
  std::string output;           // its name
  int frame = 0;                // index among frame_names()
  std::array<double, 3> point;  // in that frame (m)
};

std::vector<std::string> frame_names(const std::vector<DrawnBody>& bodies);  // NAME, or NAME.0, NAME.1, …

// One simulated realization.
struct Run {
  std::vector<double> time;       // nt
  std::vector<Channel> channels;  // nc
  std::vector<double> values;     // nt x nc, a row per time
  std::vector<DrawnBody> bodies;  // nb, what the page draws
  std::vector<Connection> connections;
  std::vector<ObservedPoint> points;
  std::array<double, 3> gravity{};  // m/s^2
  std::vector<double> poses;        // nt x frames x 7: x y z qw qx qy qz of the bodies' frames
};

// Where a result comes from, so that it can be computed again.
struct Provenance {
  std::string version;
  std::string commit;
  std::string title;      // of the model; may be empty
  std::string processor;  // "Intel Xeon …"; empty where it is not known
  std::string model_text;
  std::string model_file;
  std::vector<std::string> table_files, table_texts;  // that the model refers to: names as it has them, and what they held
  std::string command_line;
  std::string host;
  std::string created;                          // UTC, "2026-01-31T12:34:56Z"
  std::map<std::string, std::string> settings;  // what was in force: integrator, step, ...
};

// Version, commit, host, processor and the present time; the caller adds what only it knows.
Provenance provenance_here();

}  // namespace aleator::core::results
