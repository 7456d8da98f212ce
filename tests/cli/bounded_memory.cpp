// Responses beyond 64 MB are not held in memory, but read from the journal: nothing else changes.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdlib>

#include "interrupted_runs.hpp"
#include "program.hpp"
#include "study_files.hpp"
#include "support/model_text.hpp"
#include "support/sanitized.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

// So many megabytes are held while this lives.
class Held {
 public:
  explicit Held(const char* megabytes) { setenv("ALEATOR_HELD_RESPONSES", megabytes, 1); }
  ~Held() { unsetenv("ALEATOR_HELD_RESPONSES"); }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
};

void expect_runs(const Folder& folder, const std::vector<std::string>& arguments) {
  const Outcome o = aleator(arguments, folder.path());
  EXPECT_EQ(o.code, 0) << o.err;
}

TEST(BoundedMemory, every_method_finds_the_same) {
  for (const std::string method :
       {"monte-carlo", "latin-hypercube", "sobol", "polynomial-chaos", "polynomial-chaos, chaos: {coefficients: sparse}",
        "control-variate", "multilevel", "first-order", "univariate-reduction", "morris", "auto", "auto, accuracy: 2%",
        "halton, accuracy: 5%, accuracy_of: band", "monte-carlo, sensitivity: true"}) {
    const Folder folder;
    folder.write("m.yaml", oscillator("samples: 150, seed: 5, method: " + method));
    expect_runs(folder, {"run", "m.yaml", "--out", "held", "--no-report"});
    const Held nothing("0");
    expect_runs(folder, {"run", "m.yaml", "--out", "read", "--no-report"});
    EXPECT_EQ(bits_of(folder / "held/results.h5"), bits_of(folder / "read/results.h5")) << method;
  }
}

// Some are held, the first ones or the last ones are not; failed realizations; more samples later; parts.
TEST(BoundedMemory, however_a_study_comes_about) {
  const Folder folder;
  folder.write("m.yaml", oscillator("samples: 300, seed: 5"));
  expect_runs(folder, {"run", "m.yaml", "--out", "held", "--no-report"});
  const Bits expected = bits_of(folder / "held/results.h5");
  const Held some("0.02");  // 119 realizations
  expect_runs(folder, {"run", "m.yaml", "--samples", "100", "--out", "more", "--no-report"});
  expect_runs(folder, {"run", "m.yaml", "--out", "more", "--no-report"});
  EXPECT_EQ(bits_of(folder / "more/results.h5"), expected);
  for (const char* part : {"1/3", "2/3", "3/3"}) expect_runs(folder, {"run", "m.yaml", "--part", part, "--out", "parts"});
  std::vector<std::string> merge = {"merge", "--no-report"};
  for (const std::string& f : folder.files())
    if (f.starts_with("parts/parts/")) merge.push_back(f);
  EXPECT_EQ(merge.size(), 5u);
  expect_runs(folder, merge);
  EXPECT_EQ(bits_of(folder / "parts/results.h5"), expected);
}

TEST(BoundedMemory, survives_kills_and_full_disks) {
  const Held nothing("0");
  const KillFigures kills = expect_survives_kills({.model = oscillator("samples: 3000, seed: 5"), .kills = 3, .seed = 7});
  EXPECT_EQ(kills.kills, 3);
  expect_survives_full_disk(oscillator("samples: 300, seed: 5"), 2);
}

long most_memory() {  // kB, of processes that were started by this one
  rusage all{};
  getrusage(RUSAGE_CHILDREN, &all);
  return all.ru_maxrss;
}

// 20,000 realizations of 1001 numbers: 160 MB.
TEST(BoundedMemory, is_what_is_held_and_a_block) {
#ifdef ALEATOR_ADDRESS_SANITIZER
  GTEST_SKIP() << "it has memory of its own";
#endif
  const Folder folder;
  std::string model = oscillator("samples: 100, seed: 5");
  model = replaced(model, "step: 4e-3, output_step: 0.02", "step: 4e-3, output_step: 4e-4");
  folder.write("m.yaml", model);
  expect_runs(folder, {"run", "m.yaml", "--out", "few", "--no-report"});
  const long few = most_memory();
  expect_runs(folder, {"run", "m.yaml", "--out", "many", "--samples", "20000", "--no-report"});
  EXPECT_LT(most_memory() - few, 160000);  // held, 64 MB, then a block of columns, 64 MB; sorted columns
  EXPECT_EQ(results::StudyReader(folder / "many/results.h5").samples(), 20000);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
