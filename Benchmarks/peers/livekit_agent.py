"""LiveKit Agents as a local voice agent on our models; talks to the virtual sound card of `link`.

No room and no cloud: sound comes and goes as in its console mode. Its own defaults decide everything that is
not a model: Silero VAD, its turn detector (the one that runs locally), preemptive generation, interruptions.
"""

import asyncio
import os
import threading
import time

from link import MICROPHONE_RATE, Link, run

LINK = Link()
os.environ["HF_HUB_OFFLINE"] = "1"

import numpy as np  # noqa: E402
from faster_whisper import WhisperModel  # noqa: E402
from livekit import rtc  # noqa: E402
from livekit.agents import Agent, AgentSession, stt, tts, utils  # noqa: E402
from livekit.agents.types import DEFAULT_API_CONNECT_OPTIONS, NOT_GIVEN  # noqa: E402
from livekit.agents.voice import TranscriptSynchronizer, io  # noqa: E402
from livekit.plugins import openai  # noqa: E402

from voice import RATE, Voice  # noqa: E402


class CardInput(io.AudioInput):
    """The microphone."""

    def __init__(self):
        super().__init__(label="virtual sound card")
        self._frames = asyncio.Queue()

    async def __anext__(self):
        return await self._frames.get()

    def push(self, pcm, loop):
        """Hands on a block of sound; from any thread."""
        frame = rtc.AudioFrame(pcm, MICROPHONE_RATE, 1, len(pcm) // 2)
        loop.call_soon_threadsafe(self._frames.put_nowait, frame)


class CardOutput(io.AudioOutput):
    """The loudspeaker: a thread gives the card blocks of 40 ms; what it has not given can be taken back."""

    _BLOCK = RATE * 2 // 25

    def __init__(self, loop):
        super().__init__(
            label="virtual sound card", capabilities=io.AudioOutputCapabilities(pause=True), sample_rate=RATE)
        self._loop = loop
        self._lock = threading.Lock()
        self._waiting = bytearray()
        self._played = 0.0
        self._is_open = self._is_flushed = self._has_begun = self._is_held = False
        threading.Thread(target=self._feed, daemon=True).start()

    async def capture_frame(self, frame):
        await super().capture_frame(frame)
        with self._lock:
            if not self._is_open:
                self._is_open, self._is_flushed, self._has_begun, self._played = True, False, False, 0.0
            self._waiting += bytes(frame.data)

    def flush(self):
        super().flush()
        with self._lock:
            self._is_flushed = True

    def clear_buffer(self):
        with self._lock:
            was_open, played = self._is_open, self._played
            self._waiting.clear()
            self._is_open = self._is_held = False
        if was_open:
            self._finished(played, interrupted=True)

    def pause(self):
        super().pause()
        self._is_held = True

    def resume(self):
        super().resume()
        self._is_held = False

    def _feed(self):
        while True:
            block, is_first, is_over = self._next()
            if block:
                if is_first:
                    self._loop.call_soon_threadsafe(lambda: self.on_playback_started(created_at=time.time()))
                LINK.play(block, RATE)
            elif is_over is not None:
                self._finished(is_over, interrupted=False)
            else:
                time.sleep(0.004)

    def _next(self):
        """(block, whether it begins an utterance, seconds played if the utterance is over)"""
        with self._lock:
            if not self._is_open:
                return None, False, None
            count = len(self._waiting)
            if not self._is_held and (count >= self._BLOCK or count and self._is_flushed):
                block = bytes(self._waiting[:self._BLOCK])
                del self._waiting[:self._BLOCK]
                is_first, self._has_begun = not self._has_begun, True
                self._played += len(block) / 2 / RATE
                return block, is_first, None
            if self._is_flushed and not count and time.monotonic() >= LINK.card_end:
                self._is_open = False
                return None, False, self._played
            return None, False, None

    def _finished(self, seconds, interrupted):
        self._loop.call_soon_threadsafe(
            lambda: self.on_playback_finished(playback_position=seconds, interrupted=interrupted))


class LocalWhisper(stt.STT):
    """faster-whisper; the session cuts the sound into segments by its VAD."""

    def __init__(self, folder, compute):
        super().__init__(capabilities=stt.STTCapabilities(streaming=False, interim_results=False))
        self._model = WhisperModel(folder, device="cpu", compute_type=compute)

    async def _recognize_impl(self, buffer, *, language=NOT_GIVEN, conn_options):
        sound = rtc.combine_audio_frames(buffer)
        samples = np.frombuffer(sound.data, dtype=np.int16).astype(np.float32) / 32768
        if sound.sample_rate != MICROPHONE_RATE:
            raise ValueError(f"sound came at {sound.sample_rate} Hz")
        text = await asyncio.to_thread(self._transcribe, samples)
        return stt.SpeechEvent(
            type=stt.SpeechEventType.FINAL_TRANSCRIPT,
            alternatives=[stt.SpeechData(text=text, language="en")])

    def _transcribe(self, samples):
        segments, _ = self._model.transcribe(samples, language="en")
        return "".join(segment.text for segment in segments).strip()


class SharedVoice(tts.TTS):
    """The common voice; the session hands it sentence by sentence."""

    def __init__(self):
        super().__init__(
            capabilities=tts.TTSCapabilities(streaming=False), sample_rate=RATE, num_channels=1)
        self.speaker = Voice()

    def synthesize(self, text, *, conn_options=DEFAULT_API_CONNECT_OPTIONS):
        return Sentence(tts=self, input_text=text, conn_options=conn_options)


class Sentence(tts.ChunkedStream):
    """One sentence of the common voice."""

    async def _run(self, out):
        out.initialize(
            request_id=utils.shortuuid(), sample_rate=RATE, num_channels=1, mime_type="audio/pcm")
        out.push(await asyncio.to_thread(self._tts.speaker.say, self._input_text))
        out.flush()


def report(session):
    """Tells the card what the agent is doing."""
    def item_added(event):
        if getattr(event.item, "role", None) == "assistant" and getattr(event.item, "interrupted", False):
            LINK.event("interrupted")
    session.on("conversation_item_added", item_added)
    session.on("agent_state_changed", lambda event: LINK.event("state", state=str(event.new_state)))
    session.on("error", lambda event: LINK.event("error", text=str(event.error)[:300]))


def messages(session):
    """What the language model sees."""
    return [{"role": item.role, "content": item.text_content or ""}
            for item in session.history.items if item.type == "message"]


async def main(options):
    session = AgentSession(
        stt=LocalWhisper(options.whisper, options.compute), tts=SharedVoice(),
        llm=openai.LLM(
            model="smollm2", api_key="none", base_url=options.llm, temperature=0.0,
            max_completion_tokens=options.max_tokens))
    microphone, loudspeaker = CardInput(), CardOutput(asyncio.get_running_loop())
    session.input.audio = microphone
    # Rooms have this by default: the transcript keeps pace with the sound.
    pace = TranscriptSynchronizer(next_in_chain_audio=loudspeaker, next_in_chain_text=None)
    session.output.audio, session.output.transcription = pace.audio_output, pace.text_output
    report(session)
    await session.start(Agent(instructions=options.system_prompt))
    await LINK.converse(microphone.push, lambda: messages(session))
    await asyncio.wait([asyncio.create_task(session.aclose())], timeout=5)


if __name__ == "__main__":
    run(main, __doc__)
