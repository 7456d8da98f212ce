// A consistent state at t = 0 in all lanes: positions moved onto the constraints, velocities made consistent. start.cpp does the
// same for one realization, and tells what is wrong when it cannot be done.
#include <algorithm>
#include <cmath>

#include "dynamics/lane_engine.hpp"

namespace aleator::core {

namespace {

Traced largest(const Traced* x, int n) {
  Traced m(0);
  for (int i = 0; i < n; ++i) m = max(m, abs(x[i]));
  return m;
}

// Of the mechanism as drawn: what is round-off of positions.
double size_of(const Model& m) {
  double size = 1;
  for (size_t c = 0; c < m.topology.carriers.size(); ++c)
    if (m.topology.carriers[c].is_place)
      for (int i = 0; i < 3; ++i) size = std::max(size, std::abs(m.nominal.positions[7 * c + i]));
  return size;
}

}  // namespace

LaneStart::LaneStart(LaneCompiler& c) {
  const double size = size_of(c.model()), enough = 4e-16 * size, acceptable = 1e-10 * size;
  going = c.field(1)[0];
  violation = c.field(1)[0];
  Index1<Traced>& index1 = c.index1();
  const int rows = c.rows();

  assemble = c.program([&](Stores& out) {
    State<Traced> s = c.state(c.node);
    const TracedMask bad = index1.evaluate(s, Side::right);
    const Traced now = largest(c.assembly().evaluation().residual, rows), before = c.read(violation);
    const TracedMask done = (now <= Traced(enough)) | ((now < Traced(acceptable)) & (now > Traced(0.5) * before));
    const TracedMask go = (!done) & (c.read(going) != Traced(0));
    const AlignedVector<Traced> q = s.positions;
    index1.project_positions(s);
    for (size_t i = 0; i < q.size(); ++i) s.positions[i] = select(go, s.positions[i], q[i]);
    c.store_positions(out, c.node.positions, s.positions);
    out.add(violation, select(c.read(going) != Traced(0), now, before));
    out.add(going, select(go & (!bad), Traced(1), Traced(0)));
    c.store_failure(out, bad);
  });
  settle = c.program([&](Stores& out) {
    State<Traced> s = c.state(c.node);
    const TracedMask bad = index1.evaluate_again(s, Side::right);
    c.assembly().update_turns(s.turns.data());
    out.add(c.turns, s.turns);
    c.store_failure(out, bad | !(largest(c.assembly().evaluation().residual, rows) < Traced(acceptable)));
  });
  // Twice, for what ε left open: 1e-11 of a jump of velocities, divided by h, would be seen.
  project = c.program([&](Stores& out) {
    State<Traced> s = c.state(c.node);
    TracedMask bad = index1.evaluate(s, Side::right);
    index1.project_velocities(s);
    bad = bad | index1.evaluate_again(s, Side::right);
    index1.project_velocities(s);
    c.store_velocities(out, c.node.velocities, s.velocities);
    c.store_failure(out, bad);
  });
  check = c.program([&](Stores& out) {
    State<Traced> s = c.state(c.node);
    index1.evaluate_again(s, Side::right);
    AlignedVector<Traced> open(rows);
    c.assembly().velocity_residual(open.data());
    const Traced speed = max(Traced(1), largest(s.velocities.data(), int(s.velocities.size())));
    c.store_failure(out, !(largest(open.data(), rows) < Traced(1e-6) * speed));
  });
}

}  // namespace aleator::core
