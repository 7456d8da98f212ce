#include "interrupted_runs.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <random>

#include "program.hpp"
#include "results/read.hpp"
#include "results/study_store.hpp"
#include "support/results_contents.hpp"

namespace aleator::core::test {

namespace fs = std::filesystem;

long rows_in(const std::string& folder) {
  if (!fs::exists(results::StudyStore::file_in(folder))) return 0;
  return results::StudyStore::progress_in(folder).rows;
}

namespace {

bool has_temporary(const std::string& folder) {
  if (!fs::exists(folder)) return false;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".partial" || entry.path().extension() == ".new") return true;
  return false;
}

void count_moment(const std::string& folder, KillFigures& figures) {
  if (has_temporary(folder))
    ++figures.while_writing;
  else if (fs::exists(results::StudyStore::file_in(folder)))
    ++figures.while_simulating;
  else if (fs::exists(folder + "/results.h5"))
    ++figures.after;
  else
    ++figures.before_journal;
}

}  // namespace

KillFigures expect_survives_kills(const KillCampaign& campaign) {
  const Folder folder;
  folder.write("m.yaml", campaign.model);
  const auto run_into = [&](const std::string& out) {
    std::vector<std::string> arguments = {"run", "m.yaml", "--out", out};
    arguments.insert(arguments.end(), campaign.arguments.begin(), campaign.arguments.end());
    return arguments;
  };
  const auto start = std::chrono::steady_clock::now();
  const Outcome whole = aleator(run_into("whole"), folder.path());
  EXPECT_EQ(whole.code, 0) << whole.err;
  const double duration = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::mt19937 random(campaign.seed);
  std::uniform_real_distribution<double> moment(1e-3, duration);
  KillFigures figures;
  const std::string cut = folder / "cut";
  for (int k = 0; k < 100 * campaign.kills && !::testing::Test::HasFailure(); ++k) {
    const bool more = figures.kills < campaign.kills;
    const long rows = rows_in(cut);
    const bool unfinished = fs::exists(results::StudyStore::file_in(cut));
    const Outcome o = aleator(unfinished ? std::vector<std::string>{"resume", "cut"} : run_into("cut"), folder.path(),
                              more ? moment(random) : 0, SIGKILL);
    if (o.code == 0) {
      EXPECT_EQ(difference_of_results(folder / "whole/results.h5", cut + "/results.h5"), "");
      EXPECT_EQ(fs::exists(cut + "/report.html"), true);
      EXPECT_FALSE(has_temporary(cut));
      fs::remove_all(cut);
      ++figures.finished;
      if (!more) return figures;
      continue;
    }
    EXPECT_EQ(o.code, 1000 + SIGKILL) << o.err;
    ++figures.kills;
    count_moment(cut, figures);
    EXPECT_GE(fs::exists(cut + "/results.h5") ? rows : rows_in(cut), rows);
    for (const char* name : {"/results.h5", "/partial.h5"})
      EXPECT_TRUE(!fs::exists(cut + name) || !results::StudyReader(cut + name).numbers("/time").empty());
    EXPECT_TRUE(!fs::exists(cut + "/results.h5") || results::StudyReader(cut + "/results.h5").complete());
  }
  ADD_FAILURE() << "it never ended";
  return figures;
}

}  // namespace aleator::core::test
