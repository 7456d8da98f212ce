// Joints and bodies as messages name them: with their place in the file, if there is one.
#pragma once

#include <string>

#include "model/model.hpp"

namespace aleator::core {

std::string named_joint(const Model& model, int joint);                  // "joint 'pin' (model.yaml:5:3)"
std::string named_body(const Model& model, const std::string& name);     // "body 'rod' (model.yaml:3:3)"
std::string named_channel(const Model& model, const std::string& name);  // "output 'tip.x' (model.yaml:9:3)"
std::string named_entry(const Model& model, const char* what, const input::Item& item);

}  // namespace aleator::core
