// Measured data: the forms it comes in, and what is said when it is wrong.
#include "inference/read_measurements.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>

#include "inference/specimen_files.hpp"
#include "support/message_of.hpp"
#include "support/same_numbers.hpp"
#include "support/temporary_folder.hpp"

namespace aleator::core::inference {
namespace ALEATOR_FILE {

using test::expect_same;

using Doubles = std::vector<double>;
using Words = std::vector<std::string>;
const double gap = NAN;

// A folder with specimens and a study of them, of a model with the outputs accel_z, alpha_x and p.x that is simulated to 0.03 s.
class ReadMeasurements : public testing::Test {
 protected:
  test::TemporaryFolder folder;
  const Words outputs = {"accel_z", "alpha_x", "p.x"};

  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories(std::filesystem::path(folder / name).parent_path());
    std::ofstream(folder / name, std::ios::binary) << text;
  }

  // Least-squares is content with one specimen.
  results::Measurements read(const std::string& data, const std::string& method = "least-squares",
                             const std::string& free = "a: {from: 1, to: 2}") const {
    const IdentificationStudy study = read_identification_text(
        "model: m.yaml\nmethod: " + method + "\nfree: {" + free + "}\ndata: {" + data + "}\n", folder / "s.yaml");
    return read_measurements(study, outputs, 0.03);
  }

  // What a file gives, or the message without the folder.
  results::Measurements of(const std::string& text, const std::string& more = "") const {
    write("a.csv", text);
    return read("specimens: a.csv" + more);
  }
  std::string error_of(const std::function<void()>& action) const {
    std::string message = test::message_of<input::InputError>(action);
    const std::string where = folder / "";
    for (std::size_t i = message.find(where); i != std::string::npos; i = message.find(where)) message.erase(i, where.size());
    return message;
  }
  std::string error(const std::string& text, const std::string& more = "") const {
    return error_of([&] { of(text, more); });
  }
  std::string data_error(const std::string& data, const std::string& method = "least-squares",
                         const std::string& free = "a: {from: 1, to: 2}") const {
    return error_of([&] { read(data, method, free); });
  }
};

TEST_F(ReadMeasurements, every_usual_form_is_understood) {
  for (const std::string text :
       {"time,accel_z,alpha_x\n0,1.5,2\n0.01,-3,4e1\n0.02,,6\n",
        "time;accel_z;alpha_x\r\n0;1,5;2\r\n0,01;-3;4e1\r\n0,02;;6\r\n;;\r\n",  // Windows, decimal commas, Excel
        "\xEF\xBB\xBFt\taccel_z\talpha_x\n0\t1.5\t2\n0.01\t-3\t40\n0.02\t\t6",  // byte order mark, tabs, no last end
        "# made on Monday\n\n\"Time [s]\", \"accel_z [m/s^2]\", 'alpha_x (rad/s^2)'\n0,\"1.5\",+2\n0.01,-3,40 # why\n\n0.02, "
        ",6\n",
        "# time, accel_z, alpha_x\n0,1.5,2\n0.01,-3,40\n0.02,,6\n",                         // as numpy writes it
        "other,time,note,accel_z,alpha_x\nx,0,n,1.5,2\n,0.01,,-3,40\n,0.02,\"a, b\",,6\n",  // columns nobody asked for
        "time,accel_z,alpha_x\r0,1.5,2\r0.01,-3,40\r0.02,,6\r"}) {                          // old Macs
    const results::Measurements m = of(text);
    EXPECT_EQ(m.channels, (Words{"accel_z", "alpha_x"})) << text;
    expect_same(m.noise, {0, 0}, text);
    ASSERT_EQ(m.specimens.size(), 1U);
    EXPECT_EQ(m.specimens[0].name, "a");
    expect_same(m.specimens[0].times, {0, 0.01, 0.02}, text);
    expect_same(m.specimens[0].values, {1.5, 2, -3, 40, gap, 6}, text);
  }
  const results::Measurements blanks = of("time [s]  p.x [m]\n 0   1,5\n\t0.01 \t 2\n");
  EXPECT_EQ(blanks.channels, (Words{"p.x"}));
  expect_same(blanks.specimens[0].values, {1.5, 2}, "blanks");
}

TEST_F(ReadMeasurements, columns_scales_noise_and_times_follow_the_study) {
  const results::Measurements m = of("stamp,az,accel_z,px\n1000,1,9,4\n1010,2,9,5\n1020,3,9,6\n1090,4,9,7\n",
                                     ", time: stamp, columns: {p.x: px, accel_z: az}, scale: {accel_z: 10}, noise: {p.x: 0.5}, "
                                     "time_scale: 1e-3, time_offset: 1, "
                                     "from: 0.005, to: 0.03");
  EXPECT_EQ(m.channels, (Words{"accel_z", "p.x"})) << "in the order of the outputs";
  expect_same(m.noise, {0, 0.5}, "noise");
  ASSERT_EQ(m.specimens[0].times.size(), 2U);
  EXPECT_NEAR(m.specimens[0].times[0], 0.01, 1e-15);  // round-off of 1.01 - 1
  EXPECT_NEAR(m.specimens[0].times[1], 0.02, 1e-15);
  expect_same(m.specimens[0].values, {20, 5, 30, 6}, "values");
  expect_same(of("time,accel_z,p.x\n0,1,1\n0.01,1,1\n", ", noise: 0.25").noise, {0.25, 0.25}, "one for all");
}

TEST_F(ReadMeasurements, folders_patterns_and_lists_are_resolved) {
  for (const char* name : {"m/b.csv", "m/a.csv", "m/c.CSV", "m/.hidden.csv", "m/readme.txt", "n/a.csv"})
    write(name, "time,accel_z\n0,1\n0.01,2\n");
  const auto names = [&](const std::string& specimens) {
    Words list;
    for (const results::Specimen& s : read("specimens: " + specimens).specimens) list.push_back(s.name);
    return list;
  };
  EXPECT_EQ(names("m"), (Words{"a", "b", "c"}));
  EXPECT_EQ(names("\"m/[ab]*\""), (Words{"a", "b"}));
  EXPECT_EQ(names("[m/b.csv, n]"), (Words{"b", "a"}));
  EXPECT_EQ(names("[m/a.csv, n]"), (Words{"m/a", "n/a"})) << "the same name twice";
}

TEST_F(ReadMeasurements, files_that_are_not_there) {
  write("m/b01.csv", "time,accel_z\n0,1\n0.01,2\n");
  write("empty/x.txt", "");
  EXPECT_EQ(data_error("specimens: nowhere"), "s.yaml:4:19: data: 'specimens': there is no file or folder 'nowhere' in '" +
                                                  std::filesystem::path(folder / "x").parent_path().string() + "'");
  EXPECT_EQ(data_error("specimens: m/b10.csv"),
            "s.yaml:4:19: data: 'specimens': there is no file 'b10.csv' in 'm' (did you mean 'b01.csv'?)");
  EXPECT_EQ(data_error("specimens: empty"), "s.yaml:4:19: data: 'specimens': there is no *.csv in the folder 'empty'");
  EXPECT_EQ(data_error("specimens: m/c*.csv"), "s.yaml:4:19: data: 'specimens': no file matches 'm/c*.csv'");
  EXPECT_EQ(data_error("specimens: [m, m/b01.csv]"),
            "s.yaml:4:19: data: 'specimens': 'm/b01.csv' is listed twice (the second time by 'm/b01.csv')");
  EXPECT_EQ(data_error("specimens: [m, m]"), "s.yaml:4:23: data: 'specimens' has 'm' twice");
}

TEST_F(ReadMeasurements, headers_that_do_not_fit) {
  EXPECT_EQ(error("x,accel_z\n0,1\n"),
            "a.csv:1: there is no column 'time' with the time; the columns are x, accel_z (choose one by 'time' in the study's "
            "'data')");
  EXPECT_EQ(error("time,accel_z\n0,1\n", ", time: s"),
            "a.csv:1: there is no column 's' with the time; the columns are time, accel_z (choose one by 'time' in the study's "
            "'data')");
  EXPECT_EQ(error("# c\ntime,az_tpo,x\n0,1,2\n", ", columns: {accel_z: az_top}"),
            "a.csv:2: there is no column 'az_top', which the study assigns to 'accel_z' (did you mean 'az_tpo'?)");
  EXPECT_EQ(error("time,az\n0,1\n", ", columns: {accel_y: az}"),
            "s.yaml:4:45: data: 'columns': the model has no output 'accel_y' (did you mean 'accel_z'?)");
  EXPECT_EQ(error("time,az\n0,1\n", ", columns: {accel_z: az, p.x: az}"),
            "s.yaml:4:54: data: 'columns': 'accel_z' and 'p.x' cannot both be the column 'az'");
  EXPECT_EQ(
      error("time,az\n0,1\n"),
      "a.csv:1: no column is an output of the model; the columns are time, az, the outputs are accel_z, alpha_x, p.x (assign "
      "them by 'columns' in the study's 'data')");
  EXPECT_EQ(error("time,accel_z,accel_z\n0,1,2\n"), "a.csv:1: 2 columns are called 'accel_z'");
  EXPECT_EQ(error("t,accel_z\n0,1\n0.01,1\n", ", columns: {accel_z: t}"),
            "a.csv:1: the column 't' is the time, and cannot be 'accel_z' too");
  EXPECT_EQ(error("time [ms],accel_z\n0,1\n"),
            "a.csv:1: 'time [ms]' is not in seconds; add 'time_scale: 1e-3' to the study's 'data'");
  EXPECT_EQ(error("0,1\n0.01,2\n"), "a.csv:1: the first line must name the columns (time, accel_z, ..), found numbers");
  EXPECT_EQ(error("# nothing\n"),
            "a.csv: is empty; expected a line that names the columns (time, accel_z, ..) and lines of numbers");
  EXPECT_EQ(error("\xFF\xFEt\n"), "a.csv:1: the file is not plain text (it looks like UTF-16); save it as CSV in UTF-8");
  EXPECT_EQ(error(std::string("a\0b\n", 4)), "a.csv: is not text: it contains a NUL byte; save it as CSV");
  EXPECT_EQ(error("time,accel_z\n0,1\n0.01,2\n", ", noise: {alpha_x: 2}"),
            "s.yaml:4:43: data: 'noise': no measured output is called 'alpha_x' (known: accel_z)");
  EXPECT_EQ(error("time,accel_z\n0,1\n0.01,2\n", ", scale: {acel_z: 2}"),
            "s.yaml:4:42: data: 'scale': no measured output is called 'acel_z' (did you mean 'accel_z'?)");
}

TEST_F(ReadMeasurements, specimens_that_measure_different_things) {
  write("m/a.csv", "time,accel_z,p.x\n0,1,2\n0.01,2,3\n");
  write("m/b.csv", "time,accel_z\n0,1\n0.01,2\n");
  EXPECT_EQ(data_error("specimens: m"),
            "m/b.csv:1: there is no column 'p.x', which m/a.csv has; add one with empty cells if 'p.x' was not measured here");
  write("m/b.csv", "time,accel_z,p.x,alpha_x\n0,1,,1\n0.01,2,,1\n");
  EXPECT_EQ(data_error("specimens: m"),
            "m/b.csv:1: there is a column 'alpha_x', which m/a.csv lacks; add one with empty cells there if 'alpha_x' was not "
            "measured, or choose by 'columns' in the study's 'data'");
  write("m/b.csv", "time,accel_z,p.x\n0,1,\n0.01,2,\n");
  expect_same(read("specimens: m").specimens[1].values, {1, gap, 2, gap}, "a column may be empty in one file");
  write("m/a.csv", "time,accel_z,p.x\n0,1,\n0.01,2,\n");
  EXPECT_EQ(data_error("specimens: m"),
            "s.yaml:4:19: data: 'specimens': the column of 'p.x' has no value in any file; leave it out by 'columns'");
}

TEST_F(ReadMeasurements, cells_that_are_no_numbers) {
  const std::string start = "time,accel_z [g]\n0,1\n";
  for (const std::string word : {"nan", "NaN", "-inf", "Infinity", "n/a", "-"})
    EXPECT_EQ(error(start + "0.01," + word + "\n"),
              "a.csv:3: '" + word +
                  "' in column 'accel_z [g]' is not a measured value; leave the cell empty where nothing was measured");
  EXPECT_EQ(error(start + "0.01,1.2.3\n"), "a.csv:3: '1.2.3' in column 'accel_z [g]' is not a number");
  EXPECT_EQ(
      error("time,accel_z\ns,g\n0,1\n"),
      "a.csv:2: 's' in column 'time' is not a number (units are written in brackets after the name of a column, or after #)");
  EXPECT_EQ(error(start + "0.01,1e999\n"), "a.csv:3: '1e999' in column 'accel_z [g]' is not a number");
  EXPECT_EQ(error(start + ",1\n"), "a.csv:3: the cell of 'time' is empty; only measured columns may have gaps");
  EXPECT_EQ(error(start + "0.01\n"), "a.csv:3: expected 2 cells, as in the header (line 1), found 1");
  EXPECT_EQ(
      error(start + "0,01,2,5\n"),
      "a.csv:3: expected 2 cells, as in the header (line 1), found 4; with decimal commas, separate the columns by semicolons");
  EXPECT_EQ(
      error("time;accel_z\n0;1.234,5\n"),
      "a.csv:2: '1.234,5' in column 'accel_z' is not a number (units are written in brackets after the name of a column, or "
      "after #)");
}

TEST_F(ReadMeasurements, times_that_cannot_be) {
  EXPECT_EQ(error("t,accel_z\n0,1\n0.02,1\n\n0.01,1\n"), "a.csv:5: 't' must increase, found 0.01 after 0.02 (line 3)");
  EXPECT_EQ(error("t,accel_z\n0.01,1\n0.01,1\n"), "a.csv:3: 't' must increase, found 0.01 after 0.01 (line 2)");
  EXPECT_EQ(
      error("t,accel_z\n-0.01,1\n0.01,1\n"),
      "a.csv:2: time -0.01 s is before the start of the model at 0; cut the data ('from: 0' in the study's 'data') or shift it "
      "('time_offset')");
  EXPECT_EQ(error("t,accel_z\n0,1\n0.05,1\n"),
            "a.csv:3: time 0.05 s is beyond the end of the simulation: the model is simulated to 0.03 s; simulate longer "
            "(simulation.duration) or cut the data ('to: 0.03' in the study's 'data')");
  EXPECT_EQ(error("t,accel_z\n0,1\n50,1\n", ", time_scale: 1e-3").substr(0, 46),
            "a.csv:3: time 0.05 s (in the file 50) is beyon");
  expect_same(of("t,accel_z\n0,1\n0.03000001,1\n").specimens[0].times, {0, 0.03}, "rounding in the file");
  EXPECT_EQ(error("t,accel_z\n0,1\n"), "a.csv: a specimen needs at least 2 points in time, found 1");
  EXPECT_EQ(error("t,accel_z\n0,1\n0.01,\n"), "a.csv: a specimen needs at least 2 points in time, found 1");
  EXPECT_EQ(error("t,accel_z\n0,1\n0.01,1\n", ", from: 0.005, to: 0.02"),
            "a.csv: a specimen needs at least 2 points in time, found 1 from 0.005 s to 0.02 s");
}

// Whatever the bytes, there is a message or there are numbers.
TEST_F(ReadMeasurements, damaged_files_do_no_harm) {
  const std::string good = "# by hand\n\"time [s]\";accel_z (g);p.x\r\n0;1,5;2\r\n0,01;;-3e1 # why\r\n0,02;7;\r\n";
  const std::string bytes = " ,;\t\n\r\"'#[]()0123456789.-+einf\xEF\xBB\xBF\xFF";
  std::mt19937 random(5);
  int errors = 0;
  for (int i = 0; i < 500; ++i) {
    std::string text = good;
    for (unsigned n = 1 + random() % 4; n > 0; --n) {
      const std::size_t at = random() % text.size();
      if (random() % 3 == 0)
        text.erase(at, 1 + random() % 5);
      else
        text.insert(at, 1, bytes[random() % bytes.size()]);
      if (text.empty()) text = "\n";
    }
    const std::string message = error(text);
    if (message == "no error") continue;
    ++errors;
    EXPECT_TRUE(message.starts_with("a.csv:") || message.starts_with("s.yaml:")) << message;
  }
  EXPECT_GT(errors, 50);
  EXPECT_LT(errors, 450);
}

TEST_F(ReadMeasurements, too_few_specimens) {
  for (const char* name : {"m/a.csv", "m/b.csv"}) write(name, "time,accel_z\n0,1\n0.01,2\n");
  const std::string two = "a: {from: 1, to: 2}, b: {from: 1, to: 2}";
  EXPECT_EQ(
      data_error("specimens: m", "maximum-likelihood", two),
      "s.yaml:4:19: data: 'specimens': 2 specimens cannot identify 2 parameters: maximum-likelihood needs at least 3, and better "
      "20, because the parameters are identified from the scatter between specimens; measure more, or free fewer parameters");
  EXPECT_EQ(data_error("specimens: m/a.csv", "bayesian").substr(0, 81),
            "s.yaml:4:19: data: 'specimens': 1 specimen cannot identify 1 parameter: bayesian ");
  EXPECT_EQ(data_error("specimens: m", "bayesian"), "no error");
  EXPECT_EQ(data_error("specimens: m/a.csv", "least-squares"), "no error");
  EXPECT_EQ(data_error("specimens: m/a.csv", "least-squares", two),
            "s.yaml:4:19: data: 'specimens': 2 measured values cannot determine 2 parameters by least-squares: more values than "
            "parameters are needed");
  EXPECT_EQ(data_error("specimens: m/a.csv", "sweep", two), "no error");
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::inference
