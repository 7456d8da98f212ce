#include "report/gltf.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/base64.hpp"
#include "report/beam_curve.hpp"
#include "report/colours.hpp"
#include "report/gltf_buffer.hpp"
#include "report/mesh.hpp"
#include "results/version.hpp"

namespace aleator::core::report {
namespace {

using results::DrawnBody;
using results::Shape;
using Target = GltfBuffer::Target;

struct Node {
  std::string name;
  std::vector<float> translation, rotation;  // none: where its parent is
  std::vector<int> children;
  int mesh = -1, skin = -1;
};
struct Surface {
  std::string name;
  int material, indices, positions, normals, joints, weights;  // the latter two only of a skin, else −1
};
struct Skin {
  std::vector<int> joints;
  int inverses;  // from the drawn surface into the axes of each joint
};
struct Channel {
  int node, values;
  const char* path;
};

void append(std::vector<float>& list, const Vector& v) { list.insert(list.end(), {float(v.x), float(v.y), float(v.z)}); }

// Of glTF: x y z w.
void append(std::vector<float>& list, const Quaternion<double>& q) {
  append(list, q.v);
  list.push_back(float(q.w));
}

bool changes(const std::vector<float>& values, std::size_t width) {
  for (std::size_t i = width; i < values.size(); ++i)
    if (values[i] != values[i % width]) return true;
  return false;
}

class Scene {
 public:
  Scene(const results::Run& run, const Playback& playback, Up up) : run_(run), playback_(playback), up_(up) {
    const int root = add_node({"mechanism", {}, {}, {}});
    top_.push_back(root);
    if (const float half = std::sqrt(0.5F); up == Up::z) nodes_[0].rotation = {-half, 0, 0, half};  // a quarter turn about x
    std::size_t frames = 0, at = 0;
    for (const DrawnBody& body : run.bodies) frames += std::size_t(body.nodes);
    row_ = 7 * frames;
    for (std::size_t b = 0; b < run.bodies.size(); ++b) {
      material_ = -1;
      if (run.bodies[b].nodes > 1)
        add_beam(b, at, root);
      else
        add_rigid(b, at, root);
      at += 7 * std::size_t(run.bodies[b].nodes);
    }
  }

  std::string json(const std::string& title, const std::string& uri) const;
  std::span<const unsigned char> bytes() const { return buffer_.bytes(); }

 private:
  int add_node(Node node) {
    nodes_.push_back(std::move(node));
    return int(nodes_.size()) - 1;
  }

  int add_child(int parent, Node node) {
    const int number = add_node(std::move(node));
    nodes_[std::size_t(parent)].children.push_back(number);
    return number;
  }

  // What the root does.
  Vector upright(const Vector& v) const { return up_ == Up::z ? Vector{v[0], v[2], -v[1]} : v; }

  const double* pose(std::size_t key, std::size_t at) const { return run_.poses.data() + playback_.frames[key] * row_ + at; }

  void add_rigid(std::size_t body, std::size_t at, int root);
  void add_beam(std::size_t body, std::size_t at, int root);
  void add_skin(std::size_t body, const Shape& shape, const std::vector<std::vector<Frame>>& rings, int sections);
  int add_surface(std::size_t body, const std::string& name, const Mesh& mesh, bool skinned);
  void move(int node, const std::vector<Frame>& frames);
  void write_nodes(Json& j) const;
  void write_surfaces(Json& j) const;
  void write_skins(Json& j) const;
  void write_animation(Json& j) const;

  const results::Run& run_;
  const Playback& playback_;
  const Up up_;
  std::size_t row_ = 0;  // numbers of a time
  GltfBuffer buffer_;
  std::vector<Node> nodes_;
  std::vector<int> top_;  // nodes without a parent
  std::vector<Surface> surfaces_;
  std::vector<Skin> skins_;
  std::vector<std::size_t> materials_;  // whose body they are
  int material_ = -1;                   // of the present body, once there is one
  std::vector<Channel> channels_;
  int times_ = -1;  // accessor, once something moves
};

// Puts a node into the first frame, and moves it through the others if they differ.
void Scene::move(int node, const std::vector<Frame>& frames) {
  std::vector<float> translations, rotations;
  Quaternion<double> before;
  for (const Frame& f : frames) {
    Quaternion<double> q = quaternion_of(f);
    // q and −q are the same rotation; viewers go from one to the next the shorter way only if it is the nearer one.
    if (q.w * before.w + dot(q.v, before.v) < 0) q = {-q.w, -q.v};
    before = q;
    append(translations, f.origin);
    append(rotations, q);
  }
  Node& n = nodes_[std::size_t(node)];
  n.translation.assign(translations.begin(), translations.begin() + 3);
  n.rotation.assign(rotations.begin(), rotations.begin() + 4);
  const bool moves = changes(translations, 3), turns = changes(rotations, 4);
  if ((moves || turns) && times_ < 0) {
    std::vector<float> times;
    const double start = run_.time[playback_.frames[0]];
    for (const std::size_t k : playback_.frames) times.push_back(float((run_.time[k] - start) / playback_.speed));
    times_ = buffer_.floats(times, 1, Target::none);
  }
  if (moves) channels_.push_back({node, buffer_.floats(translations, 3, Target::none), "translation"});
  if (turns) channels_.push_back({node, buffer_.floats(rotations, 4, Target::none), "rotation"});
}

int Scene::add_surface(std::size_t body, const std::string& name, const Mesh& mesh, bool skinned) {
  if (material_ < 0) {
    material_ = int(materials_.size());
    materials_.push_back(body);
  }
  std::vector<float> positions, normals, weights;
  for (const Vector& p : mesh.points) append(positions, skinned ? upright(p) : p);
  for (const Vector& n : mesh.normals) append(normals, skinned ? upright(n) : n);
  std::vector<std::uint32_t> corners, joints;
  for (const auto& t : mesh.triangles) corners.insert(corners.end(), t.begin(), t.end());
  Surface s{name,
            material_,
            buffer_.indices(corners),
            buffer_.floats(positions, 3, Target::vertices),
            buffer_.floats(normals, 3, Target::vertices),
            -1,
            -1};
  if (skinned) {  // each point moves with one joint
    for (const std::uint32_t ring : mesh.rings) {
      joints.insert(joints.end(), {ring, 0, 0, 0});
      weights.insert(weights.end(), {1, 0, 0, 0});
    }
    s.joints = buffer_.joints(joints);
    s.weights = buffer_.floats(weights, 4, Target::vertices);
  }
  surfaces_.push_back(s);
  return int(surfaces_.size()) - 1;
}

void Scene::add_rigid(std::size_t b, std::size_t at, int root) {
  const DrawnBody& body = run_.bodies[b];
  const int node = add_child(root, {body.name, {}, {}, {}});
  std::vector<Frame> frames;
  for (std::size_t key = 0; key < playback_.frames.size(); ++key) frames.push_back(frame_of(pose(key, at)));
  move(node, frames);
  for (std::size_t i = 0; i < body.shapes.size(); ++i) {
    const Shape& shape = body.shapes[i];
    const std::string name = fmt::format("{} {} {}", body.name, shape.kind, i);
    Node child{name, {}, {}, {}, add_surface(b, name, mesh_of(shape), false)};
    const double place[] = {shape.position[0],   shape.position[1],   shape.position[2],  shape.quaternion[0],
                            shape.quaternion[1], shape.quaternion[2], shape.quaternion[3]};
    append(child.translation, Vector{shape.position[0], shape.position[1], shape.position[2]});
    append(child.rotation, quaternion_of(frame_of(place)));
    add_child(node, std::move(child));
  }
}

void Scene::add_beam(std::size_t b, std::size_t at, int root) {
  const DrawnBody& body = run_.bodies[b];
  const int sections = add_child(root, {body.name + " sections", {}, {}, {}});
  for (const Shape& shape : body.shapes) {
    std::vector<std::vector<Frame>> rings;  // of each cross-section, over time
    for (std::size_t key = 0; key < playback_.frames.size(); ++key) {
      const std::vector<Frame> frames = beam_frames(pose(key, at), body.nodes, is_round(shape));
      rings.resize(frames.size());
      for (std::size_t k = 0; k < frames.size(); ++k) rings[k].push_back(frames[k]);
    }
    add_skin(b, shape, rings, sections);
  }
}

// The surface is drawn where the beam is at first, y up and without a parent, so that programs that know no skins show it
// in its place.
void Scene::add_skin(std::size_t b, const Shape& shape, const std::vector<std::vector<Frame>>& rings, int sections) {
  const std::string& name = run_.bodies[b].name;
  Skin skin;
  std::vector<Frame> first;
  std::vector<float> inverses;
  for (std::size_t k = 0; k < rings.size(); ++k) {
    skin.joints.push_back(add_child(sections, {fmt::format("{} section {}", name, k), {}, {}, {}}));
    move(skin.joints.back(), rings[k]);
    const Frame& f = rings[k][0];
    first.push_back(f);
    const Vector rows[] = {upright(f.x), upright(f.y), upright(f.z)};
    for (std::size_t column = 0; column < 3; ++column)
      for (std::size_t i = 0; i < 4; ++i) inverses.push_back(i < 3 ? float(rows[i][int(column)]) : 0);
    append(inverses, Vector{-dot(f.x, f.origin), -dot(f.y, f.origin), -dot(f.z, f.origin)});
    inverses.push_back(1);
  }
  skin.inverses = buffer_.floats(inverses, 16, Target::none);
  skins_.push_back(std::move(skin));
  const int surface = add_surface(b, name, sweep(section_of(shape), first), true);
  top_.push_back(add_node({name, {}, {}, {}, surface, int(skins_.size()) - 1}));
}

void write_list(Json& j, const char* key, const std::vector<int>& numbers) {
  j.key(key).array();
  for (const int k : numbers) j.number(k);
  j.end();
}

void Scene::write_nodes(Json& j) const {
  j.key("nodes").array();
  for (const Node& n : nodes_) {
    j.object().key("name").string(n.name);
    if (!n.translation.empty()) j.key("translation").numbers(n.translation);
    if (!n.rotation.empty()) j.key("rotation").numbers(n.rotation);
    if (n.mesh >= 0) j.key("mesh").number(n.mesh);
    if (n.skin >= 0) j.key("skin").number(n.skin);
    if (!n.children.empty()) write_list(j, "children", n.children);
    j.end();
  }
  j.end();
}

void Scene::write_surfaces(Json& j) const {
  if (surfaces_.empty()) return;
  j.key("meshes").array();
  for (const Surface& s : surfaces_) {
    j.object().key("name").string(s.name).key("primitives").array().object().key("attributes").object();
    j.key("POSITION").number(s.positions).key("NORMAL").number(s.normals);
    if (s.joints >= 0) j.key("JOINTS_0").number(s.joints).key("WEIGHTS_0").number(s.weights);
    j.end().key("indices").number(s.indices).key("material").number(s.material).end().end().end();
  }
  j.end().key("materials").array();
  for (const std::size_t body : materials_) {
    const auto [red, green, blue] = body_colour(body, run_.bodies[body].colour);
    j.object().key("name").string(run_.bodies[body].name).key("pbrMetallicRoughness").object();
    j.key("baseColorFactor").array().number(red).number(green).number(blue).number(1).end();
    j.key("metallicFactor").number(0).key("roughnessFactor").number(0.6).end().end();
  }
  j.end();
}

void Scene::write_skins(Json& j) const {
  if (skins_.empty()) return;
  j.key("skins").array();
  for (const Skin& s : skins_) {
    j.object().key("inverseBindMatrices").number(s.inverses);
    write_list(j, "joints", s.joints);
    j.end();
  }
  j.end();
}

void Scene::write_animation(Json& j) const {
  if (channels_.empty()) return;
  j.key("animations").array().object().key("name").string("motion").key("channels").array();
  for (std::size_t k = 0; k < channels_.size(); ++k) {
    j.object().key("sampler").number(double(k)).key("target").object();
    j.key("node").number(channels_[k].node).key("path").string(channels_[k].path).end().end();
  }
  j.end().key("samplers").array();
  for (const Channel& c : channels_)
    j.object().key("input").number(times_).key("interpolation").string("LINEAR").key("output").number(c.values).end();
  j.end().end().end();
}

std::string Scene::json(const std::string& title, const std::string& uri) const {
  Json j;
  j.object().key("asset").object().key("version").string("2.0");
  j.key("generator").string(fmt::format("Aleator {}", results::version())).key("extras").object();
  j.key("title").string(title).key("speed").number(playback_.speed);
  j.key("start").number(run_.time[playback_.frames.front()]).key("end").number(run_.time[playback_.frames.back()]).end().end();
  j.key("scene").number(0).key("scenes").array().object().key("name").string(title.empty() ? "mechanism" : title);
  write_list(j, "nodes", top_);
  j.end().end();
  write_nodes(j);
  write_surfaces(j);
  write_skins(j);
  write_animation(j);
  if (!bytes().empty()) {
    j.key("buffers").array().object().key("byteLength").number(double(bytes().size()));
    if (!uri.empty()) j.key("uri").string(uri);
    j.end().end().key("bufferViews");
    buffer_.write_views(j);
    j.key("accessors");
    buffer_.write_accessors(j);
  }
  return j.end().take();
}

void append_number(std::string& bytes, std::size_t x) {
  for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(x >> shift & 0xFFU);
}

// Header, then a chunk of JSON and one of numbers, each of whole groups of four bytes.
std::string binary_file(std::string json, std::span<const unsigned char> bytes) {
  json.resize((json.size() + 3) / 4 * 4, ' ');
  std::string file = "glTF";
  append_number(file, 2);
  append_number(file, 12 + 8 + json.size() + (bytes.empty() ? 0 : 8 + bytes.size()));
  append_number(file, json.size());
  file += "JSON" + json;
  if (bytes.empty()) return file;
  append_number(file, bytes.size());
  file += std::string_view("BIN\0", 4);
  file.append(bytes.begin(), bytes.end());
  return file;
}

}  // namespace

std::string gltf(const results::Run& run, const Playback& playback, const std::string& title, Up up, Gltf kind) {
  const Scene scene(run, playback, up);
  if (kind == Gltf::binary) return binary_file(scene.json(title, ""), scene.bytes());
  const std::string uri = scene.bytes().empty() ? "" : "data:application/octet-stream;base64," + base64(scene.bytes());
  return scene.json(title, uri);
}

}  // namespace aleator::core::report
