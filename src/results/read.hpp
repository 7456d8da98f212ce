// Reads what results files hold.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace aleator::results {

class Handle;  // of HDF5, which the users of this need not know

// The file is not what was expected: exit code 3. what() is the complete message.
class ReadError : public std::runtime_error {
 public:
  ReadError(const std::string& path, const std::string& reason);
};

class StudyReader {
 public:
  enum class Accept { study, any };  // any: also nominal.h5, the result of `aleator simulate`

  // A results file, or the folder of a study: results.h5 in it, or partial.h5 of an interrupted one. Throws ReadError.
  explicit StudyReader(const std::string& path, Accept accept = Accept::study);
  ~StudyReader();

  const std::string& path() const { return path_; }
  bool is_study() const { return study_; }
  bool complete() const;                     // of a study
  bool rows_follow_law() const;              // they are a sample; older files do not tell, and count as one
  long samples() const;                      // realizations kept
  std::vector<std::string> outputs() const;  // names of the channels, in their order

  bool has(const std::string& object) const;
  std::vector<std::string> children(const std::string& group) const;  // in the order they were written; none if it is absent
  std::vector<double> numbers(const std::string& dataset) const;      // all of it, by rows
  std::vector<double> row(const std::string& dataset, long k) const;
  std::vector<double> column(const std::string& dataset, long k) const;
  std::vector<long> extent(const std::string& dataset) const;  // along each dimension
  std::vector<double> rows(const std::string& dataset, long first, long count,
                           long stride = 1) const;  // of any number of dimensions
  std::vector<std::string> texts(const std::string& dataset) const;
  std::vector<std::string> attributes(const std::string& object) const;  // their names
  bool has_attribute(const std::string& object, const std::string& name) const;
  double number_attribute(const std::string& object, const std::string& name) const;
  std::uint64_t whole_attribute(const std::string& object, const std::string& name) const;
  std::vector<double> numbers_attribute(const std::string& object, const std::string& name) const;
  std::string text_attribute(const std::string& object, const std::string& name) const;  // empty where it is absent
  std::vector<std::string> texts_attribute(const std::string& object, const std::string& name) const;

 private:
  std::vector<double> slice(const std::string& dataset, int along, long k) const;  // a row (0) or a column (1)

  std::string path_;
  std::unique_ptr<Handle> file_;
  bool study_ = true;
};

}  // namespace aleator::results
