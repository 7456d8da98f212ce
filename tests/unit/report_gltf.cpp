#include "report/gltf.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numbers>

#include "base/base64.hpp"
#include "input/yaml_tree.hpp"
#include "report/beam_curve.hpp"
#include "report/mesh.hpp"

namespace aleator::core::report {
namespace ALEATOR_FILE {

using input::Tree;

// A wheel that turns twice, a beam that sags, a post that stands still; 41 times from 0.1 s to 0.3 s.
results::Run mechanism() {
  results::Run run;
  run.bodies = {{"wheel", {{"cylinder", {0.1, 0.02}, {0, 0, 0.5}, {0.8, 0.6, 0, 0}}}, 1},
                {"link <&>", {{"rectangle-section", {0.04, 0.02}, {}, {1, 0, 0, 0}}}, 3},
                {"post", {{"box", {1, 2, 3}, {}, {1, 0, 0, 0}}}, 1},
                {"mass", {}, 1}};
  for (int k = 0; k <= 40; ++k) {
    const double s = k / 40.0, turn = 4 * std::numbers::pi * s;
    run.time.push_back(0.1 + 0.2 * s);
    // Quaternions as an integrator gives them: their sign may change from one time to the next.
    const double sign = k % 3 == 0 ? -1 : 1;
    for (const double x : {0.5 * s, -s, 2.0, sign * std::cos(turn / 2), 0.0, sign * std::sin(turn / 2), 0.0})
      run.poses.push_back(x);
    for (int node = 0; node < 3; ++node) {
      const double slope = 0.3 * s * node;  // about y, downwards
      for (const double x : {0.5 * node, 1.0, -0.1 * s * node * node, std::cos(slope / 2), 0.0, std::sin(slope / 2), 0.0})
        run.poses.push_back(x);
    }
    for (const double x : {3, 0, 0, 1, 0, 0, 0, 4, 0, 0, 1, 0, 0, 0}) run.poses.push_back(x);
  }
  return run;
}

Playback all_times(const results::Run& run, double speed) { return {key_frames(run.time.size(), 1000), speed}; }

// A .glb taken apart.
struct File {
  std::string json, binary;
  Tree tree;

  explicit File(const std::string& bytes) {
    EXPECT_EQ(bytes.substr(0, 4), "glTF");
    EXPECT_EQ(number(bytes, 4), 2U);
    EXPECT_EQ(number(bytes, 8), bytes.size());
    const std::size_t length = number(bytes, 12);
    EXPECT_EQ(bytes.substr(16, 4), "JSON");
    EXPECT_EQ(length % 4, 0U);
    json = bytes.substr(20, length);
    if (20 + length < bytes.size()) {
      EXPECT_EQ(bytes.substr(24 + length, 4), std::string("BIN\0", 4));
      binary = bytes.substr(28 + length);
      EXPECT_EQ(number(bytes, 20 + length), binary.size());
    }
    tree = input::yaml_tree(json);
  }

  static std::size_t number(const std::string& bytes, std::size_t at) {
    std::uint32_t x = 0;
    std::memcpy(&x, bytes.data() + at, 4);
    return x;
  }

  const Tree& list(const char* name) const { return *tree.find(name); }

  // The index of the entry of that name.
  std::size_t named(const char* of, const std::string& name) const {
    const Tree& all = list(of);
    for (std::size_t k = 0; k < all.children.size(); ++k)
      if (all.children[k].find("name")->text == name) return k;
    throw std::runtime_error("no " + name);
  }
  const Tree& node(const std::string& name) const { return list("nodes").children[named("nodes", name)]; }

  static double of(const Tree& t, const char* key) { return std::stod(t.find(key)->text); }

  static std::vector<double> numbers(const Tree& t, const char* key) {
    std::vector<double> out;
    if (const Tree* values = t.find(key))
      for (const Tree& x : values->children) out.push_back(std::stod(x.text));
    return out;
  }

  const Tree& accessor(double k) const { return list("accessors").children.at(std::size_t(k)); }

  std::vector<double> values(double k) const {
    const Tree& a = accessor(k);
    const Tree& view = list("bufferViews").children.at(std::size_t(of(a, "bufferView")));
    const std::string type = a.find("type")->text;
    const std::size_t width = type == "SCALAR" ? 1 : type == "VEC3" ? 3 : type == "VEC4" ? 4 : 16;
    const std::size_t component = std::size_t(of(a, "componentType")), size = component == 5123 ? 2 : 4;
    const std::size_t n = width * std::size_t(of(a, "count")), offset = std::size_t(of(view, "byteOffset"));
    EXPECT_EQ(of(view, "byteLength"), double(n * size));
    EXPECT_EQ(offset % 4, 0U);
    EXPECT_LE(offset + n * size, binary.size());
    std::vector<double> out;
    for (std::size_t i = 0; i < n; ++i) {
      float x = 0;
      std::uint16_t small = 0;
      if (size == 2) std::memcpy(&small, binary.data() + offset + 2 * i, 2);
      if (size == 4) std::memcpy(&x, binary.data() + offset + 4 * i, 4);
      out.push_back(size == 2 ? small : x);
    }
    return out;
  }

  // What a channel gives a node, or nothing if there is none.
  std::vector<double> channel(const std::string& name, const std::string& path) const {
    const Tree& animation = list("animations").children.at(0);
    for (const Tree& c : animation.find("channels")->children) {
      const Tree& target = *c.find("target");
      if (of(target, "node") != double(named("nodes", name)) || target.find("path")->text != path) continue;
      return values(of(animation.find("samplers")->children.at(std::size_t(of(c, "sampler"))), "output"));
    }
    return {};
  }

  std::vector<double> key_times() const {
    return values(of(list("animations").children.at(0).find("samplers")->children.at(0), "input"));
  }
};

constexpr double single = 1e-6;  // numbers of a few units, of single precision (6e-8 relative), a few of them added

TEST(Gltf, SaysWhatItIs) {
  const results::Run run = mechanism();
  const File f(gltf(run, all_times(run, 0.05), "a \"title\"", Up::z, Gltf::binary));
  const Tree &asset = f.list("asset"), &extras = *asset.find("extras");
  EXPECT_EQ(asset.find("version")->text, "2.0");
  EXPECT_TRUE(asset.find("generator")->text.starts_with("Aleator "));
  EXPECT_EQ(File::of(extras, "speed"), 0.05);
  EXPECT_EQ(extras.find("title")->text, "a \"title\"");
  EXPECT_EQ(File::of(f.list("buffers").children.at(0), "byteLength"), double(f.binary.size()));
}

// The minimum and maximum of every accessor that states them; the specification wants those of positions and key times.
TEST(Gltf, BoundsAreThoseOfTheNumbers) {
  const results::Run run = mechanism();
  const File f(gltf(run, all_times(run, 1), "", Up::z, Gltf::binary));
  int bounded = 0;
  for (std::size_t k = 0; k < f.list("accessors").children.size(); ++k) {
    const std::vector<double> values = f.values(double(k));
    std::vector<double> least = File::numbers(f.accessor(double(k)), "min"), most = File::numbers(f.accessor(double(k)), "max");
    for (const double x : values) EXPECT_TRUE(std::isfinite(x));
    if (least.empty()) continue;
    ++bounded;
    for (std::size_t i = 0; i < least.size(); ++i) {
      double a = HUGE_VAL, b = -HUGE_VAL;
      for (std::size_t j = i; j < values.size(); j += least.size()) a = std::min(a, values[j]), b = std::max(b, values[j]);
      EXPECT_EQ(float(least[i]), float(a));
      EXPECT_EQ(float(most[i]), float(b));
    }
  }
  EXPECT_GT(bounded, 10);
  for (const Tree& m : f.list("meshes").children) {
    const Tree& p = m.find("primitives")->children.at(0);
    EXPECT_EQ(File::numbers(f.accessor(File::of(*p.find("attributes"), "POSITION")), "min").size(), 3U);
  }
}

TEST(Gltf, MeshesAreThoseOfTheShapes) {
  const results::Run run = mechanism();
  const File f(gltf(run, all_times(run, 1), "", Up::z, Gltf::binary));
  const Tree& p = f.list("meshes").children[f.named("meshes", "wheel cylinder 0")].find("primitives")->children.at(0);
  const Mesh m = mesh_of(run.bodies[0].shapes[0]);
  const std::vector<double> positions = f.values(File::of(*p.find("attributes"), "POSITION"));
  ASSERT_EQ(positions.size(), 3 * m.points.size());
  EXPECT_EQ(f.values(File::of(*p.find("attributes"), "NORMAL")).size(), 3 * m.points.size());
  for (std::size_t i = 0; i < positions.size(); ++i) EXPECT_EQ(float(positions[i]), float(m.points[i / 3][i % 3]));
  const std::vector<double> corners = f.values(File::of(p, "indices"));
  ASSERT_EQ(corners.size(), 3 * m.triangles.size());
  for (std::size_t i = 0; i < corners.size(); ++i) EXPECT_EQ(corners[i], m.triangles[i / 3][i % 3]);
  EXPECT_NEAR(File::numbers(f.node("wheel cylinder 0"), "rotation")[0], 0.6, single) << "x y z w";
  EXPECT_NEAR(File::numbers(f.node("wheel cylinder 0"), "translation")[2], 0.5, single);
}

TEST(Gltf, BodiesAreWhereThePosesSay) {
  const results::Run run = mechanism();
  const File f(gltf(run, all_times(run, 0.05), "", Up::z, Gltf::binary));
  const std::vector<double> times = f.key_times(), places = f.channel("wheel", "translation"),
                            turns = f.channel("wheel", "rotation");
  ASSERT_EQ(times.size(), 41U);
  ASSERT_EQ(places.size(), 3 * 41U);
  ASSERT_EQ(turns.size(), 4 * 41U);
  const std::size_t row = 7 * 6;
  for (std::size_t k = 0; k < 41; ++k) {
    const double* pose = run.poses.data() + k * row;
    EXPECT_NEAR(times[k], (run.time[k] - 0.1) / 0.05, single);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(places[3 * k + i], pose[i], single);
    const double* q = &turns[4 * k];
    EXPECT_NEAR(std::abs(q[3] * pose[3] + q[0] * pose[4] + q[1] * pose[5] + q[2] * pose[6]), 1, single);
    if (k == 0) continue;
    const double* before = q - 4;
    EXPECT_GT(q[0] * before[0] + q[1] * before[1] + q[2] * before[2] + q[3] * before[3], 0.98) << "18° per key frame";
  }
}

TEST(Gltf, WhatDoesNotMoveHasNoChannels) {
  const results::Run run = mechanism();
  const File f(gltf(run, all_times(run, 1), "", Up::z, Gltf::binary));
  EXPECT_TRUE(f.channel("post", "translation").empty());
  EXPECT_EQ(File::numbers(f.node("post"), "translation"), (std::vector<double>{3, 0, 0}));
  EXPECT_NE(f.node("mass").find("name"), nullptr) << "a body without shapes has its node";
}

// Joint matrix · inverse bind matrix · position, as a viewer does it, is the beam swept at that time, turned upright.
void expect_beam_at(const File& f, const results::Run& run, std::size_t time, Up up) {
  const Tree& node = f.node("link <&>");
  const Tree& skin = f.list("skins").children.at(std::size_t(File::of(node, "skin")));
  const Tree& attributes =
      *f.list("meshes").children.at(std::size_t(File::of(node, "mesh"))).find("primitives")->children.at(0).find("attributes");
  const std::vector<double> positions = f.values(File::of(attributes, "POSITION")),
                            joints = f.values(File::of(attributes, "JOINTS_0")),
                            weights = f.values(File::of(attributes, "WEIGHTS_0")),
                            inverses = f.values(File::of(skin, "inverseBindMatrices"));
  const double* pose = run.poses.data() + time * 7 * 6 + 7;
  const std::vector<Frame> rings = beam_frames(pose, 3, false);
  const Mesh expected = sweep(section_of(run.bodies[1].shapes[0]), rings);
  ASSERT_EQ(skin.find("joints")->children.size(), rings.size());
  ASSERT_EQ(positions.size(), 3 * expected.points.size());
  for (std::size_t v = 0; v < expected.points.size(); ++v) {
    const std::size_t joint = std::size_t(joints[4 * v]);
    EXPECT_EQ(weights[4 * v], 1);
    const std::string name =
        f.list("nodes").children.at(std::stoul(skin.find("joints")->children[joint].text)).find("name")->text;
    std::vector<double> place = f.channel(name, "translation"), turn = f.channel(name, "rotation");
    if (place.empty()) place = File::numbers(f.node(name), "translation");
    if (turn.empty()) turn = File::numbers(f.node(name), "rotation");
    const double* p = place.size() > 3 ? &place[3 * time] : place.data();
    const double* q = turn.size() > 4 ? &turn[4 * time] : turn.data();
    const double moved[] = {p[0], p[1], p[2], q[3], q[0], q[1], q[2]};
    Vector local{};
    for (std::size_t i = 0; i < 3; ++i) {
      const double* m = &inverses[16 * joint];
      local[i] = m[i] * positions[3 * v] + m[4 + i] * positions[3 * v + 1] + m[8 + i] * positions[3 * v + 2] + m[12 + i];
    }
    EXPECT_NEAR(norm(frame_of(moved).point(local) - expected.points[v]), 0, single);
    if (time > 0) continue;  // what programs without skins show
    const Vector& e = expected.points[v];
    const Vector upright = up == Up::z ? Vector{e[0], e[2], -e[1]} : e;
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(positions[3 * v + i], upright[i], single);
  }
}

TEST(Gltf, BeamsBend) {
  const results::Run run = mechanism();
  for (const Up up : {Up::y, Up::z}) {
    const File f(gltf(run, all_times(run, 1), "", up, Gltf::binary));
    for (const std::size_t time : {0, 17, 40}) expect_beam_at(f, run, time, up);
  }
}

TEST(Gltf, TheRootTurnsZUp) {
  const results::Run run = mechanism();
  const File z(gltf(run, all_times(run, 1), "", Up::z, Gltf::binary)), y(gltf(run, all_times(run, 1), "", Up::y, Gltf::binary));
  const std::vector<double> q = File::numbers(z.node("mechanism"), "rotation");
  const Vector up = rotation_matrix(Quaternion<double>{q[3], {q[0], q[1], q[2]}}) * Vector{0, 0, 1};
  EXPECT_NEAR(up[1], 1, single);
  EXPECT_EQ(y.node("mechanism").find("rotation"), nullptr);
}

TEST(Gltf, TheTextHoldsTheSame) {
  const results::Run run = mechanism();
  const File f(gltf(run, all_times(run, 1), "", Up::z, Gltf::binary));
  const Tree text = input::yaml_tree(gltf(run, all_times(run, 1), "", Up::z, Gltf::text));
  const auto* bytes = reinterpret_cast<const unsigned char*>(f.binary.data());
  EXPECT_EQ(text.find("buffers")->children.at(0).find("uri")->text,
            "data:application/octet-stream;base64," + base64({bytes, f.binary.size()}));
  EXPECT_EQ(text.find("accessors")->children.size(), f.list("accessors").children.size());
}

// Lists that would be empty are left out, as the specification wants it.
TEST(Gltf, NothingToSee) {
  results::Run run;
  run.time = {0};
  const File f(gltf(run, {{0}, 1}, "", Up::z, Gltf::binary));
  EXPECT_EQ(f.binary, "");
  for (const char* name : {"meshes", "materials", "skins", "animations", "buffers", "accessors"})
    EXPECT_EQ(f.tree.find(name), nullptr);
}

TEST(Playback, KeyFramesAreSpreadEvenly) {
  EXPECT_EQ(key_frames(5, 9), (std::vector<std::size_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(key_frames(9, 5), (std::vector<std::size_t>{0, 2, 4, 6, 8}));
  EXPECT_EQ(key_frames(10, 3), (std::vector<std::size_t>{0, 5, 9}));
  EXPECT_EQ(key_frames(1, 600), (std::vector<std::size_t>{0}));
}

TEST(Playback, ComfortableSpeeds) {
  EXPECT_EQ(comfortable_speed(4), 1);
  EXPECT_EQ(comfortable_speed(20), 1);
  EXPECT_EQ(comfortable_speed(3.9), 0.5);
  EXPECT_EQ(comfortable_speed(1), 0.2);
  EXPECT_EQ(comfortable_speed(0.03), 0.005);
  EXPECT_EQ(comfortable_speed(21), 2);
  EXPECT_EQ(comfortable_speed(3600), 200);
  EXPECT_EQ(comfortable_speed(0), 1);
  for (double d = 1e-9; d < 1e9; d *= 1.7) {
    EXPECT_GE(d / comfortable_speed(d), 4 * (1 - 1e-15)) << d;
    EXPECT_LE(d / comfortable_speed(d), 20 * (1 + 1e-15)) << d;
  }
}

// Twice around in 40 steps of 18°; what is turned on the way counts, not the shorter way.
TEST(Playback, TurnsBetweenKeyFrames) {
  const results::Run run = mechanism();
  EXPECT_NEAR(largest_turn(run, key_frames(41, 41)), std::numbers::pi / 10, 1e-7);  // acos near 1 halves the digits
  EXPECT_NEAR(largest_turn(run, key_frames(41, 3)), 2 * std::numbers::pi, 1e-6);
}

TEST(Gltf, colours_of_the_model_are_linear_light) {
  results::Run run = mechanism();
  run.bodies[0].colour = "#ff8000";
  const std::string text = gltf(run, all_times(run, 1), "", Up::z, Gltf::text);
  // 128/255 of sRGB is 0.2158605 of light.
  EXPECT_NE(text.find("\"baseColorFactor\":[1,0.215860500113899"), std::string::npos) << text.substr(0, 3000);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::report
