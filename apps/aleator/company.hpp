// The processes that mpirun or srun started together for one study: what they tell each other before, and after.
#pragma once

#include <memory>
#include <string>

#include "ensemble/distributed/rank_scheduler.hpp"
#include "method.hpp"

namespace aleator::core::app {

struct RunArguments;

class RankSession {
 public:
  // Throws SimulationError when this program has no MPI. Where an argument was left open it becomes the same in all of them:
  // the instruction set is the widest that all processors have, the threads are those there are for each.
  explicit RankSession(RunArguments& arguments);
  bool several() const { return ranks_ != nullptr; }
  bool leads() const { return !ranks_ || ranks_->rank() == 0; }

  // Rank 0: the others make the same plan and get ready meanwhile.
  void announce(const Task& task);
  // When they are. Throws SimulationError when one of them cannot.
  std::unique_ptr<RankScheduler> crew(const Ensemble& ensemble, const Plan& plan, const std::string& identity);
  void dismiss(std::unique_ptr<RankScheduler> crew);  // there is nothing more to simulate
  // The study has ended; the other ranks end with the same code, also those that no longer answer.
  int end(int exit_code);

  // The other ranks: all of it.
  int work(const RunArguments& arguments);

 private:
  std::unique_ptr<Ranks> ranks_;
  int threads_ = 1;
  bool announced_ = false, agreed_ = false, lost_ = false;
};

}  // namespace aleator::core::app
