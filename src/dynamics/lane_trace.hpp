// What a simulation in lanes does, in order, told instead of done: which programs are run, which numbers are set in all lanes, where outputs are
// recorded. It is the same for all realizations whose functions of time are the same, so that a device can do it for thousands of them
// (device_simulation.hpp). What depends on the numbers of lanes is skipped there, by a look at a slot.
#pragma once

#include <cstddef>
#include <vector>

namespace aleator::core {

struct LaneTrace {
  struct Event {
    enum Kind { run, set, copy, record, skip_if_none, skip_if_all } kind;
    int a = 0, b = 0, c = 0;  // program; slot; slots from, to, count; slot, record, count; slot, events to be skipped
    double value = 0;
  };
  struct Piece {
    double begin, end;
    bool last;
    std::vector<int> nodes;  // that are recorded
  };
  std::vector<Event> events;
  std::vector<Piece> pieces;
  int records = 0;
  double step = 0;  // the longest
  bool follows = false;

  bool empty() const { return events.empty(); }
  void run(int program) { events.push_back({Event::run, program}); }
  void set(int slot, double x) { events.push_back({Event::set, slot, 0, 0, x}); }
  void copy(int from, int to, int count) { events.push_back({Event::copy, from, to, count}); }
  void begin_piece(double begin, double end, bool last) { pieces.push_back({begin, end, last, {}}); }
  void record(int node, int first, int count) {
    pieces.back().nodes.push_back(node);
    events.push_back({Event::record, first, records++, count});
  }
  int skip(Event::Kind kind, int slot) {
    events.push_back({kind, slot});
    return int(events.size()) - 1;
  }
  void land_all(size_t from) {  // all skips from this event on
    for (size_t i = from; i < events.size(); ++i)
      if (events[i].kind == Event::skip_if_none || events[i].kind == Event::skip_if_all) land(int(i));
  }
  void land(int skip) { events[size_t(skip)].b = int(events.size()) - 1 - skip; }
};

}  // namespace aleator::core
