// Results on disk. All functions replace an older file in one step, leave nothing behind when they fail,
// and throw WriteError. The folder must exist (create_folder).
#pragma once

#include <string>

#include "results/run.hpp"
#include "results/study.hpp"

namespace aleator::core::results {

// nominal.h5; the layout is described in layout.md. What its parameters were identified by comes along where there is such.
void write_nominal(const std::string& path, const Run& run, const Provenance& provenance,
                   const Identification* identification = nullptr);

// results.h5 of a study, finished or not.
void write_study(const std::string& path, const StudyResult& result, const Provenance& provenance);

// A header "time,NAME,..." and a row per time, with 17 significant digits: reading gives the same numbers
// back. The path "-" is standard output.
void write_csv(const std::string& path, const Run& run);

}  // namespace aleator::core::results
