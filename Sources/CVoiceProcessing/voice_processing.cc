#include "voice_processing.h"

#include <new>
#include <vector>

#include "api/scoped_refptr.h"
#include "modules/audio_processing/include/audio_processing.h"

#define EXPORT extern "C" __attribute__((visibility("default")))

struct yoob_voice_processing {
  rtc::scoped_refptr<webrtc::AudioProcessing> apm;
  webrtc::StreamConfig format;
  std::vector<float> played;
};

EXPORT yoob_voice_processing *yoob_voice_processing_create(int sample_rate, int echo, int noise, int gain) {
  if (sample_rate != 16000 && sample_rate != 32000 && sample_rate != 48000) return nullptr;
  webrtc::AudioProcessing::Config config;
  config.high_pass_filter.enabled = true;
  config.echo_canceller.enabled = echo != 0;
  config.echo_canceller.mobile_mode = false;
  config.noise_suppression.enabled = noise > 0;
  using Noise = webrtc::AudioProcessing::Config::NoiseSuppression;
  const Noise::Level levels[] = {Noise::kLow, Noise::kModerate, Noise::kHigh, Noise::kVeryHigh};
  if (noise > 0) config.noise_suppression.level = levels[noise > 4 ? 3 : noise - 1];
  config.gain_controller2.enabled = gain != 0;
  config.gain_controller2.adaptive_digital.enabled = gain != 0;
  auto apm = webrtc::AudioProcessingBuilder().SetConfig(config).Create();
  if (!apm) return nullptr;
  auto made = new (std::nothrow) yoob_voice_processing;
  if (!made) return nullptr;
  made->apm = apm;
  made->format = webrtc::StreamConfig(sample_rate, 1);
  made->played.resize(sample_rate / 100);
  return made;
}

EXPORT void yoob_voice_processing_destroy(yoob_voice_processing *processing) { delete processing; }

EXPORT int yoob_voice_processing_process(yoob_voice_processing *processing, float *near, const float *far) {
  const float *source = far;
  float *played = processing->played.data();
  int code = processing->apm->ProcessReverseStream(&source, processing->format, processing->format, &played);
  if (code != 0) return code;
  // AEC3 finds the delay itself.
  processing->apm->set_stream_delay_ms(0);
  const float *heard = near;
  return processing->apm->ProcessStream(&heard, processing->format, processing->format, &near);
}

EXPORT int yoob_voice_processing_delay_ms(yoob_voice_processing *processing) {
  return processing->apm->GetStatistics().delay_ms.value_or(-1);
}

EXPORT const char *yoob_voice_processing_version(void) { return "2.1"; }
