// The parts of a page's data, one file each. All write into the object that is open.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "report/page_block.hpp"
#include "report/page_data.hpp"

namespace aleator::core::report {

void put_texts(Json& j, const char* key, const std::vector<std::string>& list);

// What the parts share.
struct PageContext {
  const PageSource& source;
  const results::StudyReader& file;
  PageLimits limits;
  Json& json;
  PageBlock& block;
  std::vector<std::string> outputs;
  std::vector<double> time;  // all
  long stride = 1;           // every so many times are shown
  std::vector<std::string> notes;

  std::size_t shown_times() const { return time.empty() ? 0 : (time.size() - 1) / std::size_t(stride) + 1; }
  std::vector<double> thinned(const std::vector<double>& of_all_times) const;  // [rows][times] → [rows][shown times]

  double known(const std::function<double()>& read) const;  // NaN where it is missing
  void put_number(const char* key, double x) { json.key(key).number(x); }
  void put_text(const char* key, const std::string& x) { json.key(key).string(x); }
  void put_texts(const char* key, const std::vector<std::string>& list) { report::put_texts(json, key, list); }
  // KEY: numbers over time, thinned; null where they are not there.
  using Read = std::function<std::vector<double>()>;
  void put_exact(const char* key, bool there, const Read& read) { put(key, there, read, &PageBlock::exact); }
  void put_drawn(const char* key, bool there, const Read& read) { put(key, there, read, &PageBlock::drawn); }
  void put_list(const char* key, const Read& read);  // numbers as they are; null where they are missing

 private:
  void put(const char* key, bool there, const Read& read, void (PageBlock::*as)(Json&, std::span<const double>));
};

void put_laws(PageContext& c);
void put_statistics(PageContext& c);  // outputs, kept realizations, scalars, convergence
void put_spectra(PageContext& c);
void put_processes(PageContext& c);
void put_causes(PageContext& c);     // shares, correlations, screening
void put_expansion(PageContext& c);  // chaos, fields
void put_variability(PageContext& c);
void put_campbell(PageContext& c);
void put_reliability(PageContext& c);
void put_motion(PageContext& c);  // geometry, connections, motion
void put_identification(PageContext& c);

}  // namespace aleator::core::report
