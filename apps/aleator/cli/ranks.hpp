// A command that several processes carry out together under mpirun or srun.
#pragma once

#include <functional>
#include <string>

#include <aleator/study.hpp>

namespace aleator::app {

// Rank 0 does it, with its messages and exit code; the others serve it and end with the same code.
int with_ranks(const std::function<int(Ranks& ranks)>& command, const std::string& json_of = "");

}  // namespace aleator::app
