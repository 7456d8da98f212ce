// A share of the realizations of a study, computed by a process that knows nothing of the others: `--part 3/16`.
#pragma once

#include <string>

#include <aleator/study.hpp>

#include "design/plan.hpp"

namespace aleator::core {

struct PartRange : StudyPart {
  PartRange() = default;
  explicit PartRange(const StudyPart& p) : StudyPart(p) {}

  bool whole() const { return of == 0; }
  std::string name() const;  // "03-of-16"
  std::string text() const;  // "3/16"; empty of the whole
  // Rows of the plan: whole realizations. A plan that is open is that of the part alone.
  long first_row(const Plan& plan) const { return decides(plan) ? 0 : boundary(plan, number - 1); }
  long end_row(const Plan& plan) const { return decides(plan) ? plan.rows() : boundary(plan, number); }
  // Whether the method says on the way which rows there are.
  bool decides(const Plan& plan) const { return whole() || plan.is_open(); }

 private:
  // samples · n / of, without overflow.
  long boundary(const Plan& plan, long n) const {
    const long each = plan.samples / of, rest = plan.samples % of;
    return (each * n + rest * n / of) * plan.per_realization();
  }
};

inline constexpr long most_parts = 1000000;
PartRange part_of(const std::string& text);  // throws std::invalid_argument

}  // namespace aleator::core
