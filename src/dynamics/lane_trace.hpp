// What a simulation in lanes does, in order, told instead of done: which programs are run, which numbers are set in all lanes, where outputs are
// recorded. It is the same for all realizations whose functions of time are the same, so that a device can do it for thousands of them
// (device_simulation.hpp). What depends on the numbers of lanes is skipped there, by a look at a slot.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "numerics/program.hpp"

namespace aleator::core {

struct LaneTrace {
  struct Event {
    // recall and tell: of what was recorded, for numbers that are made of it (DeviceReduction).
    enum Kind { run, set, copy, fetch, record, skip_if_none, skip_if_all, repeat_if_any, recall, tell } kind;
    int a = 0, b = 0,
        c = 0;  // program; slot; slots from, to, count; coefficient, slot, count; slot, record, count; slot, events to be skipped or done again
    double value = 0;
    int distance = 0;  // recall: line, slot, count, between lines; tell: slot, line
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
  std::vector<Program> own;  // programs that the engine does not have …
  int first_own = 0;         // … whose numbers follow those of the engine's …
  int slots = 0;             // … and their slots, too: so many in all
  int coefficients = 0;      // of functions of time that realizations bring with them
  std::string why_not;       // it cannot be told

  bool empty() const { return events.empty(); }
  void run(int program) { events.push_back({Event::run, program}); }
  void set(int slot, double x) { events.push_back({Event::set, slot, 0, 0, x}); }
  void copy(int from, int to, int count) { events.push_back({Event::copy, from, to, count}); }
  void fetch(int coefficient, int slot, int count) { events.push_back({Event::fetch, coefficient, slot, count}); }
  int reserve_program() { return own.emplace_back(), first_own + int(own.size()) - 1; }
  Program& program(int number) { return own[size_t(number - first_own)]; }
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
  // What was told from this event on is done again while the slot is not 0 in all lanes.
  void repeat_if_any(int slot, size_t from) { events.push_back({Event::repeat_if_any, slot, int(events.size() - from) + 1}); }
  void land(int skip) { events[size_t(skip)].b = int(events.size()) - 1 - skip; }
};

}  // namespace aleator::core
