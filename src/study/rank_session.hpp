// The processes that mpirun or srun started together for one study. Rank 0 leads: it reads files, makes all decisions and writes.
// The others get everything they need from it.
#pragma once

#include <memory>
#include <string>

#include "analysis/accumulate.hpp"
#include "ensemble/distributed/rank_scheduler.hpp"
#include "study/nominal.hpp"
#include "study/run_record.hpp"

namespace aleator::core {

class RankSession {
 public:
  RankSession();   // throws SimulationError when this process is one of several and this program has no MPI
  ~RankSession();  // of the leader: ends the others, if that was not done
  RankSession(const RankSession&) = delete;
  RankSession& operator=(const RankSession&) = delete;

  bool several() const { return ranks_ != nullptr; }
  bool leads() const { return !ranks_ || ranks_->rank() == 0; }
  Isa isa() const { return isa_; }  // the widest that all processors have
  int own_threads(int asked) const;

  // Rank 0: the others make the same plan and get ready meanwhile. `threads` of each; 0: as many as there are for it.
  // model_name: of its file, as the user gave it, for messages.
  void announce(const RunRecord& record, const std::string& model_name, int threads,
                const analysis::StatisticsRequest& statistics);
  // When they are. Throws SimulationError when one of them cannot.
  std::unique_ptr<RankScheduler> scheduler(const Ensemble& ensemble, const Plan& plan, const std::string& identity, int threads,
                                           Digest digest);
  void dismiss(std::unique_ptr<RankScheduler> scheduler, const Note& note);  // there is nothing more to simulate
  // The study has ended; the other ranks end with the same code, also those that no longer answer.
  void end(int exit_code);

  // The other ranks: all of it; returns that code.
  int serve(const std::atomic<bool>* stop);

 private:
  std::unique_ptr<Ranks> ranks_;
  Isa isa_;
  bool announced_ = false, agreed_ = false, lost_ = false, ended_ = false;
};

}  // namespace aleator::core
