// A finished study that is the same but for its size: its realizations serve the larger one.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "propagation/settings.hpp"
#include "results/journal.hpp"
#include "results/read.hpp"

namespace aleator::core {

// Of everything that determines a realization, whatever its number: 16 hexadecimal digits.
std::string identity_of_realizations(const Model& model, const Study& study, const std::vector<Override>& settings,
                                     const std::string& isa);

struct Earlier {
  std::shared_ptr<results::StudyReader> file;
  long samples = 0;
  std::vector<long> stages;  // sizes of a Latin hypercube before
};

// In results.h5 of the folder; none when it is another study, is not smaller, or keeps no realizations.
std::optional<Earlier> find_earlier(const std::string& folder, const std::string& identity, long samples);

void replay(const Earlier& earlier, const std::function<void(results::JournalRecord&&)>& each);

}  // namespace aleator::core
