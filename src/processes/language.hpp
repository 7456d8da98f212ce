// `processes:` of the language: kinds and fields, and from an entry to a process.
#pragma once

#include "input/expression.hpp"
#include "input/fields.hpp"
#include "processes/process.hpp"

namespace aleator::core::processes {

input::Section section();

// `like`: the nominal one, if this is a realization. Throws InputError.
Process read(const input::Item& item, const input::Scope& scope, double duration, const Process* like);
// {process: name, at: .., delay: .., scale: ..}
Use read_use(const input::Item& function, const Process& process, const input::Scope& scope);

}  // namespace aleator::core::processes
