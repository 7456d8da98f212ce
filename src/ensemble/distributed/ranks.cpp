#include "ensemble/distributed/ranks.hpp"

#include <cstdlib>

#include "base/load_module.hpp"
#include "dynamics/errors.hpp"

namespace aleator::core {

namespace {

// How many processes a launcher has started this one among; every launcher has its own way of saying so.
int started_together() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS"})
    if (const char* value = std::getenv(name)) return std::atoi(value);
  const char* const tasks = std::getenv("SLURM_STEP_NUM_TASKS");
  return std::getenv("PMIX_RANK") && tasks ? std::atoi(tasks) : 1;
}

}  // namespace

std::unique_ptr<Ranks> ranks_of_this_process() {
  if (started_together() < 2) return nullptr;
  const Module module = load_module("aleator_mpi.so", ranks_module_entry, true);
  if (!module.entry)
    throw SimulationError(
        "several processes were started together, but this program was built without MPI; install libopenmpi-dev and build it "
        "again, or let each of them compute a part (--part 1/4 and so on)");
  return std::unique_ptr<Ranks>(reinterpret_cast<RanksModuleEntry>(module.entry)());
}

}  // namespace aleator::core
