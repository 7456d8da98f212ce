// Ctrl-C and SIGTERM as a stop token.
#pragma once

#include <atomic>
#include <stop_token>

namespace aleator::app {

// From the first call on a signal stops what has the token, instead of ending the program.
std::stop_token stop_on_signal();
const std::atomic<bool>& interrupted();  // a signal has come

}  // namespace aleator::app
