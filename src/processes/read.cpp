// From an entry of `processes:` to a process.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "processes/language.hpp"

namespace aleator::core::processes {

using input::InputError;
using input::Item;
using input::Value;

namespace {

class Reader {
 public:
  Reader(const Item& item, const input::Scope& scope, double duration) : item_(item), scope_(scope) {
    p_.name = item.name;
    p_.duration = duration;
  }

  Process operator()(const Process* like) {
    read_kind();
    read_shape();
    settle(p_, 2 * pi * number("cutoff", 0), number("period", 0), leading(), like);
    if (!like) refuse_grid();
    read_places();
    return std::move(p_);
  }

 private:
  const Item& own() const { return item_.subject.items.at(0); }
  const Value* field(std::string_view key) const { return item_.find(key); }
  double number(std::string_view key, double fallback) const {
    const Value* v = field(key);
    return v ? scope_(v->number) : fallback;
  }
  std::vector<double> numbers(const Value& v) const {
    std::vector<double> out;
    for (const input::Number& n : v.numbers) out.push_back(scope_(n));
    return out;
  }
  [[noreturn]] void refuse(std::string_view key, const std::string& what) const {
    const Value* v = field(key);
    throw InputError(v ? v->at : item_.at, fmt::format("'{}' {}", key, what));
  }
  int leading() const {
    const Value* v = field("leading");
    const long n = v ? input::whole(scope_, v->number, "'leading'") : 8;
    if (n < 0 || n > 1000) refuse("leading", fmt::format("must be between 0 and 1000, found {}", n));
    return int(n);
  }

  void read_kind() {
    const std::string& kind = item_.kind;
    const auto n = [&](std::string_view key) { return number(key, 0); };
    if (kind == "white_noise") {
      p_.kind = Process::Kind::white_noise;
      const double S0 = n("S0");
      p_.density = {[S0](double) { return S0; }};
      p_.step = n("step");
      if (p_.step > p_.duration)
        refuse("step", fmt::format("{:g} s is longer than the simulation, {:g} s", p_.step, p_.duration));
      p_.words = fmt::format("white noise, S0 = {:g} per rad/s, held over {:g} s", S0, p_.step);
    } else if (kind == "psd") {
      p_.density = read_table();
      p_.words = "spectral density by a table";
    } else if (kind == "iso8608") {
      read_road();
    } else if (kind == "kanai_tajimi") {
      p_.density = kanai_tajimi(n("S0"), n("omega_g"), n("zeta_g"));
      p_.words = fmt::format("Kanai–Tajimi, S0 = {:g}, ground {:g} rad/s, {:g}", n("S0"), n("omega_g"), n("zeta_g"));
    } else if (kind == "clough_penzien") {
      p_.density = clough_penzien(n("S0"), n("omega_g"), n("zeta_g"), n("omega_f"), n("zeta_f"));
      p_.words = fmt::format("Clough–Penzien, S0 = {:g}, ground {:g} rad/s, {:g}", n("S0"), n("omega_g"), n("zeta_g"));
    } else if (kind == "jonswap" || kind == "pierson_moskowitz") {
      const bool young = kind == "jonswap";
      const double gamma = young ? number("gamma", 3.3) : 1, period = n("peak_period");
      if (!(gamma >= 1 && gamma <= 20)) refuse("gamma", fmt::format("must be between 1 and 20, found {:g}", gamma));
      p_.density = jonswap(n("height"), period, gamma);
      p_.words = fmt::format("{}, height {:g} m, period {:g} s", young ? "JONSWAP" : "Pierson–Moskowitz", n("height"), period);
    } else if (kind == "von_karman" || kind == "kaimal") {
      const double deviation = n("intensity") * n("speed");
      p_.density = (kind == "kaimal" ? kaimal : von_karman)(deviation, n("length"), n("speed"));
      p_.words = fmt::format("{} wind, {:g} m/s, intensity {:g}", kind == "kaimal" ? "Kaimal" : "von Kármán", n("speed"),
                             n("intensity"));
    } else if (kind == "filter") {
      read_filter();
    } else {
      read_records();
    }
  }

  double number_of(const Item& item, std::string_view key, double fallback) const {
    const Value* v = item.find(key);
    return v ? scope_(v->number) : fallback;
  }

  void read_road() {
    const Value *letter = field("class"), *roughness = field("roughness");
    if ((letter != nullptr) == (roughness != nullptr))
      throw InputError(letter ? letter->at : own().at,
                       letter ? "give either 'class' or 'roughness', not both" : "needs 'class' (A to H) or 'roughness'");
    const double value = letter ? 16e-6 * std::pow(4.0, letter->word[0] - 'A') : scope_(roughness->number);
    const double speed = number("speed", 0), w = number("waviness", 2), longest = number("longest", 1 / 0.011),
                 shortest = number("shortest", 1 / 2.83);
    if (!(longest > shortest))
      refuse(field("longest") ? "longest" : "shortest",
             fmt::format("leaves no waves: longest {:g} m, shortest {:g} m", longest, shortest));
    p_.density = road(value, w, speed, 1 / longest, 1 / shortest);
    p_.words = fmt::format("ISO 8608 road, {}, {:g} m/s",
                           letter ? "class " + letter->word : fmt::format("roughness {:g} m³", value), speed);
  }

  Density read_table() const {
    const Value& t = *field("table");
    const std::vector<double> xy = numbers(t);
    const bool hertz = field("per")->word == "Hz", one = field("sides")->word == "one";
    const double g = field("unit") && field("unit")->word == "g" ? 9.80665 * 9.80665 : 1;
    std::vector<std::pair<double, double>> points;
    for (std::size_t i = 0; i + 1 < xy.size(); i += 2) {
      const input::Position at = t.numbers[i].at;
      if (!(xy[i] > 0)) throw InputError(at, fmt::format("'table': frequencies must be above 0, found {:g}", xy[i]));
      if (i > 0 && !(xy[i] > xy[i - 2]))
        throw InputError(at, fmt::format("'table': frequencies must increase, but {:g} follows {:g}", xy[i], xy[i - 2]));
      if (!(xy[i + 1] > 0))
        throw InputError(
            t.numbers[i + 1].at,
            fmt::format("'table': a spectral density must be above 0, found {:g}; leave frequencies out where there is none",
                        xy[i + 1]));
      points.emplace_back(hertz ? 2 * pi * xy[i] : xy[i], g * xy[i + 1] / ((hertz ? 2 * pi : 1) * (one ? 2 : 1)));
    }
    return table(std::move(points));
  }

  void read_filter() {
    const Value &b = *field("numerator"), &a = *field("denominator");
    std::vector<double> num = numbers(b), den = numbers(a);
    if (den.size() < 2 || den.back() == 0)
      throw InputError(a.at, "'denominator' needs at least two coefficients, the last not 0");
    if (num.empty() || num.size() >= den.size())
      throw InputError(
          b.at,
          fmt::format("'numerator' has {} coefficients and 'denominator' {}: it must have fewer, or the variance is infinite",
                      num.size(), den.size()));
    p_.density = filtered(number("S0", 0), num, den);
    if (!std::isfinite(variance(p_.density)) || !(den[0] != 0 || num[0] == 0))
      throw InputError(a.at, "this filter makes a process of infinite variance");
    p_.words = fmt::format("filtered white noise, S0 = {:g}, order {}", number("S0", 0), den.size() - 1);
  }

  void read_records() {
    p_.kind = Process::Kind::recorded;
    p_.step = number("step", 0);
    const double scale = number("scale", 1);
    const Value& v = *field("records");
    const auto rows = std::size_t(v.number.constant);
    const std::size_t columns = v.numbers.size() / std::max<std::size_t>(1, rows);
    for (std::size_t r = 0; r < rows; ++r) {
      p_.records.emplace_back();
      for (std::size_t i = 0; i < columns; ++i) p_.records.back().push_back(scale * scope_(v.numbers[r * columns + i]));
    }
    p_.words = fmt::format("{} record{} of {:g} s", rows, rows == 1 ? "" : "s", double(columns - 1) * p_.step);
  }

  void read_shape() {
    if (const Value* e = field("envelope")) read_envelope(e->items[0], e->at);
    const Value* m = field("marginal");
    if (!m) return;
    const Item& item = m->items[0];
    try {
      if (item.kind == "hermite")
        p_.marginal = hermite(number_of(item, "skewness", 0), number_of(item, "kurtosis", 3));
      else if (item.kind == "lognormal")
        p_.marginal = lognormal(number_of(item, "skewness", 0));
      else
        p_.marginal.kind = Marginal::Kind::uniform;
    } catch (const std::invalid_argument& error) {
      throw InputError(item.at, fmt::format("'marginal': {}", error.what()));
    }
  }

  void read_envelope(const Item& item, input::Position at) {
    Envelope e;
    if (const Value* t = item.find("table")) {
      if (item.fields.size() > 1) throw InputError(at, "'envelope': with a 'table' nothing else can be given");
      const std::vector<double> xy = numbers(*t);
      for (std::size_t i = 0; i + 1 < xy.size(); i += 2) e.times.push_back(xy[i]), e.factors.push_back(xy[i + 1]);
      if (e.times.back() > p_.duration * (1 + 1e-9))
        throw InputError(
            t->at,
            fmt::format("'envelope' ends at {:g} s, after the simulation, {:g} s; make 'duration' longer or the envelope shorter",
                        e.times.back(), p_.duration));
    } else {
      e.rise = number_of(item, "rise", 0);
      if (const Value* h = item.find("hold")) e.hold = scope_(h->number);
      e.decay = number_of(item, "decay", 0);
      if (item.find("decay") && !item.find("hold"))
        throw InputError(item.find("decay")->at, "'envelope.decay' needs 'hold', the time at which the decay begins");
      if (e.hold < e.rise)
        throw InputError(item.find("hold")->at,
                         fmt::format("'envelope': 'hold', {:g} s, is before 'rise' ends, {:g} s; both are times from the begin",
                                     e.hold, e.rise));
      const double end = std::isfinite(e.hold) ? e.hold : e.rise;
      if (end > p_.duration)
        throw InputError(at, fmt::format("'envelope' holds until {:g} s, after the end of the simulation, {:g} s; make "
                                         "'duration' longer or the envelope shorter",
                                         end, p_.duration));
    }
    p_.envelope = e;
  }

  void refuse_grid() const {
    if (p_.points == 0)
      throw InputError(item_.at,
                       fmt::format("changes too slowly: its variance is below {:g} Hz; give a 'cutoff'", p_.cutoff / (2 * pi)));
    if (p_.points > most_points)
      throw InputError(item_.at,
                       "needs more than 20 million points; make 'cutoff' lower, 'step' longer or the simulation shorter");
    if (p_.kind == Process::Kind::spectrum) {
      if (!std::isfinite(variance(p_.density)) && !field("cutoff"))
        throw InputError(item_.at, "its variance is infinite; give a 'cutoff'");
      if (p_.period() < p_.duration * (1 - 1e-9))
        refuse("period", fmt::format("{:g} s is shorter than the simulation, {:g} s: it would repeat", p_.period(), p_.duration));
      if (p_.rms() == 0) refuse("cutoff", "leaves nothing: the density is 0 below it");
    }
  }

  void read_places() {
    const Value *places = field("places"), *how = field("coherence");
    if (!places) {
      if (how) refuse("coherence", "is that of several 'places', and there are none");
      if (field("wave_speed")) refuse("wave_speed", "is that between several 'places', and there are none");
      return;
    }
    if (!how) refuse("places", "need a 'coherence': {constant: 0.5}, {exponential: {decay: 8, speed: 20}} or isotropic");
    std::vector<double> x;
    for (const auto& [name, value] : places->by_direction) p_.places.push_back(name), x.push_back(scope_(value.number));
    if (x.size() < 2) refuse("places", "must be at least two");
    for (const double a : x)
      for (const double b : x) p_.distance.push_back(std::abs(a - b));
    Coherence c;
    c.wave_speed = number("wave_speed", 0);
    if (!how->items.empty()) {
      const Item& item = how->items[0];
      c.kind = item.kind == "constant" ? Coherence::Kind::constant : Coherence::Kind::exponential;
      if (item.kind == "constant") {
        c.value = scope_(item.subject.number);
        if (c.value > 1)
          throw InputError(item.at, fmt::format("'coherence.constant' must be between 0 and 1, found {:g}", c.value));
      } else {
        c.decay = number_of(item, "decay", 0), c.speed = number_of(item, "speed", 1);
      }
    } else {
      if (item_.kind != "iso8608") refuse("coherence", "'isotropic' is for roads (iso8608)");
      c.kind = Coherence::Kind::isotropic;
      c.speed = number("speed", 1);
      c.order = number("waviness", 2) / 2;
    }
    if (p_.kind == Process::Kind::white_noise && c.kind != Coherence::Kind::constant)
      refuse("coherence", "of white noise must be constant");
    mix(p_, c);
  }

  const Item& item_;
  const input::Scope& scope_;
  Process p_;
};

}  // namespace

Process read(const Item& item, const input::Scope& scope, double duration, const Process* like) {
  return Reader(item, scope, duration)(like);
}

Use read_use(const Item& function, const Process& p, const input::Scope& scope) {
  Use use;
  const auto number = [&](std::string_view key, double fallback) {
    const Value* v = function.find(key);
    return v ? scope(v->number) : fallback;
  };
  use.delay = number("delay", 0), use.scale = number("scale", 1);
  const Value *at = function.find("at"), *delay = function.find("delay");
  if (at) {
    const auto it = std::find(p.places.begin(), p.places.end(), at->word);
    if (it == p.places.end())
      throw InputError(at->at, p.places.empty() ? fmt::format("process '{}' has no 'places'", p.name)
                                                : fmt::format("process '{}' has no place '{}'{}", p.name, at->word,
                                                              input::suggestion(at->word, p.places)));
    use.place = int(it - p.places.begin());
  } else if (!p.places.empty()) {
    throw InputError(function.at, fmt::format("process '{}' has several places: say which, as in {{process: {}, at: {}}}", p.name,
                                              p.name, p.places[0]));
  }
  if (!delay) return use;
  if (use.delay < 0) throw InputError(delay->at, fmt::format("'delay' must not be negative, found {:g}", use.delay));
  if (p.kind == Process::Kind::spectrum && use.delay > p.period() - p.duration)
    throw InputError(delay->at, fmt::format("'delay' is {:g} s, but process '{}' repeats after {:g} s; give it a longer 'period'",
                                            use.delay, p.name, p.period()));
  if (const double steps = use.delay / p.step; p.kind == Process::Kind::white_noise && std::abs(steps - std::round(steps)) > 1e-6)
    throw InputError(delay->at, fmt::format("'delay' of white noise must be a whole number of its steps of {:g} s, found {:g} s",
                                            p.step, use.delay));
  return use;
}

}  // namespace aleator::core::processes
