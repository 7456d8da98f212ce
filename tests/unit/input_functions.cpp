// Functions of time and tables, in the model and in CSV files.
#include "input/csv.hpp"

#include "input_language.hpp"
#include "support/message_of.hpp"
#include "support/places.hpp"

namespace aleator::core::input {
namespace ALEATOR_FILE {

using Doubles = std::vector<double>;

const std::string data = test::source_folder() + "/tests/unit/data/input/";

// The motion of a hinge, and the error it gives; the text begins at line 5, column 13.
std::string moved(const std::string& motion) {
  return "parameters: {w: 3}\n" + hinge_with("axis: z, motion:\n            " + motion);
}
Item function(const std::string& motion) { return field(read(moved(motion)), "joints", "motion").items.at(0); }
std::string error(const std::string& motion) { return error_of(moved(motion)); }
const std::string here = "m.yaml:6:13: joint 'hinge': ";

TEST(InputFunctions, a_number_is_a_constant) {
  const Item f = function("2.5");
  EXPECT_EQ(f.kind, "constant");
  EXPECT_EQ(f.subject.number.constant, 2.5);
  EXPECT_EQ(function("{constant: 2.5}").subject.number.constant, 2.5);
  EXPECT_EQ(function("2*w").kind, "constant") << "parameters alone do not move";
}

TEST(InputFunctions, a_text_with_t_is_an_expression) {
  for (const std::string text : {"w*t^2", "{expression: {value: w*t^2}}"}) {
    const Description model = read(moved(text));
    const Item& f = field(model, "joints", "motion").items.at(0);
    EXPECT_EQ(f.kind, "expression");
    const Number number = f.find("value")->number;
    EXPECT_TRUE(model.expressions->programs.at(static_cast<std::size_t>(number.program)).of_time);
    const Scope scope(model);
    EXPECT_EQ(scope(number, 2), 12);
    EXPECT_EQ(scope(number, 3), 27);
    EXPECT_THROW(scope(number), std::logic_error);
  }
}

TEST(InputFunctions, expressions_name_the_time_at_which_they_are_not_finite) {
  const Description model = read(moved("1/(t - w)"));
  const Scope scope(model);
  try {
    scope(field(model, "joints", "motion").items.at(0).find("value")->number, 3);
    FAIL();
  } catch (const InputError& e) {
    EXPECT_STREQ(e.what(), "m.yaml:6:13: '1/(t - w)' is not finite for w = 3, t = 3");
  }
}

TEST(InputFunctions, expressions_may_have_breakpoints) {
  const Item f = function("{expression: {value: abs(t - 1), breakpoints: [1, w]}}");
  EXPECT_EQ(f.find("breakpoints")->numbers.size(), 2U);
  EXPECT_EQ(error("{expression: {breakpoints: [1]}}"), "m.yaml:6:26: joint 'hinge': 'motion.expression.value' is missing");
  EXPECT_EQ(error("{expression: {value: 1, breakpoints: [t]}}"),
            "m.yaml:6:51: joint 'hinge': 'motion.expression.breakpoints' may not depend on the time t");
}

TEST(InputFunctions, ramp) {
  const Item f = function("{ramp: {from: 1e-3, to: 6e-3, height: 0.01}}");
  EXPECT_EQ(f.kind, "ramp");
  EXPECT_EQ(f.subject.items.at(0).find("height")->number.constant, 0.01);
  EXPECT_EQ(f.find("base"), nullptr);
  EXPECT_EQ(error("{ramp: {from: 2, to: 1, height: 1}}"),
            "m.yaml:6:34: joint 'hinge': 'motion.ramp' must end after it begins, found from 2 to 1");
  EXPECT_EQ(error("{ramp: {from: 1, to: 2, hieght: 1}}"),
            "m.yaml:6:37: joint 'hinge': unknown key 'motion.ramp.hieght' (did you mean 'height'?)");
  EXPECT_EQ(error("{ramp: {from: 1, height: 1}}"), "m.yaml:6:20: joint 'hinge': 'motion.ramp.to' is missing");
}

TEST(InputFunctions, sine) {
  EXPECT_EQ(function("{sine: {amplitude: 1, frequency: w}}").kind, "sine");
  EXPECT_EQ(function("{sine: {amplitude: 1, angular_frequency: 2, phase: 90 deg, offset: 1}}").kind, "sine");
  const std::string message = "m.yaml:6:20: joint 'hinge': 'motion.sine' must have either 'frequency' or 'angular_frequency'";
  EXPECT_EQ(error("{sine: {amplitude: 1}}"), message);
  EXPECT_EQ(error("{sine: {amplitude: 1, frequency: 1, angular_frequency: 2}}"), message);
}

TEST(InputFunctions, polynomial) {
  EXPECT_EQ(function("{polynomial: [1, 2, w]}").subject.numbers.size(), 3U);
  EXPECT_EQ(error("{polynomial: []}"),
            "m.yaml:6:26: joint 'hinge': 'motion.polynomial' must be a list of numbers, found an empty list");
  EXPECT_EQ(error("{polynomial: 3}"), "m.yaml:6:26: joint 'hinge': 'motion.polynomial' must be a list of numbers, found '3'");
}

TEST(InputFunctions, wrong_forms) {
  EXPECT_EQ(error("[1, 2]"),
            here + "'motion' must be a number, an expression of t or a mapping such as {ramp: {..}}, found a list of 2");
  EXPECT_EQ(
      error("{}"),
      here +
          "'motion' must have one of the keys constant, ramp, piecewise_linear, sine, polynomial, expression, process, function");
  EXPECT_EQ(error("{rampe: {}}"), "m.yaml:6:14: joint 'hinge': unknown key 'motion.rampe' (did you mean 'ramp'?)");
  EXPECT_EQ(error("2*s"), "m.yaml:6:15: joint 'hinge': 'motion' uses the unknown name 's'");
}

TEST(InputFunctions, three_functions) {
  const Description model = read(force_being("load: a, force: [0, {ramp: {from: 0, to: 1, height: 2}}, 2*t]"));
  const Value& force = field(model, "forces", "force");
  ASSERT_EQ(force.items.size(), 3U);
  EXPECT_EQ(force.items[1].kind, "ramp");
  EXPECT_EQ(error_of(force_being("load: a, force: [0, 1]")),
            "m.yaml:2:30: force 'f': 'force' must be a list of 3 functions of time, found a list of 2");
  EXPECT_EQ(error_of(force_being("load: a, force: [0, ~, 1]")), "m.yaml:2:34: force 'f': 'force' has no value");
}

TEST(InputFunctions, functions_at_the_top_name_themselves) {
  const Language language = {.top = {{.key = "drive", .type = FieldType::function}}, .sections = {}};
  try {
    read_text("drive: {ramp: {from: 1}}\n", "m.yaml", language);
    FAIL();
  } catch (const InputError& e) {
    EXPECT_STREQ(e.what(), "m.yaml:1:15: drive: 'ramp.to' and 'ramp.height' are missing");
  }
}

TEST(InputTables, rows_in_the_model) {
  const Description model = read(force_being("bushing: [a, b], law: [[0, 1], [2*0.5, 3]]"));
  EXPECT_EQ(values(model, field(model, "forces", "law").numbers), (Doubles{0, 1, 1, 3}));
  const auto wrong = [](const std::string& law) { return error_of(force_being("bushing: [a, b], law: " + law)); };
  const std::string start =
      "m.yaml:2:36: force 'f': 'law' must be a table [[x, y], ...] of at least two rows or {file: name.csv}, found ";
  EXPECT_EQ(wrong("3"), start + "'3'");
  EXPECT_EQ(wrong("[[0, 1]]"), start + "a list of 1");
  EXPECT_EQ(wrong("[[0, 1], [1, 2, 3]]"), "m.yaml:2:45: force 'f': 'law' must have rows of two numbers, found a list of 3");
  EXPECT_EQ(wrong("[[0, 1], [0, 2]]"), "m.yaml:2:46: force 'f': 'law' must have an increasing first column, found 0 after 0");
  EXPECT_EQ(wrong("{fle: x}"), "m.yaml:2:37: force 'f': unknown key 'law.fle' (did you mean 'file'?)");
  EXPECT_EQ(wrong("{}"), "m.yaml:2:36: force 'f': 'law.file' is missing");
  EXPECT_EQ(wrong("{file: [a]}"), "m.yaml:2:43: force 'f': 'law.file' must be the name of a CSV file, found a list of 1");
}

TEST(InputTables, rows_in_a_file_beside_the_model) {
  const auto read_beside = [](const std::string& csv) {
    return read_text(force_being("bushing: [a, b], law: {file: " + csv + "}"), data + "model.yaml", small_language());
  };
  const Description model = read_beside("two_rows.csv");
  EXPECT_EQ(values(model, field(model, "forces", "law").numbers), (Doubles{0, 0, 1e-3, 0.5}));
  const auto wrong = [&](const std::string& csv) -> std::string {
    return test::message_of<InputError>([&] { read_beside(csv); });
  };
  EXPECT_EQ(wrong("broken.csv"), data + "broken.csv:3: 'x' is not a number");
  EXPECT_EQ(wrong("none.csv"), data + "model.yaml:2:43: force 'f': 'law.file' cannot be read: " + data +
                                   "none.csv: cannot be opened: No such file or directory");
}

TEST(InputTables, csv_has_many_dialects) {
  for (const std::string text : {"0,1\n2,3\n", "0;1\n2;3", "0 1\n2\t3\n", "t,x\r\n0,1\r\n2,3\r\n",
                                 "\xEF\xBB\xBF\"t\", \"x\"\n\n# c\n0, 1 # first\n+2, 3e0\n"})
    EXPECT_EQ(parse_csv(text, "f.csv"), (Doubles{0, 1, 2, 3})) << text;
}

TEST(InputTables, csv_errors_name_the_line) {
  const auto wrong = [](const std::string& text) -> std::string {
    return test::message_of<InputError>([&] { parse_csv(text, "f.csv"); });
  };
  EXPECT_EQ(wrong(""), "f.csv: a table needs at least two rows, found 0");
  EXPECT_EQ(wrong("t,x\n0,1\n"), "f.csv: a table needs at least two rows, found 1");
  EXPECT_EQ(wrong("0,1\n1,2,3\n"), "f.csv:2: expected two columns, found 3");
  EXPECT_EQ(wrong("0\n1\n"), "f.csv:1: expected two columns, found 1");
  EXPECT_EQ(wrong("0,1\n\nt,x\n"), "f.csv:3: 't' is not a number") << "a header comes first";
  EXPECT_EQ(wrong("0,1\n1,\n"), "f.csv:2: '' is not a number");
  EXPECT_EQ(wrong("0,1\n1,nan\n"), "f.csv:2: 'nan' is not a number");
  EXPECT_EQ(wrong("0,1\n2,1\n1,1\n"), "f.csv:3: the first column must increase, found 1 after 2");
  EXPECT_EQ(wrong("0,1\n\xFF,1\n"), "f.csv:2:1: byte 0xFF is not valid UTF-8");
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::input
