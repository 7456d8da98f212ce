// animate as a user meets it: from a model and from results, and what cannot be meant.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "input/yaml_tree.hpp"
#include "program.hpp"
#include "study_files.hpp"
#include "support/model_text.hpp"
#include "support/places.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

const std::string examples = source_folder() + "/examples/";

// The JSON of a .glb or .gltf file.
input::Tree gltf_of(const std::string& path) {
  const std::string bytes = text_of_file(path);
  if (!path.ends_with(".glb")) return input::yaml_tree(bytes);
  std::uint32_t length = 0;
  std::memcpy(&length, bytes.data() + 12, 4);
  return input::yaml_tree(bytes.substr(20, length));
}

std::vector<std::string> node_names(const input::Tree& gltf) {
  std::vector<std::string> names;
  for (const input::Tree& n : gltf.find("nodes")->children) names.push_back(n.find("name")->text);
  return names;
}

// Key frames, and the last key time.
std::pair<int, double> keys(const input::Tree& gltf) {
  const input::Tree& sampler = gltf.find("animations")->children.at(0).find("samplers")->children.at(0);
  const input::Tree& times = gltf.find("accessors")->children.at(std::stoul(sampler.find("input")->text));
  return {std::stoi(times.find("count")->text), std::stod(times.find("max")->children.at(0).text)};
}

TEST(Animate, five_bodies_as_gltf) {
  const Folder folder;
  const Outcome o = aleator({"animate", examples + "five-body.yaml", "--gltf", "a.glb"}, folder.path());
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_EQ(o.err, "");
  EXPECT_NE(o.out.find("speed 0.005"), std::string::npos) << o.out;
  EXPECT_EQ(folder.files(), (std::vector<std::string>{"a.glb"}));
  const input::Tree g = gltf_of(folder / "a.glb");
  EXPECT_EQ(node_names(g), (std::vector<std::string>{"mechanism", "rb1", "rb1 cylinder 0", "rb2", "rb2 cylinder 0", "rb3",
                                                     "rb3 cylinder 0", "rb4", "rb4 cylinder 0", "rb5", "rb5 box 0"}));
  EXPECT_EQ(keys(g).first, 301);
  EXPECT_NEAR(keys(g).second, 6, 1e-6);  // 0.03 s at 1/200, single precision
  EXPECT_NE(g.find("nodes")->children[0].find("rotation"), nullptr) << "z is up";
}

TEST(Animate, a_flexible_slider_crank_with_few_frames_and_a_speed) {
  const Folder folder;
  folder.write("crank.yaml", replaced(example("slider-crank"), "duration: 1,", "duration: 0.02,"));
  const Outcome o = aleator({"animate", "crank.yaml", "--set", "crank_length=0.21", "--gltf", "a.gltf", "--frames", "5",
                             "--speed", "0.01", "--vtk", "series"},
                            folder.path());
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_NE(o.err.find("note: 5 of 21 times are key frames"), std::string::npos) << o.err;
  const input::Tree g = gltf_of(folder / "a.gltf");
  EXPECT_EQ(keys(g).first, 5);
  EXPECT_NEAR(keys(g).second, 2, 1e-6);
  EXPECT_EQ(g.find("skins")->children.at(0).find("joints")->children.size(), 3 * 6 + 1U);
  EXPECT_EQ(g.find("nodes")->children[0].find("rotation"), nullptr) << "in the plane of x and y, y is up";
  // The link begins where the crank ends.
  const std::vector<std::string> names = node_names(g);
  const auto at = std::find(names.begin(), names.end(), "link section 0") - names.begin();
  const input::Tree& begin = g.find("nodes")->children.at(std::size_t(at));
  EXPECT_NEAR(std::stod(begin.find("translation")->children[0].text), 0.21, 1e-7);  // single precision
  EXPECT_EQ(folder.files(), (std::vector<std::string>{"a.gltf", "crank.yaml", "series/crank.pvd", "series/crank/0000.vtp",
                                                      "series/crank/0001.vtp", "series/crank/0002.vtp", "series/crank/0003.vtp",
                                                      "series/crank/0004.vtp"}));
  const std::string list = text_of_file(folder / "series/crank.pvd"), frame = text_of_file(folder / "series/crank/0004.vtp");
  EXPECT_NE(list.find("<DataSet timestep=\"0.02\" file=\"crank/0004.vtp\"/>"), std::string::npos) << list;
  // Two boxes of 12 triangles, a rectangle swept through 19 rings: 18 · 4 · 2 sides and two ends of 2.
  EXPECT_NE(frame.find("NumberOfPolys=\"172\""), std::string::npos) << frame.substr(0, 300);
}

TEST(Animate, a_series_by_its_file) {
  const Folder folder;
  folder.write("osc.yaml", oscillator());
  EXPECT_EQ(aleator({"animate", "osc.yaml", "--vtk", "deep/motion.pvd", "--frames", "2"}, folder.path()).code, 0);
  EXPECT_EQ(folder.files(),
            (std::vector<std::string>{"deep/motion.pvd", "deep/motion/0000.vtp", "deep/motion/0001.vtp", "osc.yaml"}));
}

TEST(Animate, results_give_what_the_model_gives) {
  const Folder folder;
  folder.write("osc.yaml", oscillator());
  EXPECT_EQ(aleator({"run", "osc.yaml"}, folder.path()).code, 0);
  EXPECT_EQ(aleator({"simulate", "osc.yaml", "--out", "nominal"}, folder.path()).code, 0);
  EXPECT_EQ(aleator({"animate", "osc.yaml", "--gltf", "model.glb"}, folder.path()).code, 0);
  EXPECT_EQ(aleator({"animate", "nominal/nominal.h5", "--gltf", "nominal.glb"}, folder.path()).code, 0);
  EXPECT_EQ(aleator({"animate", "out/osc", "--gltf", "study.glb"}, folder.path()).code, 0);
  EXPECT_EQ(aleator({"animate", "out/osc/results.h5", "--realization", "3", "--gltf", "third.glb"}, folder.path()).code, 0);
  const auto numbers = [&](const std::string& name) {  // after the JSON, in which the titles differ
    const std::string bytes = text_of_file(folder / name);
    return bytes.substr(bytes.find(std::string_view("BIN\0", 4)));
  };
  EXPECT_TRUE(numbers("model.glb") == numbers("nominal.glb"));
  EXPECT_TRUE(numbers("model.glb") == numbers("study.glb"));
  EXPECT_FALSE(numbers("model.glb") == numbers("third.glb"));
}

TEST(Animate, a_realization_that_is_not_there) {
  const Folder folder;
  folder.write("osc.yaml", oscillator("samples: 3, seed: 5"));
  EXPECT_EQ(aleator({"run", "osc.yaml"}, folder.path()).code, 0);
  EXPECT_EQ(aleator({"simulate", "osc.yaml", "--out", "nominal"}, folder.path()).code, 0);
  const Outcome o = aleator({"animate", "out/osc", "--realization", "3", "--gltf", "a.glb"}, folder.path());
  EXPECT_EQ(o.code, 3);
  EXPECT_NE(o.err.find("it keeps the motion of the realizations 0, 1, 2, not of 3"), std::string::npos) << o.err;
  const Outcome none = aleator({"animate", "nominal", "--realization", "0", "--gltf", "a.glb"}, folder.path());
  EXPECT_EQ(none.code, 3);
  EXPECT_NE(none.err.find("it keeps no motion of realizations"), std::string::npos) << none.err;
}

TEST(Animate, what_cannot_be_meant) {
  const Folder folder;
  folder.write("osc.yaml", oscillator());
  folder.write("no.h5", "not HDF5");
  const std::pair<std::vector<std::string>, int> wrong[] = {{{"osc.yaml"}, 2},
                                                            {{"osc.yaml", "--gltf", "a.obj"}, 2},
                                                            {{"osc.yaml", "--gltf", "a.glb", "--speed", "0"}, 2},
                                                            {{"osc.yaml", "--gltf", "a.glb", "--speed", "fast"}, 2},
                                                            {{"osc.yaml", "--gltf", "a.glb", "--frames", "1"}, 2},
                                                            {{"osc.yaml", "--gltf", "a.glb", "--realization", "0"}, 2},
                                                            {{"no.h5", "--gltf", "a.glb", "--set", "k=1"}, 2},
                                                            {{"no.h5", "--gltf", "a.glb"}, 3},
                                                            {{"gone.h5", "--gltf", "a.glb"}, 3},
                                                            {{"gone.yaml", "--gltf", "a.glb"}, 3},
                                                            {{"osc.yaml", "--gltf", "gone/a.glb"}, 6},
                                                            {{"osc.yaml", "--vtk", "no.h5/series"}, 6}};
  for (const auto& [arguments, code] : wrong) {
    std::vector<std::string> all = {"animate"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const Outcome o = aleator(all, folder.path());
    EXPECT_EQ(o.code, code) << o.out << o.err;
    EXPECT_NE(o.err, "");
  }
  EXPECT_EQ(folder.files(), (std::vector<std::string>{"no.h5", "osc.yaml"}));
}

TEST(Animate, bodies_without_a_shape_are_named) {
  const Folder folder;
  const Outcome o = aleator({"animate", examples + "andrews.yaml", "--gltf", "a.glb"}, folder.path());
  EXPECT_EQ(o.code, 0);
  EXPECT_NE(o.err.find("no shape that could be seen: 'K1', 'K2'"), std::string::npos) << o.err;
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
