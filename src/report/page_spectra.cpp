#include "report/page_parts.hpp"

namespace aleator::core::report {

void put_spectra(PageContext& c) {
  c.json.key("spectra").array();
  for (const std::string& name : c.file.spectra()) {
    const results::Spectrum s = c.file.spectrum(name);
    c.json.object().key("output").string(name).key("unit").string(c.file.spectrum_unit(name));
    c.put_number("from", s.from);
    c.put_number("segment", s.segment);
    c.put_number("segments", double(s.segments));
    const std::pair<const char*, const std::vector<double>*> all[] = {
        {"frequency", &s.frequency}, {"nominal", &s.nominal}, {"mean", &s.mean}, {"lower", &s.lower}, {"upper", &s.upper}};
    for (const auto& [key, values] : all) {
      c.json.key(key);
      c.block.exact(c.json, *values);
    }
    c.json.end();
  }
  c.json.end();
}

void put_processes(PageContext& c) {
  c.json.key("processes").array();
  for (const results::ProcessSummary& p : c.file.processes()) {
    c.json.object().key("name").string(p.name).key("words").string(p.words);
    c.put_number("counted", double(p.counted));
    const std::pair<const char*, const std::vector<double>*> all[] = {{"frequency", &p.frequency}, {"asked", &p.asked},
                                                                      {"estimated", &p.estimated}, {"lower", &p.lower},
                                                                      {"upper", &p.upper},         {"time", &p.time}};
    for (const auto& [key, values] : all) {
      c.json.key(key);
      c.block.exact(c.json, *values);
    }
    c.json.key("realizations").array();
    for (const std::vector<double>& y : p.realizations) c.block.exact(c.json, y);
    c.json.end().end();
  }
  c.json.end();
}

}  // namespace aleator::core::report
