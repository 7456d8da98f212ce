// examples/slider-crank-study/study.sh --quick: the steps of the whole study with small numbers, and what must come out even so.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <sstream>

#include "program.hpp"
#include "support/model_text.hpp"
#include "support/places.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

struct Errors {
  double mu = 0, sigma = 0;
  int count = 0;
};

// Errors of errors.csv by "case method against output"; those of several seeds averaged.
std::map<std::string, Errors> errors_of(const std::string& text) {
  std::map<std::string, Errors> all;
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "case,method,runs,seed,against,output,e_mu,e_sigma,e_mu_relative_to,e_mu_noise,e_sigma_noise");
  while (std::getline(lines, line)) {
    std::vector<std::string> cells;
    std::istringstream in(line + ",");
    for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
    EXPECT_EQ(cells.size(), 11u) << line;
    if (cells.size() != 11) continue;
    Errors& e = all[cells[0] + ' ' + cells[1] + ' ' + cells[4] + ' ' + cells[5]];
    e.mu += std::stod(cells[6]);
    e.sigma += std::stod(cells[7]);
    ++e.count;
  }
  for (auto& [name, e] : all) e.mu /= e.count, e.sigma /= e.count;
  return all;
}

TEST(SliderCrankStudy, quick) {
  const Folder folder;
  const std::string command =
      fmt::format("'{}/examples/slider-crank-study/study.sh' --quick --reference 128 --out '{}' --aleator '{}' > '{}' 2>&1",
                  source_folder(), folder / "study", program_file(), folder / "log");
  ASSERT_EQ(std::system(command.c_str()), 0) << text_of_file(folder / "log");

  const std::map<std::string, Errors> all = errors_of(text_of_file(folder / "study/errors.csv"));
  const auto at = [&](const std::string& name) {
    const auto found = all.find(name);
    EXPECT_NE(found, all.end()) << name;
    return found == all.end() ? Errors{NAN, NAN, 0} : found->second;
  };
  for (const char* name : {"long-high-rigid", "short-high-rigid", "short-low-rest", "two-variables-rest"})
    for (const char* against : {"reference", "mc-32"})
      for (const char* output : {"qx", "qy", "fx", "fy"})
        for (const char* method : {"lhs", "sobol", "sparse", "auto", "mc"}) {
          const Errors e = at(fmt::format("{} {} {} {}", name, method, against, output));
          EXPECT_EQ(e.count, std::string(method) == "lhs" ? 2 : 1);
          const bool itself = std::string(method) == "mc" && std::string(against) == "mc-32";
          EXPECT_EQ(e.sigma == 0, itself) << name << ' ' << method << ' ' << output;
        }

  // Where the response is smooth, nine points of a quadrature beat a hypercube of nine: qx is nearly linear in the crank length.
  // The reference of 64 points is good to 1 % in the standard deviation, the hypercubes to 3 … 15 %.
  EXPECT_LT(at("long-high-rigid pc-2 reference qx").mu, 0.2 * at("long-high-rigid lhs reference qx").mu);
  EXPECT_LT(at("long-high-rigid pc-2 reference qx").sigma, 0.2 * at("long-high-rigid lhs reference qx").sigma);
  EXPECT_LT(at("long-high-rigid pc-2 reference qx").sigma, 0.01);
  EXPECT_LT(at("long-high-rigid pc-2 reference qy").sigma, at("long-high-rigid lhs reference qy").sigma);
  EXPECT_LT(at("short-high-rigid pc-2 reference qx").sigma, at("short-high-rigid lhs reference qx").sigma);
  // From rest with the weak damper the forces are rough in Poisson's ratio: the quadrature loses, and keeps qx.
  for (const char* output : {"fx", "fy"}) {
    EXPECT_GT(at(fmt::format("short-low-rest pc-2 reference {}", output)).mu,
              at(fmt::format("short-low-rest lhs reference {}", output)).mu);
    EXPECT_GT(at(fmt::format("two-variables-rest pc-4 reference {}", output)).mu,
              2 * at(fmt::format("two-variables-rest lhs reference {}", output)).mu);
  }
  EXPECT_LT(at("short-low-rest pc-2 reference qx").sigma, at("short-low-rest lhs reference qx").sigma);
  // A small Monte Carlo reference hides how good the quadrature is.
  EXPECT_GT(at("long-high-rigid pc-2 mc-32 qx").sigma, 10 * at("long-high-rigid pc-2 reference qx").sigma);

  // Responses at 0.8 s: along the dominant variable they move by far more from rest than with the rigid start
  const Csv smooth = parse_csv_text(text_of_file(folder / "study/sweeps/long-high-rigid-xi1.csv"));
  const Csv rough = parse_csv_text(text_of_file(folder / "study/sweeps/short-low-rest-xi1.csv"));
  ASSERT_EQ(smooth.rows.size(), 5u);
  ASSERT_EQ(rough.rows.size(), 5u);
  EXPECT_NEAR(smooth.rows[2][0], 0, 1e-12);
  EXPECT_NEAR(smooth.rows[2][1], -0.16914161, 1e-7);  // the nominal model, as in examples.cpp
  EXPECT_NEAR(smooth.rows[2][3], -41.2, 1);
  const auto range = [](std::vector<double> v) {
    const auto [low, high] = std::minmax_element(v.begin(), v.end());
    return *high - *low;
  };
  EXPECT_GT(range(rough.column("fx")), 20 * range(smooth.column("fx")));

  const std::string tables = text_of_file(folder / "study/tables.md"), decisions = text_of_file(folder / "study/auto.md");
  EXPECT_NE(tables.find("## short-low-rest, against Monte Carlo with 32 runs"), std::string::npos);
  EXPECT_NE(decisions.find("## two-variables-rest"), std::string::npos);
  EXPECT_NE(decisions.find("auto: "), std::string::npos);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
