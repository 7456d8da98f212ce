#include "cli/ranks.hpp"

#include <cstdio>

#include "cli/command.hpp"
#include "cli/interrupt.hpp"

namespace aleator::app {

int with_ranks(const std::function<int(Ranks&)>& command, const std::string& json_of) {
  Ranks ranks;
  if (!ranks.leads()) return ranks.serve(stop_on_signal());
  const int code = reported([&] { return command(ranks); }, json_of);
  std::fflush(nullptr);
  ranks.end(code);
  return code;
}

}  // namespace aleator::app
