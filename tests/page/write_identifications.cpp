// Results files with identifications that are made up, for the tests of the page (web/tests/identification.test.mjs): FOLDER/NAME.h5.
#include <cstdio>

#include "results/write.hpp"
#include "support/identification.hpp"

int main(int count, char** words) {
  using namespace aleator::results;
  if (count != 2) return std::fputs("one word is needed: a folder that exists\n", stderr), 2;
  const std::pair<const char*, MadeUp> files[] = {
      {"bayesian", {}},
      {"likelihood", {.method = "maximum-likelihood", .parameters = 2}},
      {"single", {.parameters = 1, .specimens = 5, .irregular = true}},
      {"not-explained", {.method = "maximum-likelihood", .explained = false}},
      {"six", {.parameters = 6}},
      {"many", {.method = "maximum-likelihood", .parameters = 8, .irregular = true}},
      {"large", {.specimens = 200, .times = 5000}},
      {"sweep", {.method = "sweep"}},
  };
  Provenance origin = provenance_here();
  origin.title = "Made up";
  origin.model_file = "made-up.yaml";
  const auto path = [&](const std::string& name) { return words[1] + ("/" + name + ".h5"); };
  for (const auto& [name, what] : files)
    write_study(path(name), MadeUpStudy(std::make_shared<const Identification>(made_up_identification(what))).result, origin);
  const Identification fitted =
      made_up_identification({.method = "least-squares", .parameters = 2, .specimens = 1, .irregular = true});
  write_nominal(path("least-squares"), MadeUpStudy(nullptr).result.nominal, origin, &fitted);
}
