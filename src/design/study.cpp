#include "design/study.hpp"

#include <fmt/format.h>

#include "model/scope.hpp"

namespace aleator {

Study read_study(const Model& model, std::span<const Override> overrides) {
  const input::Description& d = model.description;
  Study s;
  const input::Value* value = d.top.find("study");
  if (!value) return s;
  const input::Item& item = value->items[0];
  const input::Scope scope = scope_of(d, overrides);
  try {
    if (const auto* v = item.find("samples")) s.samples = input::whole(scope, v->number, "study: 'samples'");
    if (const auto* v = item.find("seed")) s.seed = std::uint64_t(input::whole(scope, v->number, "study: 'seed'"));
    if (const auto* v = item.find("confidence")) {
      s.confidence = scope(v->number);
      if (!(s.confidence > 0 && s.confidence < 1))
        throw input::InputError(
            v->at, fmt::format("study: 'confidence' must lie between 0 and 1 (neither of them), found {:g}", s.confidence));
    }
  } catch (const input::InputError& e) {
    throw e.in_file(d.file);
  }
  if (const auto* v = item.find("method")) s.method = v->word;
  if (const auto* v = item.find("keep")) s.keep_all = v->word == "all";
  if (const auto* v = item.find("shares")) s.shares = v->flag;
  return s;
}

Plan make_plan(const Study& study, int groups) {
  Plan plan{study.samples, study.shares ? groups : 0};
  if (study.method == "latin-hypercube") plan.hypercube = std::make_shared<const LatinHypercube>(study.seed, study.samples);
  return plan;
}

}  // namespace aleator
