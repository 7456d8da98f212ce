// Which files the specimens of a study are in.
#pragma once

#include "inference/identification_file.hpp"

namespace aleator::core::inference {

// Files, folders and patterns resolved relative to the study, each file once. Throws InputError.
std::vector<std::string> specimen_files(const IdentificationStudy& study);

}  // namespace aleator::core::inference
