// Reads what results files hold.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/errors.hpp"

namespace aleator::core::results {

class Hdf5Input;  // users of this need not know HDF5
struct Count;

using aleator::ReadError;

class StudyReader {
 public:
  enum class Accept { study, any, part };  // any: also nominal.h5, the result of `aleator simulate`; part: that alone

  // A results file, or the folder of a study: results.h5 in it, or partial.h5 of an interrupted one. Throws ReadError.
  explicit StudyReader(const std::string& path, Accept accept = Accept::study);
  ~StudyReader();

  static void trust_files();  // from now on, also read files without a checksum
  // The file that would be read. Throws ReadError.
  static std::string file_of(const std::string& path, Accept accept);

  const std::string& path() const;
  bool is_study() const { return study_; }
  bool complete() const;                     // of a study
  bool rows_follow_law() const;              // they are a sample; older files do not tell, and count as one
  long samples() const;                      // realizations kept
  std::vector<std::string> outputs() const;  // names of the channels, in their order; none twice

  // What layout.md gives a shape has this shape, otherwise ReadError.
  bool has(const std::string& object) const;
  std::vector<std::string> children(const std::string& group) const;  // in the order they were written; none if it is no group
  std::vector<double> numbers(const std::string& dataset) const;      // all of it, by rows
  std::vector<long> counts(const std::string& dataset) const;         // whole numbers, none negative
  std::vector<double> row(const std::string& dataset, long k) const;
  std::vector<double> column(const std::string& dataset, long k) const;
  std::vector<long> extent(const std::string& dataset) const;  // along each dimension
  std::vector<double> rows(const std::string& dataset, long first, long count,
                           long stride = 1) const;  // of any number of dimensions
  std::vector<std::string> texts(const std::string& dataset) const;
  std::vector<std::string> attributes(const std::string& object) const;  // their names
  bool has_attribute(const std::string& object, const std::string& name) const;
  double number_attribute(const std::string& object, const std::string& name) const;
  long count_attribute(const std::string& object, const std::string& name) const;  // a whole number, not negative
  std::vector<long> counts_attribute(const std::string& object, const std::string& name) const;
  std::uint64_t whole_attribute(const std::string& object, const std::string& name) const;
  std::vector<double> numbers_attribute(const std::string& object, const std::string& name) const;
  std::string text_attribute(const std::string& object, const std::string& name) const;  // empty where it is absent
  std::vector<std::string> texts_attribute(const std::string& object, const std::string& name) const;

 private:
  std::vector<double> slice(const std::string& dataset, int along, long k) const;  // a row (0) or a column (1)
  void check_shape(const std::string& object, const std::string& attribute, const std::vector<long>& found) const;
  long length(const Count& count) const;
  std::vector<long> as_counts(const std::vector<double>& values, const std::string& what) const;

  std::unique_ptr<Hdf5Input> file_;
  bool study_ = true;
  mutable std::map<const Count*, long> lengths_;  // those that were asked for
};

}  // namespace aleator::core::results
