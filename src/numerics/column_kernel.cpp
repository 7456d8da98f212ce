#include "numerics/column_kernel.hpp"

#include <bit>
#include <iterator>

#include <fmt/format.h>

#include "numerics/ptx.hpp"

namespace aleator::core {

namespace {

constexpr int warps = column_threads / warp;

class Writer {
 public:
  explicit Writer(const ColumnSums& s) : s_(s), packs_(s.rows / warp) {}

  std::string operator()() {
    head();
    // Warps take 32 columns at a time.
    put("mov.u32 %group, %w;\nGROUP:\nmul.lo.u32 %first, %group, {};\nsetp.ge.u32 %p, %first, {};\n@%p bra.uni COUNTS;\n", warp,
        s_.points());
    moments();
    sort();
    put("add.u32 %group, %group, {};\nbra.uni GROUP;\n", warps);
    put("COUNTS:\n");
    for (std::size_t l = 0; l < s_.limits.size(); ++l) count(int(l));
    put("ret;\n}}\n");
    return std::move(text_);
  }

 private:
  template <class... A>
  void put(fmt::format_string<A...> format, A&&... a) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<A>(a)...);
  }
  static std::string number(double x) { return fmt::format("0d{:016X}", std::bit_cast<std::uint64_t>(x)); }
  static constexpr const char* zero = "0d0000000000000000";

  void head() {
    put(".version 7.0\n.target sm_70\n.address_size 64\n.extern .shared .align 16 .b8 pool[];\n");
    put(".visible .entry columns(.param .u64 outputs, .param .u64 blocks, .param .u64 sums)\n.maxntid {}, 1, 1\n{{\n",
        column_threads);
    put(".reg .u64 %in, %out, %x, %y, %at;\n.reg .u32 %n, %w, %lane, %sh, %pack, %pick, %step, %to, %group, %first, %point, %k, "
        "%i, %j, %size, "
        "%stride, %rest, %count;\n.reg .pred %p, %q, %up;\n.reg .f64 %a, %b, %c, %d, %e, %f, %low, %high, %one, %sum0, %sum1, "
        "%sum2, %sum3, %s2a, "
        "%s2b, %s3a, %s3b, %s4a, %s4b;\n");
    put("mov.u32 %n, %tid.x;\nshr.u32 %w, %n, 5;\nand.b32 %lane, %n, 31;\n");
    put("mov.u32 %sh, pool;\nmad.lo.u32 %sh, %w, {}, %sh;\n", s_.rows * 8);
    // The block: its packs begin at %in, its numbers at %out.
    put("ld.param.u64 %x, [blocks];\nmov.u32 %n, %ctaid.x;\nmul.wide.u32 %y, %n, {};\nadd.u64 %x, %x, %y;\n",
        sizeof(ColumnBlock));
    put("ld.global.nc.v4.u32 {{%pack, %pick, %step, %to}}, [%x];\n");
    put("ld.param.u64 %in, [outputs];\nmul.lo.u32 %n, %pack, {};\nmul.wide.u32 %x, %n, {};\nadd.u64 %in, %in, %x;\n", s_.lines,
        line);
    put("ld.param.u64 %out, [sums];\nmul.wide.u32 %x, %to, 8;\nadd.u64 %out, %out, %x;\n");
  }

  // Of zeros there is one (ColumnTiles). Value r of the column whose values begin at %at; %x goes from pack to pack.
  void each_row(const char* label, const auto& body) {
    put("mov.u64 %x, %at;\nmov.u32 %k, {};\n{}:\n", packs_, label);
    for (int lane = 0; lane < warp; ++lane) {
      put("ld.global.f64 %a, [%x+{}];\nadd.rn.f64 %a, %a, {};\n", 8 * lane, zero);
      body(lane);
    }
    put("add.u64 %x, %x, {};\nsub.u32 %k, %k, 1;\nsetp.eq.u32 %p, %k, 0;\n@!%p bra.uni {};\n", std::int64_t(s_.lines) * line,
        label);
  }
  // Lanes beyond the last column do the last one, too.
  void own_column(int columns, const char* from, int stride, int offset) {
    put("add.u32 %point, {}, %lane;\nmin.u32 %point, %point, {};\nmad.lo.u32 %n, %point, {}, {};\nmul.wide.u32 %at, %n, "
        "{};\nadd.u64 %at, %in, %at;\n",
        from, columns - 1, stride, offset, line);
  }

  // c = x₀ + Σ (x − x₀)/n, then Σ (x − c)ᵏ; every fourth, or every other, value goes to the same sum.
  void moments() {
    own_column(s_.points(), "%first", 1, 0);
    put("ld.global.f64 %f, [%at];\nadd.rn.f64 %f, %f, {};\nmov.f64 %low, %f;\nmov.f64 %high, %f;\n", zero);
    for (int k = 0; k < 4; ++k) put("mov.f64 %sum{}, {};\n", k, zero);
    each_row("MEAN", [&](int lane) {
      put("sub.rn.f64 %b, %a, %f;\nadd.rn.f64 %sum{0}, %sum{0}, %b;\n", lane % 4);
      put("setp.lt.f64 %q, %a, %low;\nselp.f64 %low, %a, %low, %q;\nsetp.lt.f64 %q, %high, %a;\nselp.f64 %high, %a, %high, "
          "%q;\n");
    });
    put("add.rn.f64 %a, %sum0, %sum1;\nadd.rn.f64 %b, %sum2, %sum3;\nadd.rn.f64 %a, %a, %b;\ndiv.rn.f64 %a, %a, {};\nadd.rn.f64 "
        "%c, %f, %a;\n",
        number(s_.rows));
    for (const char* name : {"%s2a", "%s2b", "%s3a", "%s3b", "%s4a", "%s4b"}) put("mov.f64 {}, {};\n", name, zero);
    each_row("POWERS", [&](int lane) {
      const char half = lane % 2 == 0 ? 'a' : 'b';
      put("sub.rn.f64 %d, %a, %c;\nmul.rn.f64 %e, %d, %d;\nadd.rn.f64 %s2{0}, %s2{0}, %e;\n", half);
      put("mul.rn.f64 %d, %e, %d;\nadd.rn.f64 %s3{0}, %s3{0}, %d;\nmul.rn.f64 %d, %e, %e;\nadd.rn.f64 %s4{0}, %s4{0}, %d;\n",
          half);
    });
    put("add.rn.f64 %sum0, %s2a, %s2b;\nadd.rn.f64 %sum1, %s3a, %s3b;\nadd.rn.f64 %sum2, %s4a, %s4b;\n");
    put("mul.wide.u32 %x, %point, 8;\nadd.u64 %x, %out, %x;\n");
    const char* const names[] = {"%c", "%sum0", "%sum1", "%sum2", "%low", "%high"};
    for (int kind = 0; kind < ColumnSums::moments; ++kind)
      put("st.global.f64 [%x+{}], {};\n", 8 * kind * s_.points(), names[kind]);
  }

  // Column by column, in shared memory: Batcher's bitonic network (Knuth, vol. 3, section 5.3.4). Rows i and i + stride are put in order, upwards
  // where i & size is 0.
  void sort() {
    put("mov.u32 %point, %first;\nadd.u32 %rest, %first, {};\nmin.u32 %rest, %rest, {};\nCOLUMN:\n", warp, s_.points());
    put("mul.wide.u32 %at, %point, {};\nadd.u64 %at, %in, %at;\nmul.wide.u32 %x, %lane, 8;\nadd.u64 %at, %at, %x;\nmad.lo.u32 "
        "%i, %lane, 8, %sh;\n",
        line);
    for (int k = 0; k < packs_; ++k)
      put("ld.global.f64 %a, [%at+{}];\nadd.rn.f64 %a, %a, {};\nst.volatile.shared.f64 [%i+{}], %a;\n",
          std::int64_t(k) * s_.lines * line, zero, k * warp * 8);
    put("bar.warp.sync 0xffffffff;\nmov.u32 %size, 2;\nSIZE:\nshr.u32 %stride, %size, 1;\nSTRIDE:\n");
    for (int k = 0; k < s_.rows / 2 / warp; ++k) {
      put("add.u32 %n, %lane, {};\nsub.u32 %j, %stride, 1;\nand.b32 %j, %n, %j;\nadd.u32 %n, %n, %n;\nsub.u32 %n, %n, %j;\n",
          k * warp);
      put("and.b32 %j, %n, %size;\nsetp.eq.u32 %up, %j, 0;\nmad.lo.u32 %i, %n, 8, %sh;\nmad.lo.u32 %j, %stride, 8, %i;\n");
      put("ld.volatile.shared.f64 %a, [%i];\nld.volatile.shared.f64 %b, [%j];\nsetp.lt.f64 %q, %a, %b;\nselp.f64 %c, %a, %b, "
          "%q;\nselp.f64 %d, %b, %a, %q;\n");
      put("selp.f64 %a, %c, %d, %up;\nselp.f64 %b, %d, %c, %up;\nst.volatile.shared.f64 [%i], %a;\nst.volatile.shared.f64 [%j], "
          "%b;\n");
    }
    put("bar.warp.sync 0xffffffff;\nshr.u32 %stride, %stride, 1;\nsetp.eq.u32 %p, %stride, 0;\n@!%p bra.uni STRIDE;\n");
    put("add.u32 %size, %size, %size;\nsetp.ge.u32 %p, %size, {};\n@!%p bra.uni SIZE;\n", s_.rows + 1);
    pick();
    put("bar.warp.sync 0xffffffff;\nadd.u32 %point, %point, 1;\nsetp.ge.u32 %p, %point, %rest;\n@!%p bra.uni COLUMN;\n");
  }
  // Number j of those picked is value first + j step; lanes beyond the last do the last one, too.
  void pick() {
    put("mov.u32 %k, 0;\nPICK:\nadd.u32 %j, %k, %lane;\nmad.lo.u32 %n, %j, %step, %pick;\n");
    // j ≤ (rows − 1 − first)/step: by the value, not by the number
    put("setp.ge.u32 %q, %n, {};\nsub.u32 %i, {}, %step;\nadd.u32 %i, %i, %pick;\n", s_.rows, s_.rows);
    put("selp.b32 %n, %i, %n, %q;\nmad.lo.u32 %i, %n, 8, %sh;\nld.volatile.shared.f64 %a, [%i];\n");
    // its row among those picked: (n − first)/step, step a power of two
    put("sub.u32 %n, %n, %pick;\nmov.u32 %count, %step;\nROW:\nsetp.eq.u32 %p, %count, 1;\n@%p bra.uni PUT;\nshr.u32 %n, %n, "
        "1;\nshr.u32 %count, %count, "
        "1;\nbra.uni ROW;\nPUT:\n");
    put("mad.lo.u32 %n, %n, {}, %point;\nadd.u32 %n, %n, {};\nmul.wide.u32 %x, %n, 8;\nadd.u64 %x, %out, %x;\nst.global.f64 "
        "[%x], %a;\n",
        s_.points(), s_.first_sorted());
    put("add.u32 %k, %k, {};\nmul.lo.u32 %n, %k, %step;\nsetp.ge.u32 %p, %n, {};\n@!%p bra.uni PICK;\n", warp, s_.rows);
  }

  // A warp takes 32 times.
  void count(int limit) {
    const ColumnSums::Limit& l = s_.limits[std::size_t(limit)];
    const std::string loop = fmt::format("LIMIT{}", limit), done = fmt::format("COUNTED{}", limit),
                      row = fmt::format("ROW{}", limit);
    const double sign = l.above ? 1 : -1;
    put("mov.u32 %group, %w;\n{}:\nmul.lo.u32 %first, %group, {};\nsetp.ge.u32 %p, %first, {};\n@%p bra.uni {};\n", loop, warp,
        s_.times, done);
    own_column(s_.times, "%first", s_.channels, l.channel);
    put("mov.f64 %sum0, {};\n", zero);
    each_row(row.c_str(), [&](int) {
      if (!l.above) put("neg.f64 %a, %a;\n");
      put("setp.lt.f64 %q, {}, %a;\nselp.f64 %b, {}, {}, %q;\nadd.rn.f64 %sum0, %sum0, %b;\n", number(sign * l.level), number(1),
          zero);
    });
    put("mul.wide.u32 %x, %point, 8;\nadd.u64 %x, %out, %x;\nst.global.f64 [%x+{}], %sum0;\n",
        8 * (s_.first_count() + limit * s_.times));
    put("add.u32 %group, %group, {};\nbra.uni {};\n{}:\n", warps, loop, done);
  }

  const ColumnSums& s_;
  int packs_;
  std::string text_;
};

}  // namespace

std::string column_kernel(const ColumnSums& sums) { return Writer(sums)(); }

int column_shared_bytes(const ColumnSums& sums) { return warps * sums.rows * 8; }

}  // namespace aleator::core
