// Going on with an unfinished study from what it recorded when it began, and joining parts to a study.
#pragma once

#include <string>
#include <vector>

#include "study/session.hpp"

namespace aleator::core {

// What the unfinished run in a folder was asked for, to go on with it; of `options` the folder, threads and who is told count. Throws
// ReadError when there is none, WriteError when the model file or the version of the program changed since; not with
// options.force: then it goes on with the model as it was, which the remarks tell.
StudyRequest unfinished_in(const std::string& folder, const RunOptions& options);

// The study of these files of parts, all of them; its results go to `file`, empty: results.h5 beside their folder. Throws ReadError.
StudyRequest study_of_parts(const std::vector<std::string>& files, const std::string& file, const RunOptions& options);

}  // namespace aleator::core
