// Studies by several processes under mpirun: the same, bit for bit, as by one; and what becomes of them when a process is lost.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "program.hpp"
#include "support/model_text.hpp"
#include "support/places.hpp"
#include "support/results_contents.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

namespace fs = std::filesystem;

class Mpi : public testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(fs::path(program_file()).parent_path() / "lib/aleator/aleator_mpi.so")) GTEST_SKIP() << "built without MPI";
    if (std::system("command -v mpirun >/dev/null") != 0) GTEST_SKIP() << "there is no mpirun";
  }

  // `mpirun -n ranks aleator arguments`; `meanwhile` is a shell command that runs beside it.
  Outcome mpirun(int ranks, const std::string& arguments, const std::string& meanwhile = "", const std::string& options = "") {
    const std::string out = folder / "mpi.out", err = folder / "mpi.err";
    const std::string command =
        "cd '" + folder.path() + "' && export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 && { " +
        (meanwhile.empty() ? "" : "( " + meanwhile + " ) & ") + "timeout -s KILL 200 mpirun --oversubscribe " + options + " -n " +
        std::to_string(ranks) + " " + program_file() + " " + arguments + " >'" + out + "' 2>'" + err + "' </dev/null; }";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status), text_of_file(out), text_of_file(err)};
  }

  void write_model(const std::string& study, const std::string& step = "5e-4") {
    folder.write("m.yaml",
                 replaced(replaced(example("five-body"), "{method: monte-carlo, samples: 500, confidence: 0.90, seed: 1}", study),
                          "step: 1e-4, output_step: 1e-4", "step: " + step + ", output_step: 1e-3"));
  }
  void expect_as_alone(int ranks) {
    ASSERT_EQ(aleator({"run", "m.yaml", "--out", "alone", "--threads", "1", "--no-report"}, folder.path()).code, 0);
    const Outcome o = mpirun(ranks, "run m.yaml --out ranks --no-report");
    ASSERT_EQ(o.code, 0) << o.err;
    EXPECT_EQ(difference_of_results(folder / "alone/results.h5", folder / "ranks/results.h5"), "");
  }

  Folder folder;
};

TEST_F(Mpi, sampling) {
  write_model("{samples: 203}");
  expect_as_alone(3);
}
TEST_F(Mpi, statistics_alone) {
  write_model("{samples: 1500, keep: statistics}");
  expect_as_alone(2);
}
// Ranks add up blocks of 256 realizations; beyond 16,384 they halve what they give to the quantiles.
TEST_F(Mpi, blocks_of_statistics) {
  write_model("{samples: 20000, keep: statistics}");
  expect_as_alone(2);
}
// Of a study that ends there are rows on the way that nobody waits for; what there is so far ends with the same row, amid a block.
TEST_F(Mpi, a_failure_ends_all_of_them) {
  folder.write("m.yaml",
               "parameters: {k: 100, m: 1}\n"
               "bodies: {b: {mass: m, inertia: {xx: 1, yy: 1, zz: 1}, at: [0, 0, 0]}}\n"
               "joints: {j: {prismatic: [ground, b], axis: z, at: [0, 0, 0], spring: {stiffness: k}}}\n"
               "uncertain: {m: {normal: {mean: 1, std: 0.26}}}\n"
               "outputs: {z: {position: b, component: z}}\n"
               "scalars: {top: {minimum: z}}\n"
               "simulation: {duration: 0.1, step: 1e-2, output_step: 1e-2, integrator: runge-kutta}\n"
               "study: {keep: statistics, samples: 200000, on_failure: stop, seed: 3}\n");
  const Outcome alone = aleator({"run", "m.yaml", "--out", "alone", "--threads", "1", "--no-report"}, folder.path());
  const Outcome o = mpirun(2, "run m.yaml --out ranks --no-report");
  EXPECT_NE(o.code, 0);
  EXPECT_EQ(o.code, alone.code) << o.err;
  EXPECT_EQ(difference_of_results(folder / "alone/partial.h5", folder / "ranks/partial.h5"), "");
}
TEST_F(Mpi, a_method_that_invents_realizations_on_the_way) {
  write_model("{samples: 300, method: auto}");
  expect_as_alone(3);
}
TEST_F(Mpi, to_an_accuracy) {
  write_model("{samples: 4000, accuracy: 5%}");
  expect_as_alone(2);
}

TEST_F(Mpi, wrong_models_end_all_of_them) {
  folder.write("m.yaml", "bodies: {}\n");
  EXPECT_EQ(mpirun(3, "run m.yaml").code, 3);
  write_model("{samples: 20, method: multilevel, levels: {coarsen: elements}}");
  EXPECT_EQ(mpirun(2, "run m.yaml").code, 3);
}

TEST_F(Mpi, several_models) {
  write_model("{samples: 60, method: multilevel}", "1e-4");
  expect_as_alone(3);
}

TEST_F(Mpi, nothing_uncertain_is_computed_once) {
  fs::copy(source_folder() + "/examples/pendulum.yaml", folder / "m.yaml");
  const Outcome o = mpirun(2, "run m.yaml --out one");
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_TRUE(fs::exists(folder / "one/nominal.h5"));
}

// mpirun then ends the others, too. What was finished is there, and one process can go on with it.
TEST_F(Mpi, a_killed_rank_loses_nothing_that_was_finished) {
  write_model("{samples: 12000}", "5e-5");
  const std::string kill_one =  // when some realizations are there, however fast they come
      "until [ \"$(stat -c %s cut/unfinished.journal 2>/dev/null || echo 0)\" -gt 100000 ]; do sleep 0.01; done; "
      "pkill -KILL -n -f 'run m.yaml --out [c]ut'";
  const Outcome cut = mpirun(3, "run m.yaml --out cut --no-report", kill_one);
  EXPECT_NE(cut.code, 0);
  ASSERT_TRUE(fs::exists(folder / "cut/unfinished.journal")) << cut.err;
  const Outcome resumed = aleator({"resume", "cut", "--no-report"}, folder.path());
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_NE(resumed.err.find("continuing after "), std::string::npos) << resumed.err;
  ASSERT_EQ(aleator({"run", "m.yaml", "--out", "alone", "--no-report"}, folder.path()).code, 0);
  EXPECT_EQ(difference_of_results(folder / "alone/results.h5", folder / "cut/results.h5"), "");
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
