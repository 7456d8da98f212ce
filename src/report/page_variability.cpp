// Dynamic variability response: over the wave numbers where the bound is largest, and the bound over time.
#include <algorithm>

#include "report/page_parts.hpp"
#include "results/read_variability.hpp"

namespace aleator::core::report {

void put_variability(PageContext& c) {
  if (!results::has_variability(c.file)) {
    c.json.key("variability").null();
    return;
  }
  const results::Variability v = results::read_variability(c.file);
  c.json.key("variability").object();
  c.put_text("field", v.field);
  c.put_text("correlation", v.correlation);
  c.put_number("sigma", v.sigma);
  c.put_number("phases", double(v.phases));
  c.json.key("waveNumbers");
  c.block.exact(c.json, v.wave_numbers);
  c.json.key("of").array();
  for (const results::Variability::OfChannel& of : v.of) {
    const std::size_t at = std::size_t(std::max_element(of.bound.begin(), of.bound.end()) - of.bound.begin());
    std::vector<double> dvrf;
    for (std::size_t k = 0; k < v.wave_numbers.size() && at < of.bound.size(); ++k)
      dvrf.push_back(of.dvrf[k * of.bound.size() + at]);
    c.json.object();
    c.put_number("at", at < c.time.size() ? c.time[at] : 0);
    c.json.key("dvrf");
    c.block.exact(c.json, dvrf);
    c.json.key("bound");
    c.block.exact(c.json, c.thinned(of.bound));
    c.json.end();
  }
  c.json.end().end();
}

}  // namespace aleator::core::report
