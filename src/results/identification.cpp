// The group /identification of a results file, written and read from the same tables.
#include "results/identification.hpp"

#include <fmt/format.h>

#include <cmath>

#include "numerics/chi_squared.hpp"
#include "results/read.hpp"
#include "results/write_parts.hpp"

namespace aleator::core::results {
namespace {

const std::string root = "/identification";

template <class T>
struct Number {
  const char* name;
  double T::*member;
};
template <class T>
struct Column {
  const char* name;
  std::vector<double> T::*member;
};

constexpr Number<Identification> numbers[] = {{"confidence", &Identification::confidence},
                                              {"log_likelihood", &Identification::log_likelihood},
                                              {"region_drop", &Identification::region_drop},
                                              {"surrogate_error", &Identification::surrogate_error},
                                              {"written_drop", &Identification::written_drop},
                                              {"captured", &Identification::captured},
                                              {"acceptance", &Identification::acceptance},
                                              {"band_confidence", &Identification::band_confidence},
                                              {"fit_p", &Identification::fit_p}};
constexpr Number<FreeParameter> parameter_numbers[] = {{"from", &FreeParameter::from},
                                                       {"to", &FreeParameter::to},
                                                       {"written", &FreeParameter::written},
                                                       {"estimate", &FreeParameter::estimate},
                                                       {"lower", &FreeParameter::lower},
                                                       {"upper", &FreeParameter::upper},
                                                       {"mean", &FreeParameter::mean},
                                                       {"std", &FreeParameter::std},
                                                       {"credible_lower", &FreeParameter::credible_lower},
                                                       {"credible_upper", &FreeParameter::credible_upper},
                                                       {"r_hat", &FreeParameter::r_hat},
                                                       {"effective_draws", &FreeParameter::effective_draws}};
constexpr Number<Coverage> coverage_numbers[] = {
    {"coverage", &Coverage::share}, {"coverage_lower", &Coverage::lower}, {"coverage_upper", &Coverage::upper}};
constexpr Column<PredictedBand> band_columns[] = {
    {"mean", &PredictedBand::mean}, {"lower", &PredictedBand::lower}, {"upper", &PredictedBand::upper}};
constexpr std::pair<const char*, std::vector<std::vector<double>> Sweep::*> sweep_tables[] = {
    {"spread", &Sweep::spread}, {"spread_error", &Sweep::spread_error}, {"width", &Sweep::width}};

// By number: a name may hold anything.
std::string place(const char* list, std::size_t k) { return root + "/" + list + "/" + std::to_string(k); }

void write_parameters(Hdf5File& file, const Identification& x) {
  file.group(root + "/parameters");
  for (std::size_t k = 0; k < x.parameters.size(); ++k) {
    const FreeParameter& p = x.parameters[k];
    const std::string folder = place("parameters", k);
    file.group(folder);
    file.attribute(folder, "name", p.name);
    file.attribute(folder, "unit", p.unit);
    for (const auto& [name, member] : parameter_numbers) file.attribute(folder, name, p.*member);
    file.attribute(folder, "open_below", p.open_below ? 1 : 0);
    file.attribute(folder, "open_above", p.open_above ? 1 : 0);
    if (p.profile.empty()) continue;
    file.dataset(folder + "/profile_at", {p.profile_at.size()}, p.profile_at, p.unit);
    file.dataset(folder + "/profile", {p.profile.size()}, p.profile);
    file.attribute(folder + "/profile", "coordinates", std::string("profile_at"));
  }
}

void write_likelihood(Hdf5File& file, const Identification& x) {
  const std::size_t d = x.parameters.size();
  if (!x.correlation.empty()) file.dataset(root + "/correlation", {d, x.correlation.size() / d}, x.correlation);
  for (std::size_t k = 0; k < x.pairs.size(); ++k) {
    const PairProfile& p = x.pairs[k];
    const std::string folder = place("pairs", k);
    file.dataset(folder + "/first_at", {p.first_at.size()}, p.first_at);
    file.dataset(folder + "/second_at", {p.second_at.size()}, p.second_at);
    file.dataset(folder + "/profile", {p.first_at.size(), p.second_at.size()}, p.values);
    file.attribute(folder + "/profile", "coordinates", std::string("first_at second_at"));
    file.attribute(folder, "parameters", std::vector<double>{double(p.first), double(p.second)});
  }
  file.dataset(root + "/energy", {x.energy.size()}, x.energy);
  if (!x.draws.empty()) file.dataset(root + "/draws", {x.draws.size() / d, d}, x.draws);
}

void write_measured(Hdf5File& file, const Identification& x, const std::vector<Channel>& channels) {
  const Measurements& m = x.measured;
  file.attribute(root, "outputs", m.channels);
  file.attribute(root, "noise", m.noise);
  if (!x.times.empty()) file.dataset(root + "/time", {x.times.size()}, x.times);
  for (std::size_t c = 0; c < m.channels.size(); ++c) {
    const std::string folder = root + "/outputs/" + m.channels[c];
    file.group(folder);
    std::string unit;
    for (const Channel& channel : channels)
      if (channel.name == m.channels[c]) unit = channel.unit;
    file.attribute(folder, "units", unit);
    if (c < x.bands.size())
      for (const auto& [name, member] : band_columns)
        if (const std::vector<double>& values = x.bands[c].*member; !values.empty())
          file.dataset(folder + "/" + name, {values.size()}, values, unit);
    if (c < x.coverage.size())
      for (const auto& [name, member] : coverage_numbers) file.attribute(folder, name, x.coverage[c].*member);
  }
  for (std::size_t k = 0; k < m.specimens.size(); ++k) {
    const Specimen& s = m.specimens[k];
    const std::string folder = place("specimens", k);
    file.dataset(folder + "/time", {s.times.size()}, s.times);
    file.dataset(folder + "/values", {s.times.size(), m.channels.size()}, s.values);
    file.attribute(folder, "name", s.name);
  }
}

void write_sweeps(Hdf5File& file, const Identification& x) {
  for (std::size_t k = 0; k < x.sweeps.size(); ++k) {
    const Sweep& s = x.sweeps[k];
    const std::string folder = place("sweeps", k);
    file.dataset(folder + "/at", {s.at.size()}, s.at, x.parameters.at(k).unit);
    for (const auto& [name, member] : sweep_tables) {
      std::vector<double> all;
      for (const std::vector<double>& row : s.*member) all.insert(all.end(), row.begin(), row.end());
      file.dataset(folder + "/" + name, {(s.*member).size(), s.at.size()}, all);
      file.attribute(folder + "/" + name, "coordinates", std::string("at"));
    }
  }
}

// Reads, and finds fault with what does not fit together: what is read is used without asking again.
class Reading {
 public:
  explicit Reading(const StudyReader& file) : file_(file) {}

  Identification all() {
    for (const auto& [name, member] : numbers) x_.*member = file_.number_attribute(root, name);
    x_.method = file_.text_attribute(root, "method");
    x_.likelihood = file_.text_attribute(root, "likelihood");
    for (const double share : {x_.confidence, x_.band_confidence}) want(share > 0 && share < 1, "a confidence");
    x_.evaluations = file_.count_attribute(root, "evaluations");
    x_.samples = file_.count_attribute(root, "samples");
    x_.explained = file_.number_attribute(root, "explained") != 0;
    x_.verdict = file_.text_attribute(root, "verdict");
    x_.warnings = file_.texts_attribute(root, "warnings");
    parameters();
    likelihood();
    measured();
    sweeps();
    return std::move(x_);
  }

 private:
  std::size_t count(const char* list) const { return file_.children(root + "/" + list).size(); }
  std::vector<double> column(const std::string& dataset) const {
    return file_.has(dataset) ? file_.numbers(dataset) : std::vector<double>();
  }
  void want(bool fits, const std::string& what) const {
    if (!fits) throw ReadError(file_.path(), what + " does not fit the rest of " + root);
  }

  void parameters() {
    for (std::size_t k = 0; k < count("parameters"); ++k) {
      const std::string folder = place("parameters", k);
      FreeParameter p;
      p.name = file_.text_attribute(folder, "name");
      p.unit = file_.text_attribute(folder, "unit");
      for (const auto& [name, member] : parameter_numbers) p.*member = file_.number_attribute(folder, name);
      p.open_below = file_.number_attribute(folder, "open_below") != 0;
      p.open_above = file_.number_attribute(folder, "open_above") != 0;
      p.profile_at = column(folder + "/profile_at");
      p.profile = column(folder + "/profile");
      want(p.profile.size() == p.profile_at.size(), folder + "/profile");
      x_.parameters.push_back(std::move(p));
    }
  }

  void likelihood() {
    const std::size_t d = x_.parameters.size();
    x_.correlation = column(root + "/correlation");
    want(x_.correlation.empty() || x_.correlation.size() == d * d, root + "/correlation");
    for (std::size_t k = 0; k < count("pairs"); ++k) {
      const std::string folder = place("pairs", k);
      const std::vector<double> of = file_.numbers_attribute(folder, "parameters");
      want(of.size() == 2 && of[0] >= 0 && of[1] >= 0 && of[0] < double(d) && of[1] < double(d), folder);
      PairProfile p{int(of[0]), int(of[1]), column(folder + "/first_at"), column(folder + "/second_at"),
                    column(folder + "/profile")};
      want(p.values.size() == p.first_at.size() * p.second_at.size(), folder + "/profile");
      x_.pairs.push_back(std::move(p));
    }
    x_.energy = column(root + "/energy");
    const long components = file_.count_attribute(root, "components");
    want(std::size_t(components) <= x_.energy.size(), root + "/energy");
    x_.components = int(components);
    x_.draws = column(root + "/draws");
    want(d == 0 ? x_.draws.empty() : x_.draws.size() % d == 0, root + "/draws");
  }

  void measured() {
    Measurements& m = x_.measured;
    m.channels = file_.texts_attribute(root, "outputs");
    m.noise = file_.numbers_attribute(root, "noise");
    x_.times = column(root + "/time");
    for (const std::string& channel : m.channels) {
      const std::string folder = fmt::format("{}/outputs/{}", root, channel);
      if (file_.has(folder + "/mean")) {
        PredictedBand band;
        for (const auto& [name, member] : band_columns) {
          band.*member = column(folder + "/" + name);
          want((band.*member).empty() || (band.*member).size() == x_.times.size(), folder + "/" + name);
        }
        x_.bands.push_back(std::move(band));
      }
      if (!file_.has_attribute(folder, "coverage")) continue;
      Coverage& coverage = x_.coverage.emplace_back();
      for (const auto& [name, member] : coverage_numbers) coverage.*member = file_.number_attribute(folder, name);
    }
    for (std::size_t k = 0; k < count("specimens"); ++k) {
      const std::string folder = place("specimens", k);
      Specimen s{file_.text_attribute(folder, "name"), column(folder + "/time"), column(folder + "/values")};
      want(s.values.size() == s.times.size() * m.channels.size(), folder + "/values");
      m.specimens.push_back(std::move(s));
    }
    const auto for_each_or_none = [&](std::size_t n) { return n == 0 || n == m.channels.size(); };
    want(for_each_or_none(m.noise.size()) && for_each_or_none(x_.bands.size()) && for_each_or_none(x_.coverage.size()),
         root + "/outputs");
  }

  void sweeps() {
    for (std::size_t k = 0; k < count("sweeps"); ++k) {
      const std::string folder = place("sweeps", k);
      Sweep s;
      s.at = column(folder + "/at");
      for (const auto& [name, member] : sweep_tables) {
        const std::string table = folder + "/" + name;
        const std::vector<long> extent = file_.extent(table);
        want(extent.size() == 2 && extent[1] == long(s.at.size()), table);
        const std::vector<double> all = file_.numbers(table);
        for (long row = 0; row < extent[0]; ++row)
          (s.*member).emplace_back(all.begin() + row * extent[1], all.begin() + (row + 1) * extent[1]);
      }
      x_.sweeps.push_back(std::move(s));
    }
    want(x_.sweeps.size() <= x_.parameters.size(), root + "/sweeps");
  }

  const StudyReader& file_;
  Identification x_;
};

}  // namespace

double confidence_drop(double confidence, int parameters) { return chi_squared_quantile(confidence, parameters) / 2; }

double confidence_drop(double confidence, int parameters, int free, std::size_t specimens) {
  const double n = double(specimens), of_many = confidence_drop(confidence, parameters);
  if (specimens < 2) return of_many;
  const double both = n * (std::log(n) - chi_squared_mean_log(n - 1));
  const double factor = free == 1 ? n * (std::log(n) - chi_squared_mean_log(n)) : parameters < free ? both - 1 : both / 2;
  return factor * of_many;
}

void write_identification(Hdf5File& file, const Identification& x, const std::vector<Channel>& channels) {
  file.group(root);
  for (const auto& [name, member] : numbers) file.attribute(root, name, x.*member);
  file.attribute(root, "method", x.method);
  file.attribute(root, "likelihood", x.likelihood);
  file.attribute(root, "evaluations", double(x.evaluations));
  file.attribute(root, "samples", double(x.samples));
  file.attribute(root, "components", x.components);
  file.attribute(root, "explained", x.explained ? 1 : 0);
  file.attribute(root, "verdict", x.verdict);
  file.attribute(root, "warnings", x.warnings);
  std::vector<std::string> parameters;
  for (const FreeParameter& p : x.parameters) parameters.push_back(p.name);
  file.scale(root, "parameter", parameters);
  file.scale(root, "output", x.measured.channels);
  write_parameters(file, x);
  write_likelihood(file, x);
  write_measured(file, x, channels);
  write_sweeps(file, x);
}

std::shared_ptr<const Identification> read_identification(const StudyReader& file) {
  return file.has(root) ? std::make_shared<const Identification>(Reading(file).all()) : nullptr;
}

}  // namespace aleator::core::results
