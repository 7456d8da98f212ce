#include "uncertainty/recorded_sample.hpp"

#include <algorithm>

#include "uncertainty/philox.hpp"
#include "uncertainty/variates.hpp"

namespace aleator::core {
namespace {

class Recording {
 public:
  Recording(const RandomModel& random, SequenceRecorder& to) : random_(random), to_(to) {}

  RecordedSample operator()() {
    out_.realization = to_.slot(), out_.seed = to_.slot();
    out_.groups = int(random_.groups().size());
    out_.replicates = to_.slots(out_.groups);
    out_.columns = to_.slots(int(random_.columns().size()));
    block_ = to_.slot(), key_ = to_.slot(), replicate_ = to_.slot(), uniform_ = to_.slots(4), keys_ = to_.slots(2);
    for (const Quantity& q : random_.quantities())
      if (q.scalar) scalar(q);
    for (const Quantity& q : random_.quantities()) {
      if (q.center_of_mass) center_of_mass(q);
      if (q.inertia) inertia(q);  // of a mass that is drawn by now
    }
    return out_;
  }

  static bool can(const RandomModel& random) {
    if (!random.dependences().empty() || random.draws_bodies()) return false;
    return std::ranges::all_of(random.quantities(), [](const Quantity& q) {
      if (q.body < 0 || q.field >= 0 || q.process >= 0) return false;
      if (q.scalar) {
        SequenceRecorder trial;
        return q.scalar->record_quantile(trial, trial.slot(), trial.slot());
      }
      if (q.center_of_mass) return q.center_of_mass->is_box();
      if (q.inertia->planar()) return false;
      const KummerBetaSampler& sampler = q.inertia->space_law()->sampler();
      const bool by_rejection = sampler.method() == KummerBetaMethod::lower || sampler.method() == KummerBetaMethod::upper;
      return by_rejection && sampler.rejection().shape - 1 >= 1;  // Gamma variates of smaller shapes have another formula
    });
  }

 private:
  // Puts four uniform numbers of a quantity's stream into uniform_, those of the block whose number is in block_. The same programs serve all
  // quantities: which one it is, is a number to them. Rounds are two to a program, which keeps kernels short.
  void name(const Quantity& q) {
    to_.store(key_, or_bits(Traced(0), q.key)), to_.store(replicate_, to_.read(out_.replicates + q.group));
  }
  void draw() {
    const bool recorded = !draw_.empty();
    const auto program = [&](std::size_t number, const std::function<void()>& record) {
      recorded ? to_.again(draw_[number]) : draw_.push_back(to_.program(record));
    };
    const auto words = [&](int k) { return k < 4 ? uniform_ + k : keys_ + k - 4; };
    const auto put = [&](const philox::State<Traced>& s) {
      for (int k = 0; k < 6; ++k) to_.store(words(k), k < 4 ? s.x[std::size_t(k)] : s.key[std::size_t(k - 4)]);
    };
    program(0, [&] {
      put({{philox::word_of(to_.read(block_)), to_.read(out_.realization), to_.read(key_), to_.read(replicate_)},
           {to_.read(out_.seed), Traced(0)}});
    });
    constexpr int at_once = 2;
    program(1, [&] {
      philox::State<Traced> s;
      for (int k = 0; k < 6; ++k) (k < 4 ? s.x[std::size_t(k)] : s.key[std::size_t(k - 4)]) = to_.read(words(k));
      for (int k = 0; k < at_once; ++k) philox::round(s);
      put(s);
    });
    for (int k = at_once; k < philox::rounds; k += at_once) to_.again(draw_[1]);
    program(2, [&] {
      for (int k = 0; k < 4; ++k) to_.store(uniform_ + k, philox::uniform(to_.read(uniform_ + k)));
    });
  }
  void draw_first(const Quantity& q) {
    to_.program([&] { name(q), to_.store(block_, Traced(0)); });
    draw();
  }
  int column(const Quantity& q) const { return out_.columns + q.first_column; }

  void scalar(const Quantity& q) {
    draw_first(q);
    q.scalar->record_quantile(to_, uniform_, column(q));
  }

  void center_of_mass(const Quantity& q) {
    draw_first(q);
    to_.program([&] {
      const Traced u[] = {to_.read(uniform_), to_.read(uniform_ + 1), to_.read(uniform_ + 2)};
      const Vec3<Traced> a = q.center_of_mass->in_box(u);
      int at = column(q);
      for (int axis = 0; axis < 3; ++axis)
        if (axis != random_.model().topology.normal) to_.store(at++, a[axis]);
    });
  }

  // Turn by turn: a try of the diagonal entry that a lane has come to; once it has all three, whether they are accepted. A lane is at a place
  // of its own in its stream. It looks at three blocks and takes the eight numbers from there on, of which it uses three (a diagonal entry that is
  // refused, or the first), five (the second, and what is beside it) or eight (the third, two beside it, and the number that accepts); then
  // the blocks move on with it.
  void inertia(const Quantity& q) {
    const WishartRejection& law = q.inertia->space_law()->sampler().rejection();
    const int place = to_.slot(), row = to_.slot(), factor = to_.slots(6), z = to_.slots(6), open = to_.slot();
    const int ahead_slots = to_.slots(12), missing = to_.slot();
    to_.program([&] {
      name(q), to_.store(block_, Traced(0)), to_.store(missing, Traced(3));
      to_.store(place, Traced(0)), to_.store(row, Traced(0)), to_.store(open, Traced(1));
      for (int i = 0; i < 6; ++i) to_.store(factor + i, Traced(0)), to_.store(z + i, Traced(0));
      for (int k = 0; k < 12; ++k) to_.store(ahead_slots + k, Traced(0.5));
    });
    const std::size_t again = to_.here();
    draw();
    to_.program([&] {
      const Traced left = to_.read(missing);
      const TracedMask moves = Traced(0) < left;
      for (int k = 0; k < 12; ++k)
        to_.store(ahead_slots + k,
                  select(moves, k < 8 ? to_.read(ahead_slots + k + 4) : to_.read(uniform_ + k - 8), to_.read(ahead_slots + k)));
      to_.store(block_, to_.read(block_) + select(moves, Traced(1), Traced(0)));
      to_.store(missing, left - select(moves, Traced(1), Traced(0)));
    });
    to_.repeat_if_any(missing, again);
    to_.program([&] {
      const Traced beyond = to_.read(place), now = to_.read(row);  // from the first of the blocks
      std::array<Traced, 12> ahead;
      for (int k = 0; k < 12; ++k) ahead[std::size_t(k)] = to_.read(ahead_slots + k);
      const TracedMask one = beyond == Traced(1), two = beyond == Traced(2), three = beyond == Traced(3);
      std::array<Traced, 8> u;
      for (std::size_t k = 0; k < 8; ++k)
        u[k] = select(three, ahead[k + 3], select(two, ahead[k + 2], select(one, ahead[k + 1], ahead[k])));

      const TracedMask is_open = Traced(0) < to_.read(open), first = now == Traced(0), second = now == Traced(1),
                       third = now == Traced(2);
      const GammaTry of[] = {GammaTry(law.shape), GammaTry(law.shape - 0.5), GammaTry(law.shape - 1)};
      const auto by_row = [&](double a, double b, double c) {
        return select(first, Traced(a), select(second, Traced(b), Traced(c)));
      };
      const TriedGamma<Traced> tried =
          tried_gamma(by_row(of[0].d, of[1].d, of[2].d), by_row(of[0].c, of[1].c, of[2].c), normal_variate(u[0], u[1]), u[2]);
      const TracedMask taken = is_open & tried.accepted;
      const Traced diagonal = sqrt(tried.value), half(std::numbers::sqrt2 / 2);
      const Traced a = half * normal_variate(u[3], u[4]), b = half * normal_variate(u[5], u[6]);
      WishartFactor<Traced> l;
      const auto put = [&](int i, const TracedMask& here, const Traced& x) {
        l[std::size_t(i)] = select(taken & here, x, to_.read(factor + i));
        to_.store(factor + i, l[std::size_t(i)]);
      };
      put(0, first, diagonal);
      put(1, second, a), put(2, second, diagonal);
      put(3, third, a), put(4, third, b), put(5, third, diagonal);

      const WishartRejection::Tried<Traced> whole = law.tried(l, u[7]);
      const TracedMask complete = taken & third, accepted = complete & whole.accepted;
      const Mat3<Traced> drawn = q.inertia->z_of(whole.b);
      for (int e = 0; e < 6; ++e) to_.store(z + e, select(accepted, drawn[tensor_row[e]][tensor_column[e]], to_.read(z + e)));
      const Traced used = select(taken & second, Traced(5), select(complete, Traced(8), Traced(3)));
      const Traced next = beyond + used, blocks = select(is_open, floor(next * Traced(0.25)), Traced(0));
      to_.store(place, next - Traced(4) * blocks), to_.store(missing, blocks);
      to_.store(row, select(complete, Traced(0), now + select(taken, Traced(1), Traced(0))));
      to_.store(open, is_open & !accepted);
    });
    to_.repeat_if_any(open, again);
    to_.program([&] {
      Mat3<Traced> drawn;
      for (int e = 0; e < 6; ++e)
        drawn[tensor_row[e]][tensor_column[e]] = drawn[tensor_column[e]][tensor_row[e]] = to_.read(z + e);
      const Mat3<Traced> J = q.inertia->tensor(mass_of(q.body), drawn);
      for (int e = 0; e < 6; ++e) to_.store(column(q) + e, J[tensor_row[e]][tensor_column[e]]);
    });
  }
  // As drawn, or nominal.
  Traced mass_of(int body) {
    for (const Quantity& q : random_.quantities())
      if (q.is_mass() && q.body == body) return to_.read(column(q));
    return Traced(random_.model().bodies[std::size_t(body)].mass);
  }

  const RandomModel& random_;
  SequenceRecorder& to_;
  RecordedSample out_;
  int block_ = 0, key_ = 0, replicate_ = 0, uniform_ = 0, keys_ = 0;  // slots
  std::vector<int> draw_;                                             // programs
};

}  // namespace

std::optional<RecordedSample> record_sample(const RandomModel& random, SequenceRecorder& to) {
  if (!Recording::can(random)) return std::nullopt;
  return Recording(random, to)();
}

}  // namespace aleator::core
