#include "study/law_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/words.hpp"
#include "study/law_words.hpp"

namespace aleator::core {
namespace {

std::string with_unit(double x, const std::string& unit) {
  if (!std::isfinite(x)) return "none";  // some laws have no mean or no variance
  return unit.empty() ? number(x) : number(x) + " " + unit;
}

std::string vector_words(const Vec3<double>& v) { return fmt::format("[{}, {}, {}]", number(v.x), number(v.y), number(v.z)); }

std::string symmetric_words(const auto& at, int n) {
  if (n == 1) return number(at(0, 0));
  return fmt::format("xx {} yy {} zz {} xy {} xz {} yz {}", number(at(0, 0)), number(at(1, 1)), number(at(2, 2)),
                     number(at(0, 1)), number(at(0, 2)), number(at(1, 2)));
}

std::string percent_words(double share) { return fmt::format("{:.3g} %", 100 * share); }

std::string end_words(double x) { return std::isfinite(x) ? number(x) : x < 0 ? "-infinity" : "infinity"; }

std::vector<Fact> facts_of(const Distribution& d, const std::string& unit) {
  std::vector<Fact> facts;
  const Law law = d.law();
  if (!law.name.empty()) facts.push_back({"law", law.name});
  if (!law.tabulated())
    for (const Argument& p : law.parameters) facts.push_back({"parameter " + p.name, number(p.value)});
  facts.push_back(
      {"support", fmt::format("{} … {}{}", end_words(d.lower()), end_words(d.upper()), unit.empty() ? "" : " " + unit)});
  facts.push_back({"mean", with_unit(d.mean(), unit)});
  facts.push_back({"standard deviation", with_unit(d.standard_deviation(), unit)});
  if (const double cov = d.standard_deviation() / std::abs(d.mean()); std::isfinite(cov))
    facts.push_back({"coefficient of variation", percent_words(cov)});
  return facts;
}

std::string domain_words(const Domain& d) {
  const bool plane = d.normal >= 0;
  std::string sizes;  // a planar domain has two of three
  for (int i = 0; i < 3; ++i)
    if (i != d.normal) sizes += (sizes.empty() ? "" : " × ") + number(d.scale * d.size[i]);
  switch (d.kind) {
    case Domain::Kind::box:
      return fmt::format("box, edges {} m", sizes);
    case Domain::Kind::ball:
      return fmt::format("{}, radius {} m", plane ? "disc" : "ball", number(d.scale * d.size.x));
    case Domain::Kind::ellipsoid:
      return fmt::format("{}, semi-axes {} m", plane ? "ellipse" : "ellipsoid", sizes);
    case Domain::Kind::cylinder:
      return fmt::format("cylinder, radius {} m, length {} m", number(d.scale * d.size.x), number(d.scale * d.size.y));
    case Domain::Kind::polyhedron:
      break;
  }
  return fmt::format("{}, {} vertices", plane ? "polygon" : "polyhedron", d.vertices.size());
}

std::vector<Fact> facts_of(const CenterOfMassLaw& law) {
  const Domain& d = law.domain();
  std::vector<Fact> facts = {{"domain", domain_words(d)}, {"at", vector_words(d.position) + " m"}};
  if (d.scale != 1) facts.push_back({"scale of the domain", number(d.scale)});
  const Mat3<double>& c = law.covariance();
  facts.push_back({"mean", vector_words(law.mean()) + " m"});
  facts.push_back({"variances", vector_words({c[0][0], c[1][1], c[2][2]}) + " m^2"});
  if (norm(law.lambda()) == 0)
    facts.push_back({"lambda", "0 (uniform, its mean is the barycentre)"});
  else
    facts.push_back({"lambda", vector_words(law.lambda()) + " 1/m"});
  facts.push_back({"log C0", number(law.log_c0())});
  facts.push_back({"draws", law.acceptance() < 1
                                ? fmt::format("exact and independent, by rejection, {:.0f} % accepted", 100 * law.acceptance())
                                : "exact and independent"});
  return facts;
}

// How it is drawn.
template <int N>
std::vector<Fact> sampler_facts(const KummerBeta<N>& g) {
  const std::string accepted = percent_words(g.acceptance());
  if (!g.exact())
    return {{"draws", "Metropolis-Hastings, one chain per realization"},
            {"expected acceptance", accepted},
            {"step", number(g.chain().step)},
            {"autocorrelation time", number(g.chain().autocorrelation_time)},
            {"burn-in", std::to_string(g.chain().burn_in)},
            {"split R-hat", fmt::format("{:.4f}", g.chain().split_r_hat)}};
  std::string envelope = "256 steps between exponential tails";
  if constexpr (N == 3)
    envelope = g.method() == KummerBetaMethod::lower   ? "a Wishart distribution of G"
               : g.method() == KummerBetaMethod::upper ? "a Wishart distribution of G_max - G"
                                                       : "a product of six tilted beta distributions";
  return {{"draws", "exact and independent, by rejection"}, {"envelope", envelope}, {"expected acceptance", accepted}};
}

template <int N>
std::vector<Fact> facts_of(const KummerBeta<N>& g) {
  std::vector<Fact> facts = {{"G_max", symmetric_words(g.gmax(), N)},
                             {"mu", symmetric_words(g.mu(), N)},
                             {"error of E{G} = I", fmt::format("{:.1g}", g.mean_error())},
                             {"dispersion of G", number(g.dispersion())}};
  for (Fact& f : sampler_facts(g)) facts.push_back(std::move(f));
  return facts;
}

std::vector<Fact> facts_of(const InertiaLaw& law) {
  const InertiaLawSettings& s = law.settings();
  const int n = law.planar() ? 1 : 3;
  const auto words = [&](const Mat3<double>& z) {
    return symmetric_words([&](int i, int j) { return law.planar() ? z[s.normal][s.normal] : z[i][j]; }, n) + " m^2";
  };
  std::vector<Fact> facts = {{"lambda_l", number(s.lambda_l)},
                             {"lambda_u", number(s.lambda_u)},
                             {"mean of Z", words(law.mean())},
                             {"standard deviation of Z", words(law.standard_deviation())},
                             {"Z_max", words(s.z_max)}};
  for (Fact& f : law.planar() ? facts_of(*law.planar_law()) : facts_of(*law.space_law())) facts.push_back(std::move(f));
  return facts;
}

using Numbers = std::vector<results::LawNumber>;

const std::vector<std::string> xyz = {"x", "y", "z"};

results::LawNumber vector_number(const char* name, const Vec3<double>& v, const std::string& unit) {
  return {name, unit, {v.x, v.y, v.z}, xyz};
}

// By rows.
results::LawNumber matrix_number(const char* name, const auto& at, const std::vector<std::string>& axes,
                                 const std::string& unit) {
  results::LawNumber n{name, unit, {}, axes, true};
  const int size = int(axes.size());
  for (int i = 0; i < size; ++i)
    for (int j = 0; j < size; ++j) n.values.push_back(at(i, j));
  return n;
}

Numbers numbers_of(const Distribution& d, const std::string& unit) {
  Numbers all = {{"mean", unit, {d.mean()}},
                 {"std", unit, {d.standard_deviation()}},
                 {"lower", unit, {d.lower()}},
                 {"upper", unit, {d.upper()}}};
  const Law law = d.law();
  if (!law.tabulated())
    for (const Argument& p : law.parameters) all.push_back({"parameters/" + p.name, "", {p.value}});
  if (std::isfinite(law.cut_lower)) all.push_back({"cut_lower", unit, {law.cut_lower}});
  if (std::isfinite(law.cut_upper)) all.push_back({"cut_upper", unit, {law.cut_upper}});
  return all;
}

Numbers numbers_of(const CenterOfMassLaw& law) {
  const Domain& d = law.domain();
  const auto covariance = [&](int i, int j) { return law.covariance()[i][j]; };
  return {vector_number("mean", law.mean(), "m"),
          matrix_number("covariance", covariance, xyz, "m^2"),
          vector_number("lambda", law.lambda(), "1/m"),
          {"log_c0", "", {law.log_c0()}},
          {"acceptance", "", {law.acceptance()}},
          vector_number("domain_position", d.position, "m"),
          {"domain_scale", "", {d.scale}}};
}

template <int N>
void add_numbers(const KummerBeta<N>& g, const std::vector<std::string>& axes, Numbers& all) {
  all.push_back(matrix_number("g_max", g.gmax(), axes, ""));
  all.push_back(matrix_number("mu", g.mu(), axes, ""));
  all.push_back({"log_c", "", {g.log_c()}});
  all.push_back({"dispersion", "", {g.dispersion()}});
  all.push_back({"mean_error", "", {g.mean_error()}});
  all.push_back({"acceptance", "", {g.acceptance()}});
  if (g.exact()) return;
  all.push_back({"step", "", {g.chain().step}});
  all.push_back({"autocorrelation_time", "", {g.chain().autocorrelation_time}});
  all.push_back({"burn_in", "", {double(g.chain().burn_in)}});
  all.push_back({"split_r_hat", "", {g.chain().split_r_hat}});
}

Numbers numbers_of(const InertiaLaw& law) {
  const InertiaLawSettings& s = law.settings();
  const std::vector<std::string> axes = law.planar() ? std::vector<std::string>{xyz[size_t(s.normal)]} : xyz;
  const auto of_z = [&](const char* name, const Mat3<double>& z) {
    return matrix_number(
        name, [&](int i, int j) { return law.planar() ? z[s.normal][s.normal] : z[i][j]; }, axes, "m^2");
  };
  Numbers all = {{"lambda_l", "", {s.lambda_l}},
                 {"lambda_u", "", {s.lambda_u}},
                 of_z("mean", law.mean()),
                 of_z("std", law.standard_deviation()),
                 of_z("z_max", s.z_max)};
  if (law.planar())
    add_numbers(*law.planar_law(), axes, all);
  else
    add_numbers(*law.space_law(), axes, all);
  return all;
}

// One number, or the range over all beams.
std::string mean_words(const BeamField& f) {
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (const auto& beam : f.beams)
    for (const double x : beam.mean) low = std::min(low, x), high = std::max(high, x);
  return low == high ? number(low) : fmt::format("{} … {}", number(low), number(high));
}

}  // namespace

std::vector<Fact> facts_of(const Quantity& q) {
  if (q.scalar) return facts_of(*q.scalar, q.unit);
  return q.center_of_mass ? facts_of(*q.center_of_mass) : facts_of(*q.inertia);
}

std::vector<Fact> facts_of(const BeamField& field) {
  const results::FieldSummary f = summary_of(field);
  std::string beams, curve;
  for (const auto& beam : field.beams) beams += (beams.empty() ? "" : ", ") + beam.name;
  for (size_t i = 0; i < f.error_curve.size(); ++i)
    curve +=
        fmt::format("{}{} {}{}", i == 0 ? "" : ", ", i + 1, number(f.error_curve[i]), int(i) + 1 == f.terms ? " (this)" : "");
  return {{"along", beams},     {"mean", mean_words(field)},        {"correlation", f.correlation},
          {"method", f.method}, {"terms", std::to_string(f.terms)}, {"largest variance error by number of terms", curve}};
}

std::vector<results::LawNumber> numbers_of(const Quantity& q) {
  if (q.scalar) return numbers_of(*q.scalar, q.unit);
  return q.center_of_mass ? numbers_of(*q.center_of_mass) : numbers_of(*q.inertia);
}

std::vector<results::LawNumber> numbers_of(const BeamField& field) {
  Numbers all = {{"terms", "", {double(field.field->terms())}}};
  if (field.correlation.kind != Correlation::Kind::table) all.push_back({"correlation_length", "m", {field.correlation.length}});
  if (field.law.kind != FieldLaw::Kind::distribution) all.push_back({field.law.relative ? "cov" : "std", "", {field.law.spread}});
  if (field.law.distribution)
    for (results::LawNumber& n : numbers_of(*field.law.distribution, "")) all.push_back(std::move(n));
  return all;
}

}  // namespace aleator::core
