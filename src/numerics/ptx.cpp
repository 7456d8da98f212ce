#include "numerics/ptx.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

namespace aleator::core {

namespace {

using detail::PtxBody;
using detail::PtxLine;

// Of all numbers that programs keep in memory, those that are read and written most come into the shared memory of a multiprocessor.
struct Placement {
  std::vector<int> slot, spill;  // place in shared memory, −1: in the frame, or in local memory
  int shared = 0, local = 0;
};

Placement place(const std::vector<PtxBody>& bodies, const std::vector<KernelProgram>& programs, const std::vector<char>& in_frame,
                int room, KernelText& out) {
  int spills = 0;
  for (const PtxBody& b : bodies) spills = std::max(spills, b.spills);
  std::vector<double> of_slot(in_frame.size(), 0), of_spill(size_t(spills), 0);
  for (size_t k = 0; k < bodies.size(); ++k)
    for (const PtxLine& l : bodies[k].lines) switch (l.kind) {
        case PtxLine::load_slot:
          of_slot[size_t(l.index)] += programs[k].runs, out.traffic.loads += programs[k].runs;
          break;
        case PtxLine::store_slot:
          of_slot[size_t(l.index)] += programs[k].runs, out.traffic.stores += programs[k].runs;
          break;
        case PtxLine::load_spill:
          of_spill[size_t(l.index)] += programs[k].runs, out.traffic.spill_loads += programs[k].runs;
          break;
        case PtxLine::store_spill:
          of_spill[size_t(l.index)] += programs[k].runs, out.traffic.spill_stores += programs[k].runs;
          break;
        default:
          break;
      }
  struct Candidate {
    double uses;
    bool is_spill;
    int index;
  };
  std::vector<Candidate> all;
  for (size_t s = 0; s < of_slot.size(); ++s)
    if (!in_frame[s] && of_slot[s] > 0) all.push_back({of_slot[s], false, int(s)});
  for (size_t s = 0; s < of_spill.size(); ++s) all.push_back({of_spill[s], true, int(s)});
  std::stable_sort(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) { return a.uses > b.uses; });
  Placement p{std::vector<int>(of_slot.size(), -1), std::vector<int>(of_spill.size(), -1)};
  for (const Candidate& c : all) {
    if (p.shared >= room) break;
    (c.is_spill ? p.spill : p.slot)[size_t(c.index)] = p.shared++;
  }
  for (int& s : p.spill)
    if (s < 0) s = -1 - p.local++ - 1;  // −2, −3 …: in local memory
  out.traffic.spills = spills, out.traffic.in_shared = p.shared;
  return p;
}

class Writer {
 public:
  Writer(const Placement& placement, const KernelLimits& limits) : place_(placement), limits_(limits) {}

  std::string operator()(const std::vector<PtxBody>& bodies, int slots) {
    head(slots);
    dispatch(0, int(bodies.size()) + int(DeviceEvent::run) - 1);
    events();
    for (size_t k = 0; k < bodies.size(); ++k) body(int(k), bodies[k]);
    put("DONE:\nret;\n}}\n");
    return std::move(text_);
  }

 private:
  template <class... A>
  void put(fmt::format_string<A...> format, A&&... a) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<A>(a)...);
  }

  void head(int slots) {
    put(".version 7.0\n.target sm_70\n.address_size 64\n");
    if (place_.shared > 0) put(".extern .shared .align 16 .b8 pool[];\n");
    put(".visible .entry simulate(.param .u64 frames, .param .u64 events, .param .u64 rows, .param .u64 inputs, .param .u64 "
        "places, "
        ".param .u64 outputs, .param .u32 packs, .param .u32 place_count, .param .u32 input_count, .param .u32 line_count, "
        ".param .u64 told, .param .u32 "
        "told_count)\n");
    // Without them 1024 threads are assumed, and 64 registers.
    put(".maxntid {}, 1, 1\n.minnctapersm {}\n{{\n", kernel_block, limits_.blocks);
    put(".reg .u64 %g, %u, %o, %e, %i, %in, %out, %rows, %l, %x, %y, %z, %told, %t, %apart;\n"
        ".reg .u32 %sh, %kind, %ea, %eb, %ec, %pack, %packs, %stride, %ins, %lines, %tells, %n, %m;\n"
        ".reg .pred %p, %any;\n.reg .f64 %v;\n");
    if (place_.local > 0) put(".local .align 16 .b8 spills[{}];\n", 8 * place_.local);
    put("ld.param.u64 %g, [frames];\nld.param.u64 %rows, [rows];\nld.param.u64 %in, [inputs];\nld.param.u64 %out, [outputs];\n"
        "ld.param.u32 %packs, [packs];\nld.param.u32 %ins, [input_count];\nld.param.u32 %lines, [line_count];\n"
        "ld.param.u64 %told, [told];\nld.param.u32 %tells, [told_count];\n");
    put("mov.u32 %n, %tid.x;\nmov.u32 %m, %ctaid.x;\nmad.lo.u32 %pack, %m, {}, %n;\nshr.u32 %pack, %pack, 5;\n"
        "mov.u32 %m, %nctaid.x;\nmul.lo.u32 %stride, %m, {};\n",
        kernel_block, kernel_block / warp);
    // The lane's column of its frame, and its place in inputs and outputs.
    put("and.b32 %m, %n, 31;\nmul.wide.u32 %x, %m, 8;\nmul.wide.u32 %y, %pack, {};\nadd.u64 %g, %g, %y;\nadd.u64 %g, %g, %x;\n"
        "add.u64 %in, %in, %x;\nadd.u64 %out, %out, %x;\nadd.u64 %told, %told, %x;\n",
        slots * line);
    if (place_.shared > 0) put("mov.u32 %m, pool;\nmad.lo.u32 %sh, %n, 8, %m;\n");
    if (place_.local > 0)  // of an address that it does not know the translator makes no registers: always + 0
      put("mov.u64 %l, spills;\nshr.u32 %m, %packs, 31;\nmul.wide.u32 %x, %m, 8;\nadd.u64 %l, %l, %x;\n");

    put("PACK:\nsetp.ge.u32 %p, %pack, %packs;\n@%p bra.uni DONE;\n");
    put("mul.lo.u32 %n, %ins, {};\nmul.wide.u32 %x, %n, %pack;\nadd.u64 %i, %in, %x;\nmov.u64 %x, %i;\nld.param.u64 %y, "
        "[places];\n"
        "ld.param.u32 %n, [place_count];\n",
        line);
    put("INPUT:\nsetp.eq.u32 %p, %n, 0;\n@%p bra.uni READY;\nld.global.nc.u32 %m, [%y];\ncvt.u64.u32 %z, %m;\nadd.u64 %z, %g, "
        "%z;\n"
        "ld.global.f64 %v, [%x];\nst.global.f64 [%z], %v;\nadd.u64 %x, %x, {};\nadd.u64 %y, %y, 4;\nsub.u32 %n, %n, 1;\nbra.uni "
        "INPUT;\n",
        line);
    put("READY:\nmul.lo.u32 %n, %lines, {};\nmul.wide.u32 %x, %n, %pack;\nadd.u64 %o, %out, %x;\nmul.lo.u32 %n, %tells, "
        "{};\nmul.wide.u32 %x, %n, %pack;\nadd.u64 %t, %told, %x;\nld.param.u64 %e, [events];\n",
        line, line);
    put("NEXT:\nld.global.nc.v4.u32 {{%kind, %ea, %eb, %ec}}, [%e];\nadd.u64 %e, %e, {};\n", sizeof(DeviceEvent));
  }

  // To the event that it is, by halves.
  void dispatch(int first, int last) {
    if (first == last) return put("bra.uni EVENT{};\n", first);
    const int middle = (first + last + 1) / 2;
    put("setp.ge.u32 %p, %kind, {};\n@%p bra.uni FROM{}TO{};\n", middle, middle, last);
    dispatch(first, middle - 1);
    put("FROM{}TO{}:\n", middle, last);
    dispatch(middle, last);
  }

  void events() {
    put("EVENT{}:\nadd.u32 %pack, %pack, %stride;\nbra.uni PACK;\n", int(DeviceEvent::end));
    put("EVENT{}:\ncvt.u64.u32 %x, %ea;\nadd.u64 %x, %g, %x;\nmov.b64 %y, {{%eb, %ec}};\nst.global.u64 [%x], %y;\nbra.uni "
        "NEXT;\n",
        int(DeviceEvent::set));
    put("EVENT{}:\ncvt.u64.u32 %x, %ea;\nadd.u64 %x, %g, %x;\ncvt.u64.u32 %y, %eb;\nadd.u64 %y, %g, %y;\nbra.uni MOVE;\n",
        int(DeviceEvent::copy));
    put("EVENT{}:\nmul.wide.u32 %x, %ea, {};\nadd.u64 %x, %i, %x;\ncvt.u64.u32 %y, %eb;\nadd.u64 %y, %g, %y;\nbra.uni MOVE;\n",
        int(DeviceEvent::fetch), line);
    put("EVENT{}:\ncvt.u64.u32 %x, %ea;\nadd.u64 %x, %g, %x;\nmul.wide.u32 %y, %eb, {};\nadd.u64 %y, %o, %y;\nbra.uni MOVE;\n",
        int(DeviceEvent::emit), line);
    put("EVENT{}:\ncvt.u64.u32 %x, %ea;\nadd.u64 %x, %g, %x;\nmul.wide.u32 %y, %eb, {};\nadd.u64 %y, %t, %y;\nld.global.f64 %v, "
        "[%x];\nst.global.f64 [%y], %v;\nbra.uni NEXT;\n",
        int(DeviceEvent::tell), line);
    put("EVENT{}:\nmul.wide.u32 %x, %ea, {};\nadd.u64 %x, %o, %x;\ncvt.u64.u32 %y, %eb;\nadd.u64 %y, %g, %y;\nshr.u32 %m, %ec, "
        "16;\nmul.wide.u32 %apart, %m, {};\nand.b32 %ec, %ec, 65535;\n",
        int(DeviceEvent::recall), line, line);
    put("RECALL:\nsetp.eq.u32 %p, %ec, 0;\n@%p bra.uni NEXT;\nld.global.f64 %v, [%x];\nst.global.f64 [%y], %v;\nadd.u64 %x, %x, "
        "%apart;\nadd.u64 %y, %y, {};\nsub.u32 %ec, %ec, 1;\nbra.uni RECALL;\n",
        line);
    put("MOVE:\nsetp.eq.u32 %p, %ec, 0;\n@%p bra.uni NEXT;\nld.global.f64 %v, [%x];\nst.global.f64 [%y], %v;\nadd.u64 %x, %x, "
        "{};\n"
        "add.u64 %y, %y, {};\nsub.u32 %ec, %ec, 1;\nbra.uni MOVE;\n",
        line, line);
    for (const bool all : {false, true}) {
      put("EVENT{}:\ncvt.u64.u32 %x, %ea;\nadd.u64 %x, %g, %x;\nld.global.f64 %v, [%x];\nsetp.neu.f64 %p, %v, "
          "0d0000000000000000;\n",
          int(all ? DeviceEvent::skip_if_all : DeviceEvent::skip_if_none));
      put("vote.sync.{}.pred %any, %p, 0xffffffff;\n@{}%any bra.uni SKIP;\nbra.uni NEXT;\n", all ? "all" : "any", all ? "" : "!");
    }
    put("EVENT{}:\ncvt.u64.u32 %x, %ea;\nadd.u64 %x, %g, %x;\nld.global.f64 %v, [%x];\nsetp.neu.f64 %p, %v, "
        "0d0000000000000000;\nvote.sync.any.pred %any, %p, 0xffffffff;\n@!%any bra.uni NEXT;\nmul.wide.u32 %x, %eb, {};\n"
        "sub.u64 %e, %e, %x;\nbra.uni NEXT;\n",
        int(DeviceEvent::repeat_if_any), sizeof(DeviceEvent));
    put("SKIP:\nmul.wide.u32 %x, %eb, {};\nadd.u64 %e, %e, %x;\nbra.uni NEXT;\n", sizeof(DeviceEvent));
  }

  void body(int k, const PtxBody& b) {
    put("EVENT{}:\n{{\n", int(DeviceEvent::run) + k);
    if (b.numbers > 0) put(".reg .f64 %d<{}>;\n", b.numbers);
    if (b.masks > 0) put(".reg .pred %q<{}>;\n", b.masks);
    if (b.words > 0) put(".reg .b64 %b<{}>;\n", b.words);
    if (b.halves > 0) put(".reg .u32 %h<{}>;\n", b.halves);
    put("mul.wide.u32 %u, %ea, 8;\nadd.u64 %u, %rows, %u;\n");
    for (const PtxLine& l : b.lines) put_line(l);
    put("}}\nbra.uni NEXT;\n");
  }
  void put_line(const PtxLine& l) {
    if (l.kind == PtxLine::text) return put("{}\n", l.words);
    const bool is_slot = l.kind == PtxLine::load_slot || l.kind == PtxLine::store_slot;
    const int at = is_slot ? place_.slot[size_t(l.index)] : place_.spill[size_t(l.index)];
    std::string space, address;
    if (at >= 0)
      space = "volatile.shared", address = fmt::format("[%sh+{}]", at * kernel_block * 8);
    else if (is_slot)
      space = "global", address = fmt::format("[%g+{}]", l.index * line);
    else
      space = "local", address = fmt::format("[%l+{}]", (-2 - at) * 8);
    if (l.kind == PtxLine::load_slot || l.kind == PtxLine::load_spill)
      put("ld.{}.f64 {}, {};\n", space, l.words, address);
    else
      put("st.{}.f64 {}, {};\n", space, address, l.words);
  }

  const Placement& place_;
  const KernelLimits& limits_;
  std::string text_;
};

}  // namespace

KernelText kernel_text(const std::vector<KernelProgram>& programs, const std::vector<char>& uniform,
                       const std::vector<char>& in_frame, const KernelLimits& limits) {
  KernelText out;
  std::vector<PtxBody> bodies;
  out.rows.reserve(programs.size());
  for (const KernelProgram& p : programs) {
    out.rows.emplace_back(*p.program, uniform);
    bodies.push_back(detail::ptx_body(*p.program, out.rows.back(), limits));
  }
  const Placement placement = place(bodies, programs, in_frame, limits.shared, out);
  out.shared_bytes = placement.shared * kernel_block * 8;
  out.text = Writer(placement, limits)(bodies, int(uniform.size()));
  return out;
}

}  // namespace aleator::core
