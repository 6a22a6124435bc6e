// WebRTC's audio processing behind five C functions. `scripts/setup/voice-processing.sh` builds them,
// from `voice_processing.cc` beside this file, into one library.
#ifndef YOOB_VOICE_PROCESSING_H
#define YOOB_VOICE_PROCESSING_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct yoob_voice_processing yoob_voice_processing;

// For mono sound at 16, 32 or 48 kHz. `echo` and `gain` are 0 or 1; `noise` is 0 (off) to 4 (strongest).
// Null when there is no memory or the rate is another.
yoob_voice_processing *yoob_voice_processing_create(int sample_rate, int echo, int noise, int gain);

void yoob_voice_processing_destroy(yoob_voice_processing *processing);

// Cleans 10 ms of `near` in place; `far` is what was played. With echo cancellation at 16 kHz `linear`, where
// it is not null, gets the 160 samples of `near` less the echo that the linear filter knows, with nothing
// else done to them. 0, or the library's error code.
int yoob_voice_processing_process(
    yoob_voice_processing *processing, float *near, const float *far, float *linear);

// The echo's delay behind `far` in milliseconds, -1 while it is not known.
int yoob_voice_processing_delay_ms(yoob_voice_processing *processing);

// Version of the library, such as "2.1".
const char *yoob_voice_processing_version(void);

#ifdef __cplusplus
}
#endif
#endif
