#include "support/ptx_machine.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <string_view>

namespace aleator::core::test {

namespace {

constexpr int lanes_of_warp = 32;

enum Op {
  add_f64,
  sub_f64,
  mul_f64,
  div_f64,
  rcp_f64,
  sqrt_f64,
  rcp_approximate,
  rsqrt_approximate,
  fma_f64,
  neg_f64,
  abs_f64,
  copysign_f64,
  mov_f64,
  selp_f64,
  selp_b64,
  ne_b64,
  lt_f64,
  le_f64,
  eq_f64,
  neu_f64,
  and_pred,
  or_pred,
  xor_pred,
  not_pred,
  mov_pred,
  eq_u32,
  ge_u32,
  and_b64,
  or_b64,
  xor_b64,
  shl_b64,
  shr_b64,
  mov_b64,
  add_u64,
  sub_u64,
  add_u32,
  sub_u32,
  shr_u32,
  and_b32,
  min_u32,
  selp_b32,
  bar_warp,
  mul_lo_u32,
  mad_lo_u32,
  mul_wide_u32,
  cvt_u64_u32,
  cvt_u32_u64,
  mov_u32,
  mov_u64,
  ld_param_u64,
  ld_param_u32,
  ld_global_f64,
  ld_nc_f64,
  ld_nc_u32,
  ld_nc_v4_u32,
  st_global_f64,
  st_global_u64,
  ld_shared_f64,
  st_shared_f64,
  ld_local_f64,
  st_local_f64,
  vote_any,
  vote_all,
  bra,
  ret
};

// d, f: 64-bit numbers (to, from); l: u64, w: b64, x: f64 or u64 or b64; i: u32; p: mask; a: address; L: label; n: parameter; v: four u32.
struct Form {
  Op op;
  const char* name;
  const char* operands;
};
constexpr Form forms[] = {
    {add_f64, "add.rn.f64", "ddd"},
    {sub_f64, "sub.rn.f64", "ddd"},
    {mul_f64, "mul.rn.f64", "ddd"},
    {div_f64, "div.rn.f64", "ddd"},
    {rcp_f64, "rcp.rn.f64", "dd"},
    {sqrt_f64, "sqrt.rn.f64", "dd"},
    {rcp_approximate, "rcp.approx.ftz.f64", "dd"},
    {rsqrt_approximate, "rsqrt.approx.ftz.f64", "dd"},
    {fma_f64, "fma.rn.f64", "dddd"},
    {neg_f64, "neg.f64", "dd"},
    {abs_f64, "abs.f64", "dd"},
    {copysign_f64, "copysign.f64", "ddd"},
    {mov_f64, "mov.f64", "dd"},
    {selp_f64, "selp.f64", "dddp"},
    {selp_b64, "selp.b64", "wwwp"},
    {ne_b64, "setp.ne.b64", "pww"},
    {lt_f64, "setp.lt.f64", "pdd"},
    {le_f64, "setp.le.f64", "pdd"},
    {eq_f64, "setp.eq.f64", "pdd"},
    {neu_f64, "setp.neu.f64", "pdd"},
    {and_pred, "and.pred", "ppp"},
    {or_pred, "or.pred", "ppp"},
    {xor_pred, "xor.pred", "ppp"},
    {not_pred, "not.pred", "pp"},
    {mov_pred, "mov.pred", "pp"},
    {eq_u32, "setp.eq.u32", "pii"},
    {ge_u32, "setp.ge.u32", "pii"},
    {and_b64, "and.b64", "www"},
    {or_b64, "or.b64", "www"},
    {xor_b64, "xor.b64", "www"},
    {shl_b64, "shl.b64", "wwi"},
    {shr_b64, "shr.b64", "wwi"},
    {mov_b64, "mov.b64", "xx"},
    {add_u64, "add.u64", "lll"},
    {sub_u64, "sub.u64", "lll"},
    {add_u32, "add.u32", "iii"},
    {sub_u32, "sub.u32", "iii"},
    {shr_u32, "shr.u32", "iii"},
    {and_b32, "and.b32", "iii"},
    {min_u32, "min.u32", "iii"},
    {selp_b32, "selp.b32", "iiip"},
    {bar_warp, "bar.warp.sync", "m"},
    {mul_lo_u32, "mul.lo.u32", "iii"},
    {mad_lo_u32, "mad.lo.u32", "iiii"},
    {mul_wide_u32, "mul.wide.u32", "lii"},
    {cvt_u64_u32, "cvt.u64.u32", "li"},
    {cvt_u32_u64, "cvt.u32.u64", "il"},
    {mov_u32, "mov.u32", "ii"},
    {mov_u64, "mov.u64", "ll"},
    {ld_param_u64, "ld.param.u64", "ln"},
    {ld_param_u32, "ld.param.u32", "in"},
    {ld_global_f64, "ld.global.f64", "da"},
    {ld_nc_f64, "ld.global.nc.f64", "da"},
    {ld_nc_u32, "ld.global.nc.u32", "ia"},
    {ld_nc_v4_u32, "ld.global.nc.v4.u32", "va"},
    {st_global_f64, "st.global.f64", "ad"},
    {st_global_u64, "st.global.u64", "al"},
    {ld_shared_f64, "ld.volatile.shared.f64", "ds"},
    {st_shared_f64, "st.volatile.shared.f64", "sd"},
    {ld_local_f64, "ld.local.f64", "da"},
    {st_local_f64, "st.local.f64", "ad"},
    {vote_any, "vote.sync.any.pred", "ppm"},
    {vote_all, "vote.sync.all.pred", "ppm"},
    {bra, "bra.uni", "L"},
    {ret, "ret", ""},
};

const Form* form_of(std::string_view name) {
  for (const Form& f : forms)
    if (name == f.name) return &f;
  return nullptr;
}

double number(std::uint64_t bits) { return std::bit_cast<double>(bits); }
std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }

}  // namespace

class PtxMachine::Parser {
 public:
  Parser(PtxMachine& machine, const std::string& text) : m_(machine), text_(text) {}

  void operator()() {
    std::string s;
    while (!(s = statement()).empty()) {
      if (s == "{") {
        scopes_.emplace_back();
      } else if (s == "}") {
        if (scopes_.empty()) fail("a brace too many");
        scopes_.pop_back();
      } else if (s.back() == ':') {
        s.pop_back();
        if (!labels_.emplace(s, int(m_.code_.size())).second) fail("label " + s + " is there twice");
      } else if (s[0] == '.') {
        directive(s);
      } else {
        instruction(s);
      }
    }
    if (!scopes_.empty()) fail("a brace is not closed");
    for (const auto& [at, label] : branches_) {
      const auto it = labels_.find(label);
      if (it == labels_.end()) fail("no label " + label);
      m_.code_[size_t(at)].target = it->second;
    }
    if (m_.code_.empty() || m_.code_.back().op != ret) fail("the text does not end with ret");
    if (m_.threads_ <= 0 || m_.threads_ % lanes_of_warp != 0) fail(".maxntid is no multiple of a warp");
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw PtxError("line " + std::to_string(line_) + ": " + what); }

  // To the next ; or : or brace that stands alone, or end of a line of a directive without one.
  std::string statement() {
    std::string s;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '\n') ++line_;
      if (s.empty() && std::isspace(static_cast<unsigned char>(c))) continue;
      if (s.empty() && (c == '{' || c == '}')) return ++at_, std::string(1, c);
      if (c == ';') return ++at_, s;
      if (c == ':') return ++at_, s + ":";
      const bool plain = s.rfind(".version", 0) == 0 || s.rfind(".target", 0) == 0 || s.rfind(".address_size", 0) == 0 ||
                         s.rfind(".maxntid", 0) == 0 || s.rfind(".minnctapersm", 0) == 0 || s.rfind(".visible", 0) == 0;
      if (c == '\n' && plain) return ++at_, s;
      s += c;
    }
    if (!s.empty()) fail("a statement without its semicolon: " + s);
    return s;
  }

  static std::vector<std::string> words(const std::string& s, const char* separators) {
    std::vector<std::string> out;
    for (size_t at = 0; at < s.size();) {
      const size_t begin = s.find_first_not_of(separators, at);
      if (begin == std::string::npos) break;
      at = std::min(s.find_first_of(separators, begin), s.size());
      out.push_back(s.substr(begin, at - begin));
    }
    return out;
  }

  void directive(const std::string& s) {
    const std::vector<std::string> w = words(s, " ,\n");
    if (w[0] == ".version" || w[0] == ".target" || w[0] == ".address_size" || w[0] == ".minnctapersm") {
      if (w.size() < 2) fail(w[0] + " says nothing");
    } else if (w[0] == ".maxntid") {
      m_.threads_ = std::stoi(w[1]);
    } else if (w[0] == ".extern") {
      if (s != ".extern .shared .align 16 .b8 pool[]") fail("unknown declaration " + s);
      m_.has_shared_ = true;
    } else if (w[0] == ".local") {
      m_.local_bytes_ = std::stoi(s.substr(s.find('[') + 1));
    } else if (w[0] == ".visible") {
      const size_t open = s.find('('), close = s.find(')');
      if (w[1] != ".entry" || open == std::string::npos || close == std::string::npos) fail("no entry: " + s);
      m_.entry_ = words(s.substr(0, open), " ").back();
      for (const std::string& p : words(s.substr(open + 1, close - open - 1), ",")) {
        const std::vector<std::string> parts = words(p, " ");
        if (parts.size() != 3 || parts[0] != ".param" || (parts[1] != ".u64" && parts[1] != ".u32")) fail("no parameter: " + p);
        m_.parameter_names_.push_back(parts[2]);
        m_.parameter_bytes_.push_back(parts[1] == ".u64" ? 8 : 4);
      }
    } else if (w[0] == ".reg") {
      declare(w);
    } else {
      fail("unknown directive " + w[0]);
    }
  }
  void declare(const std::vector<std::string>& w) {
    const std::map<std::string, Type> types = {
        {".f64", Type::f64}, {".u64", Type::u64}, {".b64", Type::b64}, {".u32", Type::u32}, {".pred", Type::pred}};
    const auto type = types.find(w[1]);
    if (type == types.end()) fail("unknown type " + w[1]);
    if (scopes_.empty()) fail("a register outside the kernel");
    const auto add = [&](const std::string& name) {
      if (!scopes_.back().emplace(name, int(m_.types_.size())).second) fail(name + " is declared twice");
      m_.types_.push_back(type->second);
    };
    for (size_t i = 2; i < w.size(); ++i) {
      const size_t open = w[i].find('<');
      if (open == std::string::npos) {
        add(w[i]);
        continue;
      }
      const int count = std::stoi(w[i].substr(open + 1));
      for (int k = 0; k < count; ++k) add(w[i].substr(0, open) + std::to_string(k));
    }
  }

  int reg(const std::string& name) const {
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
      if (const auto it = scope->find(name); it != scope->end()) return it->second;
    fail("register " + name + " is not declared");
  }
  bool fits(Type type, char form) const {
    switch (form) {
      case 'd':
        return type == Type::f64;
      case 'l':
        return type == Type::u64 || type == Type::b64;
      case 'w':
        return type == Type::b64;
      case 'x':
        return type == Type::f64 || type == Type::u64 || type == Type::b64;
      case 'i':
        return type == Type::u32;
      case 'p':
        return type == Type::pred;
      default:
        return false;
    }
  }
  int reg(const std::string& name, char form) const {
    const int r = reg(name);
    if (!fits(m_.types_[size_t(r)], form)) fail(name + " is of another type");
    return r;
  }
  Operand operand(const std::string& word, char form) {
    Operand o;
    if (form == 'm') {
      if (word != "0xffffffff") fail("a vote of some lanes");
      return o;
    }
    if (form == 'i' && (word == "%tid.x" || word == "%ctaid.x" || word == "%nctaid.x")) {
      o.kind = Kind::special;
      o.value = word == "%tid.x" ? 0 : word == "%ctaid.x" ? 1 : 2;
    } else if (word[0] == '%') {
      o.kind = Kind::reg, o.reg = reg(word, form);
    } else if (word.rfind("0d", 0) == 0 && word.size() == 18 && form == 'd') {
      o.value = std::stoull(word.substr(2), nullptr, 16);
    } else if (word.rfind("0x", 0) == 0 && word.size() == 18 && (form == 'w' || form == 'l')) {
      o.value = std::stoull(word.substr(2), nullptr, 16);
    } else if (word.rfind("0x", 0) == 0 && word.size() == 10 && form == 'i') {
      o.value = std::stoull(word.substr(2), nullptr, 16);
    } else if (word.find_first_not_of("0123456789") == std::string::npos && (form == 'i' || form == 'l')) {
      o.value = std::stoull(word);
    } else if (word == "pool" && form == 'i') {
      if (!m_.has_shared_) fail("pool is not declared");
    } else if (word == "spills" && form == 'l') {
      if (m_.local_bytes_ <= 0) fail("spills is not declared");
    } else {
      fail("no operand: " + word);
    }
    return o;
  }
  void address(Instruction& in, Operand& o, const std::string& word, char form) {
    if (word.size() < 3 || word.front() != '[' || word.back() != ']') fail("no address: " + word);
    const std::string inner = word.substr(1, word.size() - 2);
    const size_t plus = inner.find('+');
    o.kind = Kind::reg, o.reg = reg(inner.substr(0, plus), form == 's' ? 'i' : 'l');
    if (plus != std::string::npos) in.offset = std::stoll(inner.substr(plus + 1));
  }

  void instruction(const std::string& s) {
    if (scopes_.empty()) fail("an instruction outside the kernel");
    size_t at = 0;
    Instruction in;
    if (s[0] == '@') {
      const size_t space = s.find(' ');
      in.guard_not = s[1] == '!';
      in.guard = reg(s.substr(in.guard_not ? 2 : 1, space - (in.guard_not ? 2 : 1)), 'p');
      at = space + 1;
    }
    const size_t end = std::min(s.find(' ', at), s.size());
    const std::string name = s.substr(at, end - at);
    const Form* form = form_of(name);
    if (!form) fail("unknown instruction " + name);
    in.op = form->op;
    if (in.guard >= 0 && in.op != bra) fail("only branches have a guard");
    std::vector<std::string> operands;
    int depth = 0;
    std::string word;
    for (size_t i = end; i < s.size(); ++i) {  // braces keep their commas
      if (s[i] == '{') ++depth;
      if (s[i] == '}') --depth;
      if (s[i] == ' ' && depth == 0) continue;
      if (s[i] == ',' && depth == 0)
        operands.push_back(word), word.clear();
      else
        word += s[i];
    }
    if (!word.empty()) operands.push_back(word);
    const std::string_view wanted = form->operands;
    if (operands.size() != wanted.size()) fail("operands of " + s);
    int next = 0;
    const bool stores =
        in.op == st_global_f64 || in.op == st_global_u64 || in.op == st_shared_f64 || in.op == st_local_f64 || in.op == bar_warp;
    for (size_t k = 0; k < wanted.size(); ++k) {
      const std::string& o = operands[k];
      const char f = wanted[k];
      if (f == 'L') {
        branches_.emplace_back(int(m_.code_.size()), o);
      } else if (f == 'n') {
        const std::string parameter = o.substr(1, o.size() - 2);
        int p = 0;
        while (p < int(m_.parameter_names_.size()) && m_.parameter_names_[size_t(p)] != parameter) ++p;
        if (p == int(m_.parameter_names_.size())) fail("no parameter " + o);
        if (m_.parameter_bytes_[size_t(p)] != (in.op == ld_param_u64 ? 8 : 4)) fail("the size of parameter " + o);
        in.from[next++].value = std::uint64_t(p);
      } else if (f == 'a' || f == 's') {
        address(in, in.from[next++], o, f);
      } else if (f == 'v') {
        const std::vector<std::string> four = words(o.substr(1, o.size() - 2), ", ");
        if (four.size() != 4) fail("no four registers: " + o);
        for (size_t i = 0; i < 4; ++i) in.to[i] = reg(four[i], 'i');
      } else if (k == 0 && !stores) {
        in.to[0] = reg(o, f);
      } else if (f == 'x' && o[0] == '{') {
        const std::vector<std::string> two = words(o.substr(1, o.size() - 2), ", ");
        if (two.size() != 2) fail("no two registers: " + o);
        in.from[next].kind = Kind::pair, in.from[next].reg = reg(two[0], 'i'), in.from[next++].other = reg(two[1], 'i');
      } else {
        in.from[next++] = operand(o, f);
      }
    }
    m_.code_.push_back(in);
  }

  PtxMachine& m_;
  const std::string& text_;
  size_t at_ = 0;
  int line_ = 1;
  std::vector<std::map<std::string, int>> scopes_;
  std::map<std::string, int> labels_;
  std::vector<std::pair<int, std::string>> branches_;
};

PtxMachine::PtxMachine(const std::string& text) { Parser(*this, text)(); }

class PtxMachine::Warp {
 public:
  using Lanes = std::array<std::uint64_t, lanes_of_warp>;
  Warp(const PtxMachine& m, std::vector<Lanes>& registers, std::vector<std::uint64_t>& shared, std::vector<std::uint64_t>& local)
      : m_(m), r_(registers), shared_(shared), local_(local) {}

  void run(int block, int blocks, int first_thread, const std::vector<std::uint64_t>& parameters,
           const std::function<bool(std::uint64_t, int)>& allowed) {
    block_ = block, blocks_ = blocks, first_ = first_thread;
    for (int at = 0;;) {
      const Instruction& in = m_.code_[size_t(at)];
      if (in.op == ret) return;
      at = in.op == bra ? branch(in, at) : (execute(in, parameters, allowed), at + 1);
    }
  }

 private:
  int branch(const Instruction& in, int at) const {
    if (in.guard < 0) return in.target;
    const Lanes& g = r_[size_t(in.guard)];
    for (const std::uint64_t x : g)
      if ((x != 0) != (g[0] != 0)) throw PtxError("lanes part at a branch");
    return (g[0] != 0) != in.guard_not ? in.target : at + 1;
  }
  std::uint64_t get(const Operand& o, int lane) const {
    if (o.kind == Kind::reg) return r_[size_t(o.reg)][size_t(lane)];
    if (o.kind == Kind::pair) return r_[size_t(o.reg)][size_t(lane)] | r_[size_t(o.other)][size_t(lane)] << 32;
    if (o.kind == Kind::special) return std::uint64_t(o.value == 0 ? first_ + lane : o.value == 1 ? block_ : blocks_);
    return o.value;
  }
  template <class F>
  void each(const Instruction& in, F&& f) {
    Lanes& to = r_[size_t(in.to[0])];
    for (int i = 0; i < lanes_of_warp; ++i) to[size_t(i)] = f(get(in.from[0], i), get(in.from[1], i), get(in.from[2], i));
  }
  template <class F>
  void numbers(const Instruction& in, F&& f) {
    each(in, [&](std::uint64_t a, std::uint64_t b, std::uint64_t c) { return bits(f(number(a), number(b), number(c))); });
  }
  template <class F>
  void compare(const Instruction& in, F&& f) {
    each(in, [&](std::uint64_t a, std::uint64_t b, std::uint64_t) { return std::uint64_t(f(number(a), number(b))); });
  }
  std::uint64_t* global(const Instruction& in, const Operand& o, int lane, int bytes,
                        const std::function<bool(std::uint64_t, int)>& allowed) const {
    const std::uint64_t address = get(o, lane) + std::uint64_t(in.offset);
    if (address % std::uint64_t(bytes) != 0) throw PtxError("an address that is not aligned");
    if (allowed && !allowed(address, bytes)) throw PtxError("an address outside memory");
    return reinterpret_cast<std::uint64_t*>(address);
  }
  std::uint64_t& near(std::vector<std::uint64_t>& memory, std::uint64_t address) const {
    if (address % 8 != 0 || address / 8 >= memory.size()) throw PtxError("an address outside shared or local memory");
    return memory[size_t(address / 8)];
  }

  void execute(const Instruction& in, const std::vector<std::uint64_t>& parameters,
               const std::function<bool(std::uint64_t, int)>& allowed) {
    using u64 = std::uint64_t;
    using u32 = std::uint32_t;
    switch (in.op) {
      case add_f64:
        return numbers(in, [](double a, double b, double) { return a + b; });
      case sub_f64:
        return numbers(in, [](double a, double b, double) { return a - b; });
      case mul_f64:
        return numbers(in, [](double a, double b, double) { return a * b; });
      case div_f64:
        return numbers(in, [](double a, double b, double) { return a / b; });
      case rcp_f64:
        return numbers(in, [](double a, double, double) { return 1 / a; });
      case sqrt_f64:
        return numbers(in, [](double a, double, double) { return std::sqrt(a); });
      case rcp_approximate:  // the upper 32 bits of a number
        return numbers(in, [](double a, double, double) { return number(bits(1 / a) & 0xffffffff'00000000u); });
      case rsqrt_approximate:
        return numbers(in, [](double a, double, double) { return number(bits(1 / std::sqrt(a)) & 0xffffffff'00000000u); });
      case fma_f64:
        return numbers(in, [](double a, double b, double c) { return std::fma(a, b, c); });
      case neg_f64:
        return numbers(in, [](double a, double, double) { return -a; });
      case abs_f64:
        return numbers(in, [](double a, double, double) { return std::abs(a); });
      case copysign_f64:
        return numbers(in, [](double a, double b, double) { return std::copysign(b, a); });
      case mov_f64:
      case mov_b64:
      case mov_pred:
      case mov_u32:
      case mov_u64:
        return each(in, [](u64 a, u64, u64) { return a; });
      case ne_b64:
        return each(in, [](u64 a, u64 b, u64) { return u64(a != b); });
      case bar_warp:
        return;
      case min_u32:
        return each(in, [](u64 a, u64 b, u64) { return std::min(a, b); });
      case selp_b32:
      case selp_b64:
      case selp_f64:
        return each(in, [](u64 a, u64 b, u64 c) { return c != 0 ? a : b; });
      case lt_f64:
        return compare(in, [](double a, double b) { return a < b; });
      case le_f64:
        return compare(in, [](double a, double b) { return a <= b; });
      case eq_f64:
        return compare(in, [](double a, double b) { return a == b; });
      case neu_f64:
        return compare(in, [](double a, double b) { return !(a == b); });
      case and_pred:
      case and_b64:
        return each(in, [](u64 a, u64 b, u64) { return a & b; });
      case or_pred:
      case or_b64:
        return each(in, [](u64 a, u64 b, u64) { return a | b; });
      case xor_pred:
      case xor_b64:
        return each(in, [](u64 a, u64 b, u64) { return a ^ b; });
      case shl_b64:
        return each(in, [](u64 a, u64 b, u64) { return a << b; });
      case shr_b64:
        return each(in, [](u64 a, u64 b, u64) { return a >> b; });
      case not_pred:
        return each(in, [](u64 a, u64, u64) { return u64(a == 0); });
      case eq_u32:
        return each(in, [](u64 a, u64 b, u64) { return u64(a == b); });
      case ge_u32:
        return each(in, [](u64 a, u64 b, u64) { return u64(a >= b); });
      case add_u64:
        return each(in, [](u64 a, u64 b, u64) { return a + b; });
      case sub_u64:
        return each(in, [](u64 a, u64 b, u64) { return a - b; });
      case add_u32:
        return each(in, [](u64 a, u64 b, u64) { return u64(u32(a + b)); });
      case sub_u32:
        return each(in, [](u64 a, u64 b, u64) { return u64(u32(a - b)); });
      case shr_u32:
        return each(in, [](u64 a, u64 b, u64) { return a >> b; });
      case and_b32:
        return each(in, [](u64 a, u64 b, u64) { return a & b; });
      case mul_lo_u32:
        return each(in, [](u64 a, u64 b, u64) { return u64(u32(a * b)); });
      case mad_lo_u32:
        return each(in, [](u64 a, u64 b, u64 c) { return u64(u32(a * b + c)); });
      case mul_wide_u32:
        return each(in, [](u64 a, u64 b, u64) { return a * b; });
      case cvt_u64_u32:
        return each(in, [](u64 a, u64, u64) { return a; });
      case cvt_u32_u64:
        return each(in, [](u64 a, u64, u64) { return a & 0xffffffffu; });
      case ld_param_u64:
      case ld_param_u32:
        r_[size_t(in.to[0])].fill(parameters.at(size_t(in.from[0].value)));
        return;
      case ld_global_f64:
      case ld_nc_f64:
        for (int i = 0; i < lanes_of_warp; ++i) r_[size_t(in.to[0])][size_t(i)] = *global(in, in.from[0], i, 8, allowed);
        return;
      case ld_nc_u32:
      case ld_nc_v4_u32:
        for (int i = 0; i < lanes_of_warp; ++i) {
          const auto* from = reinterpret_cast<const u32*>(global(in, in.from[0], i, in.op == ld_nc_u32 ? 4 : 16, allowed));
          for (int k = 0; k < (in.op == ld_nc_u32 ? 1 : 4); ++k) r_[size_t(in.to[k])][size_t(i)] = from[k];
        }
        return;
      case st_global_f64:
      case st_global_u64:
        for (int i = 0; i < lanes_of_warp; ++i) *global(in, in.from[0], i, 8, allowed) = get(in.from[1], i);
        return;
      case ld_shared_f64:
        for (int i = 0; i < lanes_of_warp; ++i)
          r_[size_t(in.to[0])][size_t(i)] = near(shared_, get(in.from[0], i) + u64(in.offset));
        return;
      case st_shared_f64:
        for (int i = 0; i < lanes_of_warp; ++i) near(shared_, get(in.from[0], i) + u64(in.offset)) = get(in.from[1], i);
        return;
      case ld_local_f64:
        for (int i = 0; i < lanes_of_warp; ++i)
          r_[size_t(in.to[0])][size_t(i)] = near(local_, u64(in.offset) * lanes_of_warp + 8 * u64(i));
        return;
      case st_local_f64:
        for (int i = 0; i < lanes_of_warp; ++i) near(local_, u64(in.offset) * lanes_of_warp + 8 * u64(i)) = get(in.from[1], i);
        return;
      case vote_any:
      case vote_all: {
        bool any = false, all = true;
        for (int i = 0; i < lanes_of_warp; ++i) any = any || get(in.from[0], i) != 0, all = all && get(in.from[0], i) != 0;
        r_[size_t(in.to[0])].fill(in.op == vote_any ? any : all);
        return;
      }
      default:
        throw PtxError("an instruction that is not carried out");
    }
  }

  const PtxMachine& m_;
  std::vector<Lanes>& r_;
  std::vector<std::uint64_t>&shared_, &local_;
  int block_ = 0, blocks_ = 0, first_ = 0;
};

void PtxMachine::launch(int blocks, int shared_bytes, const std::vector<std::uint64_t>& parameters,
                        const std::function<bool(std::uint64_t, int)>& allowed) const {
  if (parameters.size() != parameter_bytes_.size()) throw PtxError("the number of parameters");
  const std::uint64_t nonsense = 0xfff8dead00000000ull;  // what nobody has written is no number
  std::vector<Warp::Lanes> registers(types_.size());
  std::vector<std::uint64_t> shared(size_t(shared_bytes) / 8), local(size_t(local_bytes_) / 8 * lanes_of_warp);
  for (int block = 0; block < blocks; ++block) {
    std::fill(shared.begin(), shared.end(), nonsense);
    for (int first = 0; first < threads_; first += lanes_of_warp) {
      std::fill(local.begin(), local.end(), nonsense);
      for (auto& r : registers) r.fill(nonsense);
      Warp(*this, registers, shared, local).run(block, blocks, first, parameters, allowed);
    }
  }
}

}  // namespace aleator::core::test
