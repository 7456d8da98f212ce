#include "inference/identification_file.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "input/description.hpp"
#include "input/expression.hpp"
#include "input/limits.hpp"

namespace aleator::core::inference {

using input::Description;
using input::InputError;
using input::Item;
using input::Scope;
using input::Value;

namespace {

using Method = IdentificationStudy::Method;
using Likelihood = IdentificationStudy::Likelihood;
constexpr const char* method_names[] = {"maximum-likelihood", "bayesian", "least-squares", "sweep"};
constexpr const char* likelihood_names[] = {"automatic", "integral", "kernel", "moments"};

void read(const Scope& scope, const Item& item, std::string_view key, double& out) {
  if (const Value* v = item.find(key)) out = scope(v->number);
}

void read(const Item& item, std::string_view key, std::string& out) {
  if (const Value* v = item.find(key)) out = v->word;
}

void read_count(const Scope& scope, const Item& item, std::string_view key, long least, long most, long& out) {
  const Value* v = item.find(key);
  if (!v) return;
  out = long(input::whole(scope, v->number, fmt::format("'{}'", key)));
  if (out < least) throw InputError(v->at, fmt::format("'{}' must be at least {}, found {}", key, least, out));
  if (out > most) throw InputError(v->at, fmt::format("'{}' must be at most {}, found {}", key, most, out));
}

// A probability. Who writes 95 means percent.
void read_share(const Scope& scope, const Item& item, std::string_view key, bool one_too, double& out) {
  const Value* v = item.find(key);
  if (!v) return;
  out = scope(v->number);
  if (out < 1 || (one_too && out == 1)) return;
  const std::string hint = out > 1 && out < 100 ? fmt::format(" (did you mean {}?)", out / 100) : "";
  throw InputError(v->at, fmt::format("'{}' must be {} 1, found {}{}", key, one_too ? "at most" : "below", out, hint));
}

std::vector<NamedNumber> read_named(const Scope& scope, const Item& item, std::string_view key) {
  std::vector<NamedNumber> out;
  if (const Value* v = item.find(key))
    for (const auto& [name, number] : v->by_direction) out.push_back({name, scope(number.number), number.at});
  return out;
}

MeasuredData read_data(const Value& value, const Scope& scope) {
  const Item& item = value.items[0];
  MeasuredData data;
  data.at = value.at;
  data.specimens = item.find("specimens")->words;
  data.specimens_at = item.find("specimens")->at;
  read(item, "time", data.time);
  if (const Value* v = item.find("columns"))
    for (const auto& [name, text] : v->by_direction) data.columns.push_back({name, text.word, text.at});
  data.noise = read_named(scope, item, "noise");
  data.scale = read_named(scope, item, "scale");
  for (const NamedNumber& s : data.scale)
    if (s.value == 0) throw InputError(s.at, "data: 'scale' may not be 0");
  read(scope, item, "time_scale", data.time_scale);
  read(scope, item, "time_offset", data.time_offset);
  read(scope, item, "from", data.from);
  read(scope, item, "to", data.to);
  if (data.from >= data.to)
    throw InputError(item.find("to")->at, fmt::format("data: 'to' must be after 'from' = {}, found {}", data.from, data.to));
  return data;
}

Prior read_prior(const Value& value, const FreeName& owner, const Scope& scope) {
  if (value.items.empty()) return {};
  const Item& law = value.items[0];
  Prior prior{law.kind == "normal" ? Prior::Kind::normal : Prior::Kind::lognormal};
  read(scope, law, "mean", prior.mean);
  read(scope, law, "std", prior.std);
  if (prior.kind == Prior::Kind::lognormal && !(prior.mean > 0))
    throw InputError(law.find("mean")->at,
                     fmt::format("free '{}': the mean of a lognormal prior must be positive, found {}", owner.name, prior.mean));
  return prior;
}

FreeName read_free(const input::Entry& entry, const Scope& scope) {
  const Item& item = entry.value.items[0];
  FreeName f;
  f.name = entry.key;
  f.at = f.from_at = f.to_at = entry.value.at;
  read(scope, item, "from", f.from);
  read(scope, item, "to", f.to);
  if (const Value* v = item.find("from")) f.from_at = v->at;
  if (const Value* v = item.find("to")) f.to_at = v->at;
  if (const Value* v = item.find("prior")) f.prior = read_prior(*v, f, scope);
  return f;
}

void check(const IdentificationStudy& study, const Description& d, input::ErrorList& errors) {
  const auto has = [&](const char* key) { return d.top.find(key) != nullptr; };
  const auto refuse = [&](input::Position at, const std::string& why) { errors.add(InputError(at, why)); };
  const auto wrong = [&](const char* key) { return std::find(d.suspect.begin(), d.suspect.end(), key) != d.suspect.end(); };
  if (has("free") && study.free.empty() && errors.empty())
    refuse(d.top.find("free")->at, "'free' names no parameter to be identified (rb5.mass.cov: {from: 0.05, to: 0.6})");
  if (!has("data") && study.method != Method::sweep && !wrong("data") && !wrong("method"))
    refuse(d.top.at,
           fmt::format("'data' is missing: {} needs measurements (only the method sweep does not)", name_of(study.method)));
  if (study.likelihood == Likelihood::integral && (study.components > 0 || !std::isnan(study.energy)))
    refuse(study.likelihood_at,
           "likelihood: integral uses the whole response: there are no principal components to which `components` or "
           "`energy` could apply (kernel and moments have them)");
  for (const NamedNumber& s : study.set)
    for (const FreeName& f : study.free)
      if (s.name == f.name) refuse(f.at, fmt::format("'{}' cannot be both free and given in 'set'", f.name));
}

// Of a draft: what is wrong comes to `errors`, together with what its reader has found.
IdentificationStudy make_study(const Description& d, input::ErrorList& errors) {
  const Scope scope(d);
  const Item& top = d.top;
  IdentificationStudy study;
  study.file = d.file;
  study.text = d.text;
  read(top, "title", study.title);
  if (const Value* v = top.find("model")) {
    study.model_at = v->at;
    study.model = (std::filesystem::path(d.file).parent_path() / v->word).lexically_normal().string();
  }
  errors.attempt([&] { study.set = read_named(scope, top, "set"); });
  if (const Value* v = top.find("data")) errors.attempt([&] { study.data = read_data(*v, scope); });
  if (const Value* v = top.find("free"))
    for (const input::Entry& e : v->by_direction) errors.attempt([&] { study.free.push_back(read_free(e, scope)); });
  if (const Value* v = top.find("method"))
    while (v->word != name_of(study.method)) study.method = Method(int(study.method) + 1);  // the reader knows the words
  if (const Value* v = top.find("likelihood")) {
    while (v->word != name_of(study.likelihood)) study.likelihood = Likelihood(int(study.likelihood) + 1);
    study.likelihood_at = v->at;
  }
  const auto share = [&](const char* key, bool one_too, double& out) {
    errors.attempt([&] { read_share(scope, top, key, one_too, out); });
  };
  share("energy", true, study.energy);
  share("confidence", false, study.confidence);
  share("band", false, study.band);
  constexpr long many = 1000000, any = std::numeric_limits<long>::max();
  const auto count = [&](const char* key, long least, long most, long& out) {
    errors.attempt([&] { read_count(scope, top, key, least, most, out); });
  };
  count("components", 1, many, study.components);
  if (const Value* v = top.find("components")) study.components_at = v->at;
  count("samples", 20, input::limits::samples, study.samples);
  count("evaluations", 3, many, study.evaluations);
  count("places", 2, many, study.places);
  long seed = 1;
  count("seed", 0, any, seed);
  study.seed = std::uint64_t(seed);
  check(study, d, errors);
  return study;
}

IdentificationStudy study_of(const Description& d) {
  input::ErrorList errors = d.errors;
  IdentificationStudy study;
  errors.collect([&] { study = make_study(d, errors); });
  errors.raise(d.file);
  return study;
}

}  // namespace

std::string name_of(Method method) { return method_names[int(method)]; }
std::string name_of(Likelihood likelihood) { return likelihood_names[int(likelihood)]; }

IdentificationStudy read_identification_file(const std::string& file) {
  return study_of(input::draft_of_file(file, identification_language()));
}

IdentificationStudy read_identification_text(std::string text, const std::string& file) {
  return study_of(input::draft_of_text(std::move(text), file, identification_language()));
}

double log_density(const Prior& prior, double x) {
  if (prior.kind == Prior::Kind::uniform) return 0;
  if (prior.kind == Prior::Kind::normal) return -0.5 * std::pow((x - prior.mean) / prior.std, 2);
  if (!(x > 0)) return -std::numeric_limits<double>::infinity();
  const double variance = std::log1p(std::pow(prior.std / prior.mean, 2));  // of the logarithm
  const double z = std::log(x / prior.mean) + 0.5 * variance;
  return -0.5 * z * z / variance - std::log(x);
}

}  // namespace aleator::core::inference
