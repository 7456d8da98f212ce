// The files of a Campbell diagram.
#include <filesystem>

#include "api/campbell.hpp"
#include "base/atomic_file.hpp"
#include "report/campbell_figure.hpp"
#include "report/svg_figure.hpp"
#include "study/loaded_model.hpp"
#include "study/nominal.hpp"

namespace aleator::core {
namespace {

// Nothing is stepped.
results::Provenance provenance(const LoadedModel& loaded, const CampbellDiagram& d, const std::string& command_line) {
  Model model = loaded.model;
  model.settings = without_steps(model.settings);
  results::Provenance out = provenance_of(model, loaded.settings, command_line, {});
  for (const char* of_time : {"duration", "step", "output_step", "integrator", "tolerance", "rho"}) out.settings.erase(of_time);
  out.settings["modes about"] = d.found.about;
  return out;
}

}  // namespace

std::vector<std::string> write_campbell(const aleator::Model& model, const CampbellDiagram& d, const std::string& folder,
                                        const std::string& command_line) {
  const LoadedModel& loaded = model.compiled();
  // Those of an earlier diagram there
  for (const char* name : {"/critical-speeds.csv", "/campbell.html"}) std::filesystem::remove(folder + name);
  std::vector<std::string> files = {folder + "/campbell.h5", folder + "/campbell.csv", folder + "/campbell.svg"};
  results::write_campbell(files[0], d.found, d.drawn, provenance(loaded, d, command_line));
  write_file(files[1], campbell_csv(d.found));
  write_file(files[2], report::svg_text(report::campbell_figure(d.found, loaded.name()), {}));
  if (d.found.orders.empty()) return files;
  files.push_back(folder + "/critical-speeds.csv");
  write_file(files.back(), critical_csv(d.found));
  return files;
}

}  // namespace aleator::core
