// Job scripts: what they ask Slurm for, and what they start. Slurm itself is not needed here (tests/slurm has it): commands of the
// same names write down how they were called.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "program.hpp"
#include "support/model_text.hpp"
#include "support/places.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

namespace fs = std::filesystem;

const std::string five_body = source_folder() + "/examples/five-body.yaml";

std::vector<std::string> slurm(std::vector<std::string> more, const std::string& model = five_body) {
  std::vector<std::string> all = {"slurm", model, "--nodes", "4", "--time", "1h"};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

bool has(const std::string& text, const std::string& what) { return text.find(what) != std::string::npos; }

// Commands of Slurm that write their arguments, one per line, into the folder; sbatch answers with the number of a job.
class Pretended {
 public:
  explicit Pretended(const Folder& folder) : folder_(folder), bin_(folder / "bin") {
    fs::create_directory(bin_);
    command("sbatch", "for a; do printf '%s\\n' \"$a\"; done >>sbatch.txt; echo '17;here'");
    command("srun", "case $1 in --mpi=list) echo pmix >&2; exit;; esac\nprintf '%s\\n' \"$@\" >srun.txt; exit \"${CODE:-0}\"");
    command("scontrol", "echo \"$@\" >scontrol.txt");
  }
  // `sh SCRIPT` with variables NAME=VALUE; returns its exit code.
  int run(const std::string& script, const std::string& variables) const {
    const std::string line = "cd '" + folder_.path() + "' && env PATH='" + bin_ + "':\"$PATH\" SLURM_CPUS_ON_NODE=6 " +
                             variables + " sh " + script + " >said.txt 2>&1";
    return WEXITSTATUS(std::system(line.c_str()));
  }
  std::vector<std::string> lines(const std::string& file) const {
    std::vector<std::string> all;
    std::istringstream in(text_of_file(folder_ / file));
    for (std::string line; std::getline(in, line);) all.push_back(line);
    return all;
  }

 private:
  void command(const std::string& name, const std::string& body) const {
    const std::string file = folder_.write("bin/" + name, "#!/bin/sh\n" + body + "\n");
    chmod(file.c_str(), 0755);
  }
  const Folder& folder_;
  std::string bin_;
};

TEST(Slurm, array_asks_for_one_task_per_part) {
  const Folder folder;
  const Outcome o =
      aleator(slurm({"--partition", "long", "--account", "me@lab", "--memory", "16G", "--script", "-"}), folder.path());
  ASSERT_EQ(o.code, 0) << o.err;
  for (const char* line : {"#!/bin/sh\n", "#SBATCH --job-name=five-body\n", "#SBATCH --array=1-4\n", "#SBATCH --exclusive\n",
                           "#SBATCH --time=0-01:00:00\n", "#SBATCH --partition=long\n", "#SBATCH --account=me@lab\n",
                           "#SBATCH --mem=16G\n", "#SBATCH --signal=INT@60\n", "#SBATCH --requeue\n"})
    EXPECT_TRUE(has(o.out, line)) << line << o.out;
  EXPECT_TRUE(folder.files().empty());
}

TEST(Slurm, parts_on_shared_nodes) {
  const Outcome o = aleator(slurm({"--tasks-per-node", "3", "--cpus-per-task", "2", "--script", "-"}));
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_TRUE(has(o.out, "#SBATCH --array=1-12\n#SBATCH --nodes=1\n#SBATCH --ntasks=1\n#SBATCH --cpus-per-task=2\n")) << o.out;
  EXPECT_FALSE(has(o.out, "exclusive"));
}

TEST(Slurm, times) {
  const std::vector<std::pair<std::string, std::string>> times = {
      {"1h", "0-01:00:00"},         {"90m", "0-01:30:00"},   {"90min", "0-01:30:00"},   {"2d", "2-00:00:00"},
      {"1d12h", "1-12:00:00"},      {"1h30m", "0-01:30:00"}, {"1:30:00", "0-01:30:00"}, {"100:00:00", "4-04:00:00"},
      {"1-12:00:00", "1-12:00:00"}, {"2m", "0-00:02:00"},    {"0:09:30", "0-00:10:00"}};  // whole minutes, never fewer
  for (const auto& [text, limit] : times) {
    const Outcome o = aleator({"slurm", five_body, "--nodes", "1", "--time", text, "--script", "-"});
    EXPECT_TRUE(has(o.out, "#SBATCH --time=" + limit + "\n")) << text << o.err;
  }
  for (const char* text :
       {"", "90", "1:30", "h", "1 h", "1.5h", "-1h", "1h30", "1m", "0h", "400d", "1:60:00", "soon", "99999999999999999999d"}) {
    const Outcome o = aleator({"slurm", five_body, "--nodes", "1", "--time", text, "--script", "-"});
    EXPECT_EQ(o.code, 2) << text;
    EXPECT_TRUE(has(o.err, "1h, 90m, 2d") || *text == 0) << o.err;
  }
}

TEST(Slurm, what_cannot_be_meant_ends_with_2) {
  const Folder folder;
  const std::vector<std::vector<std::string>> wrong = {{"--nodes", "0"},
                                                       {"--nodes", "10001"},
                                                       {"--form", "cloud"},
                                                       {"--partition", "a b"},
                                                       {"--partition", "a\n#SBATCH --nodes=9"},
                                                       {"--account", "'"},
                                                       {"--memory", "16"},
                                                       {"--memory", "16X"},
                                                       {"--memory", "much"},
                                                       {"--tasks-per-node", "2"},  // of what is each part?
                                                       {"--samples", "3"},         // fewer than parts
                                                       {"--threads", "2"},
                                                       {"--part", "1/2"}};
  for (const std::vector<std::string>& options : wrong) {
    std::vector<std::string> all = {"slurm", five_body, "--time", "1h"};
    if (options[0] != "--nodes") all.insert(all.end(), {"--nodes", "4"});
    all.insert(all.end(), options.begin(), options.end());
    const Outcome o = aleator(all, folder.path());
    EXPECT_EQ(o.code, 2) << testing::PrintToString(options) << o.err;
  }
  EXPECT_EQ(aleator({"slurm", five_body, "--time", "1h"}, folder.path()).code, 2);
  EXPECT_EQ(aleator({"slurm", five_body, "--nodes", "1"}, folder.path()).code, 2);
  EXPECT_TRUE(folder.files().empty());
}

TEST(Slurm, parts_cannot_look_at_each_other) {
  for (const std::vector<std::string>& adaptive :
       std::vector<std::vector<std::string>>{{"--method", "auto"}, {"--method", "multilevel"}, {"--accuracy", "1%"}}) {
    std::vector<std::string> array = adaptive, mpi = adaptive;
    array.insert(array.end(), {"--script", "-"});
    mpi.insert(mpi.end(), {"--form", "mpi", "--script", "-"});
    const Outcome refused = aleator(slurm(array));
    EXPECT_EQ(refused.code, 2);
    EXPECT_TRUE(has(refused.err, "or --form mpi")) << refused.err;
    EXPECT_EQ(aleator(slurm(mpi)).code, 0);
  }
}

TEST(Slurm, the_model_is_checked_first) {
  const Folder folder;
  folder.write("wrong.yaml", "bodies: {a: {mass: -1}}\n");
  EXPECT_EQ(aleator(slurm({}, "wrong.yaml"), folder.path()).code, 3);
  EXPECT_EQ(aleator(slurm({}, "missing.yaml"), folder.path()).code, 3);
  const Outcome certain = aleator(slurm({}, source_folder() + "/examples/pendulum.yaml"), folder.path());
  EXPECT_EQ(certain.code, 3);
  EXPECT_TRUE(has(certain.err, "nothing is uncertain")) << certain.err;
  EXPECT_EQ(aleator(slurm({"--set", "rb9.mass=3"}), folder.path()).code, 3);
  EXPECT_EQ(folder.files(), std::vector<std::string>{"wrong.yaml"});
}

TEST(Slurm, a_script_that_is_there_stays) {
  const Folder folder;
  folder.write("five-body.slurm", "mine");
  EXPECT_EQ(aleator(slurm({}), folder.path()).code, 6);
  EXPECT_EQ(text_of_file(folder / "five-body.slurm"), "mine");
  const Outcome o = aleator(slurm({"--overwrite"}), folder.path());
  EXPECT_EQ(o.code, 0);
  EXPECT_TRUE(has(o.out, "submit it: sh five-body.slurm\n")) << o.out;
  EXPECT_TRUE(text_of_file(folder / "five-body.slurm").starts_with("#!/bin/sh\n"));
}

// Names with everything that means something to a shell, or to Slurm.
TEST(Slurm, any_name_arrives_as_it_is) {
  const Folder folder;
  const std::string name = "-a 'b' \"c\" $(touch hit) `d` %a #e;&\\", model = folder / (name + ".yaml");
  fs::copy(five_body, model);
  const Pretended pretended(folder);
  for (const char* form : {"array", "mpi"}) {
    const std::string out = "o ' $(touch hit)";
    const Outcome o = aleator(slurm({"--form", form, "--out", out, "--set", "rb5.mass=30", "--seed", "4", "--samples", "40",
                                     "--isa", "avx2", "--sensitivity", "--on-failure", "retry", "--script", "job", "--overwrite"},
                                    model),
                              folder.path());
    ASSERT_EQ(o.code, 0) << o.err;
    ASSERT_EQ(pretended.run("job", "SLURM_JOB_ID=8 SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_JOB_ID=7"), 0)
        << text_of_file(folder / "said.txt");
    const std::vector<std::string> got = pretended.lines("srun.txt");
    const auto run = std::find(got.begin(), got.end(), "run");
    ASSERT_NE(run, got.end());
    std::vector<std::string> expected = {"run", model, "--out", folder / out};
    if (form == std::string("array"))
      expected.insert(expected.end(), {"--part", "3/4", "--resume", "--threads", "6"});
    else
      expected.push_back("--resume");
    expected.insert(expected.end(), {"--isa", "avx2", "--samples", "40", "--seed", "4", "--sensitivity", "--on-failure", "retry",
                                     "--set", "rb5.mass=30"});
    EXPECT_EQ(std::vector<std::string>(run, got.end()), expected);
    EXPECT_TRUE(fs::exists(*(run - 1))) << *(run - 1);  // the program
  }
  EXPECT_FALSE(fs::exists(folder / "hit"));
}

TEST(Slurm, by_sh_parts_and_merge_are_submitted) {
  const Folder folder;
  const Pretended pretended(folder);
  ASSERT_EQ(aleator(slurm({"--partition", "long", "--script", "job"}), folder.path()).code, 0);
  ASSERT_EQ(pretended.run("job", ""), 0) << text_of_file(folder / "said.txt");
  const std::vector<std::string> got = pretended.lines("sbatch.txt");
  ASSERT_GT(got.size(), 5U);
  EXPECT_EQ(std::vector<std::string>(got.begin(), got.begin() + 4),
            (std::vector<std::string>{"--parsable", "job", "parts", "--parsable"}));
  EXPECT_EQ(got[4], "--dependency=afterok:17");
  EXPECT_NE(std::find(got.begin(), got.end(), "--partition=long"), got.end());
  EXPECT_TRUE(has(got.back(), "--wrap=cd ") && has(got.back(), " merge *-of-4.h5 -o ")) << got.back();
  EXPECT_TRUE(has(text_of_file(folder / "said.txt"), "submitted 4 parts as job 17"));
  EXPECT_FALSE(fs::exists(folder / "srun.txt"));
}

// With sbatch the first part submits the merge, once.
TEST(Slurm, by_sbatch_the_merge_is_submitted_once) {
  const Folder folder;
  const Pretended pretended(folder);
  ASSERT_EQ(aleator(slurm({"--script", "job"}), folder.path()).code, 0);
  const std::string job = "SLURM_JOB_ID=8 SLURM_ARRAY_JOB_ID=7 SLURM_ARRAY_TASK_ID=";
  EXPECT_EQ(pretended.run("job", job + "2"), 0);
  EXPECT_EQ(pretended.run("job", job + "1 SLURM_RESTART_COUNT=1"), 0);
  EXPECT_EQ(pretended.run("job parts", job + "1"), 0);
  EXPECT_FALSE(fs::exists(folder / "sbatch.txt"));
  EXPECT_EQ(pretended.run("job", job + "1"), 0);
  EXPECT_EQ(pretended.lines("sbatch.txt").at(1), "--dependency=afterok:7");
}

TEST(Slurm, what_was_saved_before_the_limit_is_queued_again) {
  const Folder folder;
  const Pretended pretended(folder);
  for (const char* form : {"array", "mpi"}) {
    ASSERT_EQ(aleator(slurm({"--form", form, "--script", "job", "--overwrite"}), folder.path()).code, 0);
    const std::string job = "SLURM_JOB_ID=8 SLURM_ARRAY_JOB_ID=7 SLURM_ARRAY_TASK_ID=2 ";
    for (const char* code : {"0", "3", "5"}) {
      // 5: finished, though some realizations failed; the merge must not wait for ever.
      const int expected = form == std::string("array") && code == std::string("5") ? 0 : std::atoi(code);
      EXPECT_EQ(pretended.run("job", job + "CODE=" + code), expected);
      EXPECT_FALSE(fs::exists(folder / "scontrol.txt")) << code;
    }
    EXPECT_EQ(pretended.run("job", job + "CODE=130 SLURM_RESTART_COUNT=100"), 130);  // not for ever
    EXPECT_FALSE(fs::exists(folder / "scontrol.txt"));
    pretended.run("job", job + "CODE=130");
    EXPECT_EQ(text_of_file(folder / "scontrol.txt"), form == std::string("array") ? "requeue 7_2\n" : "requeue 8\n");
    fs::remove(folder / "scontrol.txt");
  }
}

TEST(Slurm, mpi_asks_for_all_nodes_at_once) {
  const Folder folder;
  const Pretended pretended(folder);
  ASSERT_EQ(aleator(slurm({"--form", "mpi", "--tasks-per-node", "2", "--script", "job"}), folder.path()).code, 0);
  EXPECT_TRUE(has(text_of_file(folder / "job"), "#SBATCH --nodes=4\n#SBATCH --ntasks-per-node=2\n#SBATCH --exclusive\n"));
  ASSERT_EQ(pretended.run("job", ""), 0);  // by sh: submits itself
  EXPECT_EQ(pretended.lines("sbatch.txt"), std::vector<std::string>{"job"});
  ASSERT_EQ(pretended.run("job", "SLURM_JOB_ID=8"), 0);
  EXPECT_EQ(pretended.lines("srun.txt").at(0), "--mpi=pmix");
}

TEST(Slurm, a_program_that_is_gone_is_named) {
  const Folder folder;
  const Pretended pretended(folder);
  ASSERT_EQ(aleator(slurm({"--script", "job"}), folder.path()).code, 0);
  std::string text = text_of_file(folder / "job");
  const size_t at = text.find("\nprogram=") + 9;
  text.replace(at, text.find('\n', at) - at, "/no/such/program");
  folder.write("job", text);
  EXPECT_EQ(pretended.run("job", "SLURM_ARRAY_TASK_ID=2"), 1);
  EXPECT_TRUE(has(text_of_file(folder / "said.txt"), "there is no program /no/such/program"));
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
