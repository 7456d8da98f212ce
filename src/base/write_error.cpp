#include "base/write_error.hpp"

#include <system_error>
#include <utility>

namespace aleator::core {

WriteError::WriteError(std::string path, std::string reason)
    : std::runtime_error("cannot write '" + path + "': " + reason), path_(std::move(path)), reason_(std::move(reason)) {}

WriteError WriteError::from_errno(std::string path, int code) { return {std::move(path), std::generic_category().message(code)}; }

}  // namespace aleator::core
