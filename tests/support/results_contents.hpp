// Everything in a results file, to compare two of them bit for bit.
#pragma once

#include <map>
#include <string>

namespace aleator::core::test {

// Datasets by their path and attributes by path@name, as bytes; but not where, when and with how many threads it was computed.
std::map<std::string, std::string> contents_of_results(const std::string& file);

// What differs first between two files; empty: nothing does.
std::string difference_of_results(const std::string& a, const std::string& b);

}  // namespace aleator::core::test
