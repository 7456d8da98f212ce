// What a study is told about the device beside the processor.
#pragma once

#include <string>

namespace aleator::core {

struct DeviceReport {
  std::string name, driver;  // empty: none was used
  double memory = 0, compile_seconds = 0;
  bool was_kept = false;  // compiled by an earlier run
  bool fast_math = false;
  long rows = 0;        // computed on it …
  long drawn = 0;       // … of these, drawn there …
  long added_up = 0;    // … and added up there, in blocks
  double seconds = 0;   // of threads that waited for it
  std::string why_not;  // what kept it from (going on with) the work
};

// What a device computes beside what the processor does.
struct DeviceComparison {
  std::string differs;  // in words; empty: nothing
  bool blocks = false;  // what it makes of blocks was compared, too
};

// Whether it is one of cpu, gpu, gpu:N, auto.
bool is_device(const std::string& text);

}  // namespace aleator::core
