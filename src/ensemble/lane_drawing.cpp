#include "ensemble/lane_drawing.hpp"

#include <bit>

namespace aleator::core {

std::unique_ptr<const LaneDrawing> LaneDrawing::make(const ModelVariant& variant, const MassRealizer* realizer,
                                                     const LaneEngine* engine) {
  if (!realizer || !engine || variant.model->settings.start_at_equilibrium) return nullptr;
  SequenceRecorder recorder;
  const std::optional<RecordedSample> sample = record_sample(*variant.random, recorder);
  if (!sample) return nullptr;
  std::unique_ptr<LaneDrawing> out(new LaneDrawing);
  out->sample_ = *sample;
  out->columns_ = int(variant.random->columns().size());
  out->fits_ = recorder.slot();
  const Realization<double>& nominal = engine->nominal();
  recorder.program([&] {
    std::vector<Traced> values;
    for (int c = 0; c < out->columns_; ++c) values.push_back(recorder.read(sample->columns + c));
    // What is a constant of the engine's programs must be that number.
    TracedMask fits = true;
    const TracedMask possible = realizer->record(values, [&](MassRealizer::Where where, int index, const Traced& x) {
      const auto [slot, expected] = where == MassRealizer::Where::numbers
                                        ? std::pair(engine->slot_of_number(index), nominal.numbers[size_t(index)])
                                    : where == MassRealizer::Where::positions
                                        ? std::pair(engine->slot_of_position(index), nominal.positions[size_t(index)])
                                        : std::pair(engine->slot_of_velocity(index), nominal.velocities[size_t(index)]);
      if (slot == LaneEngine::nowhere) return;
      if (slot == LaneEngine::constant) {
        fits = fits & (x == Traced(expected));
        return;
      }
      out->slots_.push_back(slot), out->from_.push_back(recorder.slot());
      recorder.store(out->from_.back(), x);
    });
    recorder.store(out->fits_, fits & possible);
  });
  out->code_ = std::make_unique<const SequenceRun::Code>(recorder.finish(), engine->isa());
  return out;
}

DeviceDrawing LaneDrawing::for_device() const {
  DeviceDrawing d{&code_->sequence(), {sample_.seed, sample_.realization}, slots_, from_, {}, fits_};
  for (int g = 0; g < sample_.groups; ++g) d.inputs.push_back(sample_.replicates + g);
  for (int c = 0; c < columns_; ++c) d.sample.push_back(sample_.columns + c);
  return d;
}

LaneDrawing::Run::Run(const LaneDrawing& drawing) : drawing_(drawing), run_(*drawing.code_) {}

void LaneDrawing::Run::set(int lane, const RowIdentity& row) {
  const RecordedSample& s = drawing_.sample_;
  run_.slot(s.seed)[lane] = std::bit_cast<double>(row.seed);
  run_.slot(s.realization)[lane] = std::bit_cast<double>(row.realization);
  for (int g = 0; g < s.groups; ++g)
    run_.slot(s.replicates + g)[lane] =
        std::bit_cast<double>(row.replicates.empty() ? std::uint64_t{0} : std::uint64_t(row.replicates[size_t(g)]));
}

void LaneDrawing::Run::sample(int lane, std::vector<double>& to) {
  to.resize(size_t(drawing_.columns_));
  for (size_t c = 0; c < to.size(); ++c) to[c] = run_.slot(drawing_.sample_.columns + int(c))[lane];
}

bool LaneDrawing::Run::fits(int lane) { return run_.slot(drawing_.fits_)[lane] != 0; }

void LaneDrawing::Run::numbers(int lane, double* to) {
  for (const int s : drawing_.from_) *to++ = run_.slot(s)[lane];
}

}  // namespace aleator::core
