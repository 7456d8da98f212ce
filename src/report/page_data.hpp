// What a page shows, taken from results files: a text (JSON) and a block of numbers, as web/src/data.ts reads them. Large studies are
// thinned: bands stay, realizations become a sample, times every n-th; the page says so.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "results/campbell.hpp"
#include "results/read.hpp"

namespace aleator::core::report {

// Bytes of a page, by what they are for. Base64 makes four of three.
struct PageLimits {
  std::size_t statistics = 5'000'000, realizations = 4'500'000, motion = 3'000'000, measured = 3'000'000;
  long most_realizations = 2000;
};

// Realizations that are drawn from an expansion, where those of the file follow no law.
struct Drawn {
  long rows = 0;
  std::vector<double> inputs;  // rows x columns of the samples, NaN where not known
  std::vector<double> values;  // rows x times x outputs
};

// Periods of modes of vibration, to be played.
struct PageModes {
  std::vector<std::string> names;  // "mode 1, 5.09 Hz"
  std::size_t phases = 0;          // of a period, both ends included
  std::vector<double> poses;       // [modes][phases][frames][7]
};

struct PageSource {
  const results::StudyReader* file = nullptr;
  std::string label;
  Drawn drawn;
  PageModes modes = {};     // of a study of modes
  std::string design = {};  // the search for the design it verifies, as design.json has it; empty: there is none
  std::optional<results::Campbell> campbell = {};  // of the same model
};

// How one result differs from another, the reference (analysis/compare.hpp). NaN: there is nothing to measure.
struct PageDifference {
  double value = std::numeric_limits<double>::quiet_NaN(), noise = value;
};
struct PageComparison {
  struct Line {
    std::string name, unit;
    PageDifference mean, std, lower, upper;
    bool by_scatter = false;
    double p = std::numeric_limits<double>::quiet_NaN();
  };
  std::vector<Line> outputs, scalars;
  std::vector<std::string> only_first, only_second, verdict;
  bool interpolated = false, bands = true;
};

struct PageData {
  std::string text;
  std::vector<unsigned char> numbers;
  long stride = 1;  // the page has every so many of the first source's times
};

// What the page is called: by its model; where several results are compared, by their names, too.
std::string page_title(const std::vector<PageSource>& sources);

// The first source is what the page is about. Comparisons are of each further one with it. `live`: a server answers questions.
PageData page_data(const std::vector<PageSource>& sources, const std::vector<PageComparison>& comparisons, PageLimits limits,
                   bool live);

}  // namespace aleator::core::report
