// Plain data as bytes, for processes of one kind of machine: numbers as they are in memory, sequences with their length before
// them.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace aleator::core {

using Bytes = std::vector<unsigned char>;

class ByteWriter {
 public:
  explicit ByteWriter(Bytes& to) : to_(to) {}

  ByteWriter& whole(std::int64_t x) { return raw(&x, sizeof x); }
  ByteWriter& number(double x) { return raw(&x, sizeof x); }
  ByteWriter& text(std::string_view x) { return whole(std::int64_t(x.size())).raw(x.data(), x.size()); }
  ByteWriter& numbers(std::span<const double> x) { return whole(std::int64_t(x.size())).raw(x.data(), x.size_bytes()); }

 private:
  ByteWriter& raw(const void* from, std::size_t size) {
    const auto* first = static_cast<const unsigned char*>(from);
    to_.insert(to_.end(), first, first + size);
    return *this;
  }
  Bytes& to_;
};

// In the same order. Once something does not fit, all that follows is 0 or empty, and good() is false.
class ByteReader {
 public:
  explicit ByteReader(std::span<const unsigned char> from) : from_(from) {}

  std::int64_t whole() { return value<std::int64_t>(); }
  double number() { return value<double>(); }
  std::string text() { return sequence<std::string>(); }
  std::vector<double> numbers() { return sequence<std::vector<double>>(); }

  bool good() const { return good_; }
  bool at_end() const { return from_.empty(); }

 private:
  template <class T>
  T value() {
    T x{};
    if (take(sizeof x)) std::memcpy(&x, last_, sizeof x);
    return x;
  }
  template <class T>
  T sequence() {
    const auto n = std::uint64_t(whole());
    constexpr std::size_t each = sizeof(typename T::value_type);
    T x;
    if (n > from_.size() / each) good_ = false;  // also before it is allocated
    if (!take(good_ ? n * each : 0) || n == 0) return x;
    x.resize(n);
    std::memcpy(x.data(), last_, n * each);
    return x;
  }
  bool take(std::size_t size) {
    good_ = good_ && size <= from_.size();
    if (!good_) return false;
    last_ = from_.data();
    from_ = from_.subspan(size);
    return true;
  }

  std::span<const unsigned char> from_;
  const unsigned char* last_ = nullptr;
  bool good_ = true;
};

}  // namespace aleator::core
