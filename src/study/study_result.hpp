// What is in the results of a study whoever computes it: everything but numbers of realizations.
#pragma once

#include <memory>

#include "propagation/method.hpp"
#include "results/study.hpp"
#include "study/study_request.hpp"

namespace aleator::core {

results::StudyResult empty_result(const Task& task, results::Run nominal,
                                  std::shared_ptr<const results::Identification> identification);
results::Provenance study_provenance(const StudyRequest& request, const Model& model, const Study& study);

// What rows that do not follow the random law say about it: nothing.
void blank(results::StudyStatistics& statistics);

}  // namespace aleator::core
