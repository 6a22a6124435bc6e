#include "voice_processing.h"

#include <algorithm>
#include <array>
#include <memory>
#include <new>
#include <optional>
#include <vector>

#include "api/audio/echo_canceller3_config.h"
#include "api/scoped_refptr.h"
#include "modules/audio_processing/aec3/echo_canceller3.h"
#include "modules/audio_processing/include/audio_processing.h"

#define EXPORT extern "C" __attribute__((visibility("default")))

// Blocks of 4 ms that the linear filters are long: 100 ms of a room. Longer ones learn more slowly.
static const size_t filter_blocks = 25;

namespace {
class LongFilters : public webrtc::EchoControlFactory {
 public:
  std::unique_ptr<webrtc::EchoControl> Create(int sample_rate, int render_channels, int capture_channels) override {
    webrtc::EchoCanceller3Config config;
    auto &filter = config.filter;
    filter.refined.length_blocks = filter.coarse.length_blocks = filter_blocks;
    filter.refined_initial.length_blocks = filter.coarse_initial.length_blocks = filter_blocks;
    filter.export_linear_aec_output = true;
    webrtc::EchoCanceller3Config::Validate(&config);
    return std::make_unique<webrtc::EchoCanceller3>(
        config, std::nullopt, sample_rate, render_channels, capture_channels);
  }
};
}  // namespace

struct yoob_voice_processing {
  rtc::scoped_refptr<webrtc::AudioProcessing> apm;
  webrtc::StreamConfig format;
  std::vector<float> played;
  bool has_linear;
};

EXPORT yoob_voice_processing *yoob_voice_processing_create(int sample_rate, int echo, int noise, int gain) {
  if (sample_rate != 16000 && sample_rate != 32000 && sample_rate != 48000) return nullptr;
  webrtc::AudioProcessing::Config config;
  config.high_pass_filter.enabled = true;
  config.echo_canceller.enabled = echo != 0;
  config.echo_canceller.mobile_mode = false;
  config.echo_canceller.export_linear_aec_output = echo != 0;
  config.noise_suppression.enabled = noise > 0;
  using Noise = webrtc::AudioProcessing::Config::NoiseSuppression;
  const Noise::Level levels[] = {Noise::kLow, Noise::kModerate, Noise::kHigh, Noise::kVeryHigh};
  if (noise > 0) config.noise_suppression.level = levels[noise > 4 ? 3 : noise - 1];
  config.gain_controller2.enabled = gain != 0;
  config.gain_controller2.adaptive_digital.enabled = gain != 0;
  auto apm = webrtc::AudioProcessingBuilder()
                 .SetConfig(config)
                 .SetEchoControlFactory(std::make_unique<LongFilters>())
                 .Create();
  if (!apm) return nullptr;
  auto made = new (std::nothrow) yoob_voice_processing;
  if (!made) return nullptr;
  made->apm = apm;
  made->format = webrtc::StreamConfig(sample_rate, 1);
  made->played.resize(sample_rate / 100);
  made->has_linear = echo != 0 && sample_rate == 16000;
  return made;
}

EXPORT void yoob_voice_processing_destroy(yoob_voice_processing *processing) { delete processing; }

EXPORT int yoob_voice_processing_process(
    yoob_voice_processing *processing, float *near, const float *far, float *linear) {
  const float *source = far;
  float *played = processing->played.data();
  int code = processing->apm->ProcessReverseStream(&source, processing->format, processing->format, &played);
  if (code != 0) return code;
  // AEC3 finds the delay itself.
  processing->apm->set_stream_delay_ms(0);
  const float *heard = near;
  code = processing->apm->ProcessStream(&heard, processing->format, processing->format, &near);
  if (code != 0 || !linear || !processing->has_linear) return code;
  std::array<float, 160> frame;
  if (!processing->apm->GetLinearAecOutput(rtc::ArrayView<std::array<float, 160>>(&frame, 1))) return 1;
  std::copy(frame.begin(), frame.end(), linear);
  return 0;
}

EXPORT int yoob_voice_processing_delay_ms(yoob_voice_processing *processing) {
  return processing->apm->GetStatistics().delay_ms.value_or(-1);
}

EXPORT const char *yoob_voice_processing_version(void) { return "2.1"; }
