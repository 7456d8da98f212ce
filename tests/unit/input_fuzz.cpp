// Whatever the bytes: a model is read, or an InputError says why not. Nothing else comes out.
#include <random>

#include "input/csv.hpp"
#include "input_language.hpp"

namespace aleator::core::input {
namespace ALEATOR_FILE {

const std::string seed_model = R"(# every kind of value
title: "fuzz: é"
plane: xy
gravity: [0, -9.81]
parameters: {a: 2*b, b: 1e-3, c: sin(30 deg)}
points: {A: [a, b, c]}
simulation: {duration: 1, step: 1e-3, iterations: 3, quiet: false}
bodies:
  rb1: &body {mass: 4*a, at: A, orientation: 30 deg, inertia: {zz: 1}, spin: 2, shape: {box: [1, 2, 3]}}
  rb2:
    <<: *body
    orientation: {quaternion: {w: 1, x: 0, y: 0, z: 0}}
    layers: [{steel: 1}, {wood: 2}]
joints:
  hinge: {revolute: [rb1, rb2], axis: z, at: [0, 0], motion: "a > 1 ? t : t^2"}
  guide: {revolute: [ground, rb1], axis: [1, 1], at: A, motion: {ramp: {from: 0, to: 1, height: 2}}}
  gear: {gear: [hinge, guide], ratio: -2}
forces:
  bush: {bushing: [rb1, rb2], stiffness: {x: 1e6, rz: 20}, law: [[0, 1], [1, 2]]}
  load: {load: rb1, force: [{sine: {amplitude: 1, frequency: 2}}, {polynomial: [1, 2]}]}
outputs:
  o: {position: rb1, components: [x, y]}
  p: {force: bush, position: [1, 2]}
)";

// Reads and evaluates; false when an InputError came out. Any other exception ends the test.
bool survives(const std::string& text) {
  try {
    const Description model = read(text);
    const Scope scope(model);
    for (const auto& [key, items] : model.sections)
      for (const Item& item : items)
        for (const auto& [name, value] : item.fields)
          for (const Number& number : value.numbers) scope(number);
    return true;
  } catch (const InputError& error) {
    EXPECT_GT(std::string(error.what()).size(), 0U);
    return false;
  }
}

class Mutations {
 public:
  std::string mutated(std::string text) {
    for (int n = below(4) + 1; n > 0 && !text.empty(); --n) {
      const std::size_t at = static_cast<std::size_t>(below(static_cast<int>(text.size())));
      switch (below(6)) {
        case 0:
          text[at] = static_cast<char>(below(256));
          break;
        case 1:
          text[at] = punctuation();
          break;
        case 2:
          text.erase(at, static_cast<std::size_t>(below(12) + 1));
          break;
        case 3:
          text.insert(at, 1, punctuation());
          break;
        case 4:
          text.insert(at, text.substr(static_cast<std::size_t>(below(static_cast<int>(text.size()))),
                                      static_cast<std::size_t>(below(40))));
          break;
        default:
          text.resize(at);
          break;
      }
    }
    return text;
  }
  std::string noise() {
    std::string text;
    for (int n = below(200); n > 0; --n) text += below(3) ? punctuation() : static_cast<char>(below(256));
    return text;
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  char punctuation() {
    static constexpr std::string_view marks = "{}[]:,-?&*!|>'\"%@`#\n\t ()+/^<=.~0123456789eatxyz";
    return marks[static_cast<std::size_t>(below(static_cast<int>(marks.size())))];
  }
  std::mt19937 random_{20130501};
};

TEST(InputFuzz, the_seed_itself_is_read) { EXPECT_EQ(error_of(seed_model), "no error"); }

TEST(InputFuzz, mutated_models_give_input_errors_only) {
  Mutations mutations;
  int read = 0, refused = 0;
  for (int i = 0; i < 6000; ++i) ++(survives(mutations.mutated(seed_model)) ? read : refused);
  EXPECT_GT(read, 100) << "the mutations are too coarse to reach far";
  EXPECT_GT(refused, 100);
}

TEST(InputFuzz, every_prefix_gives_input_errors_only) {
  for (std::size_t n = 0; n < seed_model.size(); ++n) survives(seed_model.substr(0, n));
}

TEST(InputFuzz, noise_gives_input_errors_only) {
  Mutations mutations;
  for (int i = 0; i < 6000; ++i) survives(mutations.noise());
}

TEST(InputFuzz, noise_in_tables_gives_input_errors_only) {
  Mutations mutations;
  for (int i = 0; i < 3000; ++i) {
    try {
      parse_csv(mutations.mutated("# t, x\nt, x\n0, 1\n0.5, 2\n1, 3\n"), "f.csv");
    } catch (const InputError&) {
    }
  }
}

TEST(InputFuzz, noise_in_expressions_gives_input_errors_only) {
  std::mt19937 random(7);
  const std::vector<std::string> pieces = {
      "a", "t",   "pi", "sin", "(",  ")",  "+",  "-", "*", "/",   "^",     ",",  "1", "2.5", "1e3",
      " ", "deg", "<",  ">=",  "==", "&&", "||", "?", ":", "max", "atan2", "if", "=", "0",   "!="};
  for (int i = 0; i < 20'000; ++i) {
    std::string text;
    for (unsigned n = random() % 12 + 1; n > 0; --n) text += pieces[random() % pieces.size()];
    survives("parameters: {a: 1}\nbodies: {rb1: {mass: 1, at: [\"" + text + "\", 0, 0]}}\n");
  }
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::input
