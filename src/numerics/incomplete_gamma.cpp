// Eight numbers are never arguments of a function that is called: what compilers warn of does not arise.
#pragma GCC diagnostic ignored "-Wpsabi"
#include "numerics/incomplete_gamma.hpp"

#include <algorithm>
#include <limits>

#include "numerics/eight.hpp"
#include "numerics/incomplete_gamma_steps.hpp"
#include "numerics/program_sequence.hpp"

namespace aleator::core {
namespace {

using gamma_steps::Shape;

constexpr int most_terms = 1000000;  // the series and the fraction need some √a of them
constexpr int before_asking = 4;     // terms: to ask whether all sums have ended takes as long as a few of them

// The series where x < a + 1, elsewhere the fraction; one that has ended stays as it is.
ALEATOR_INLINE Eight sums_at(const Shape& s, const Eight& x, const Eight::Mask& wanted) {
  const auto by_series = x < Eight(s.a + 1);
  gamma_steps::Series<Eight> series;
  gamma_steps::Fraction<Eight> fraction(s.a, x);
  Eight::Mask going = wanted & by_series;
  for (int n = 1; n < most_terms && any(going); n += before_asking)
    for (int k = 0; k < before_asking; ++k) going = going & series.take(s.a, x, Eight(n + k));
  going = wanted & !by_series;
  for (int n = 1; n < most_terms && any(going); n += before_asking)
    for (int k = 0; k < before_asking; ++k) going = going & fraction.take(s.a, Eight(n + k));
  return select(by_series, series.sum, fraction.value);
}

ALEATOR_INLINE void invert(const Shape& s, const double* lower, const double* upper, double* x) {
  Eight below, above;
  for (int k = 0; k < 8; ++k) below.of[k] = lower[k], above.of[k] = upper[k];
  gamma_steps::Search<Eight> search(s, below, above);
  Eight::Mask open = search.x > Eight(0);
  while (any(open)) {
    gamma_steps::Search<Eight> next = search;
    const Eight::Mask ended = next.step(s, sums_at(s, search.x, open));
    search.keep(open, next);
    open = open & !ended;
  }
  for (int k = 0; k < 8; ++k) x[k] = search.x.of[k];
}

}  // namespace

IncompleteGamma incomplete_gamma(double a, double x) {
  if (!(x > 0)) return {0, 1};
  const Shape s(a);
  IncompleteGamma out{};
  with_wide_registers([&]() __attribute__((always_inline)) {
    const Eight at(x);
    const gamma_steps::Tails<Eight> t = gamma_steps::tails(s, at, sums_at(s, at, true), s.front(at));
    out = {t.lower.of[0], t.upper.of[0]};
  });
  return out;
}

double gamma_density(double a, double x) {
  if (!(x > 0)) return a < 1 ? std::numeric_limits<double>::infinity() : a == 1 ? 1 : 0;
  return Shape(a).front(x) * a / x;
}

double incomplete_gamma_inverse(double a, double lower, double upper) {
  double x = 0;
  incomplete_gamma_inverse(a, {&lower, 1}, {&upper, 1}, {&x, 1});
  return x;
}

void incomplete_gamma_inverse(double a, std::span<const double> lower, std::span<const double> upper, std::span<double> x) {
  const Shape shape(a);
  double below[8], above[8], out[8];
  for (std::size_t first = 0; first < x.size(); first += 8) {
    const std::size_t own = std::min<std::size_t>(8, x.size() - first);
    for (std::size_t k = 0; k < 8; ++k)
      below[k] = lower[first + std::min(k, own - 1)], above[k] = upper[first + std::min(k, own - 1)];
    with_wide_registers([&]() __attribute__((always_inline)) { invert(shape, below, above, out); });
    std::copy_n(out, own, x.begin() + std::ptrdiff_t(first));
  }
}

// Searches that have ended wait for the others. Lanes whose x is below a + 1 have the series, others the fraction.
void record_incomplete_gamma_inverse(SequenceRecorder& to, double a, int lower, int x) {
  using Numbers = gamma_steps::Search<Traced>;
  const Shape s(a);
  const int from_below = to.slot(), wanted = to.slot(), below = to.slot(), above = to.slot(), steps = to.slot(), open = to.slot();
  const auto search = [&] {
    Numbers n;
    n.from_below = to.read(from_below), n.wanted = to.read(wanted), n.below = to.read(below), n.above = to.read(above);
    n.x = to.read(x), n.steps = to.read(steps);
    return n;
  };
  const auto put = [&](const Numbers& n) {
    to.store(below, n.below), to.store(above, n.above), to.store(x, n.x), to.store(steps, n.steps);
  };
  to.program([&] {
    const Numbers n(s, to.read(lower), Traced(1) - to.read(lower));
    to.store(from_below, n.from_below), to.store(wanted, n.wanted), to.store(open, Traced(0) < n.x);
    put(n);
  });
  const int term = to.slot(), sum = to.slot(), b = to.slot(), c = to.slot(), d = to.slot(), value = to.slot(), factor = to.slot();
  const int number = to.slot(), going = to.slot();
  const auto fraction = [&] {
    gamma_steps::Fraction<Traced> f;
    f.b = to.read(b), f.c = to.read(c), f.d = to.read(d), f.value = to.read(value), f.factor = to.read(factor);
    return f;
  };
  const auto put_fraction = [&](const gamma_steps::Fraction<Traced>& f) {
    to.store(b, f.b), to.store(c, f.c), to.store(d, f.d), to.store(value, f.value), to.store(factor, f.factor);
  };
  const std::size_t again = to.here();
  to.program([&] {
    const gamma_steps::Series<Traced> series;
    to.store(term, series.term), to.store(sum, series.sum), to.store(number, Traced(1));
    put_fraction({a, to.read(x)});
  });
  const std::size_t more = to.here();
  to.program([&] {
    const Traced at = to.read(x), n = to.read(number);
    gamma_steps::Series<Traced> series{to.read(term), to.read(sum)};
    gamma_steps::Fraction<Traced> f = fraction();
    TracedMask of_series = true, of_fraction = true;
    for (int k = 0; k < before_asking; ++k) {
      of_series = of_series & series.take(s.a, at, n + Traced(k));
      of_fraction = of_fraction & f.take(s.a, n + Traced(k));
    }
    to.store(term, series.term), to.store(sum, series.sum);
    put_fraction(f);
    to.store(number, n + Traced(before_asking));
    const TracedMask ends = n < Traced(most_terms);
    to.store(going, (Traced(0) < to.read(open)) & ends & select(at < Traced(s.a + 1), of_series, of_fraction));
  });
  to.repeat_if_any(going, more);
  to.program([&] {
    const Numbers now = search();
    Numbers next = now;
    const TracedMask is_open = Traced(0) < to.read(open);
    const TracedMask ended = next.step(s, select(now.x < Traced(s.a + 1), to.read(sum), to.read(value)));
    Numbers kept = now;
    kept.keep(is_open, next);
    put(kept);
    to.store(open, is_open & !ended);
  });
  to.repeat_if_any(open, again);
}

}  // namespace aleator::core
