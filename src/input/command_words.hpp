// Words as people type them after a command, and what may be meant.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace aleator::core::input {

// What is wrong with a value; empty: nothing. A whole number may also be written 1e3 or 1000.0, and is 1000 afterwards.
std::string wrong_whole(std::string& text, long long least, long long most);
std::string wrong_real(const std::string& text, double least, double most);
std::string wrong_choice(const std::string& text, std::span<const std::string> words);

// "there is no command 'simulat' (did you mean 'simulate'?)"; empty: it is known.
std::string unknown_command(const std::string& word, std::span<const std::string> known);

// "there is no option '--sample' (did you mean '--samples'?)" for the first of the words that is none; empty: all are known. Names
// as they are declared: "-n,--samples".
std::string unknown_option(std::span<const std::string> words, std::vector<std::string> names);

}  // namespace aleator::core::input
