"""Pipecat as a local voice agent on our models; talks to the virtual sound card of `link`.

Its own defaults decide everything that is not a model: Silero VAD, Smart Turn v3, when a user interrupts.
"""

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor

from link import MICROPHONE_RATE, Link, run

LINK = Link()
os.environ["HF_HUB_OFFLINE"] = "1"

from loguru import logger  # noqa: E402
from pipecat.audio.vad.silero import SileroVADAnalyzer  # noqa: E402
from pipecat.frames.frames import (  # noqa: E402
    BotStartedSpeakingFrame, BotStoppedSpeakingFrame, InputAudioRawFrame, InterruptionFrame,
    UserStoppedSpeakingFrame)
from pipecat.observers.base_observer import BaseObserver  # noqa: E402
from pipecat.pipeline.pipeline import Pipeline  # noqa: E402
from pipecat.pipeline.worker import PipelineParams, PipelineWorker  # noqa: E402
from pipecat.processors.aggregators.llm_context import LLMContext  # noqa: E402
from pipecat.processors.aggregators.llm_response_universal import (  # noqa: E402
    LLMContextAggregatorPair, LLMUserAggregatorParams)
from pipecat.services.openai.llm import OpenAILLMService  # noqa: E402
from pipecat.services.settings import TTSSettings  # noqa: E402
from pipecat.services.tts_service import TTSService  # noqa: E402
from pipecat.services.whisper.stt import WhisperSTTService  # noqa: E402
from pipecat.transports.base_input import BaseInputTransport  # noqa: E402
from pipecat.transports.base_output import BaseOutputTransport  # noqa: E402
from pipecat.transports.base_transport import TransportParams  # noqa: E402
from pipecat.workers.runner import WorkerRunner  # noqa: E402

from voice import RATE, Voice  # noqa: E402


class CardInput(BaseInputTransport):
    """The microphone, as Pipecat's own local transport feeds one."""

    def __init__(self, params):
        super().__init__(params)
        self.is_started = asyncio.Event()

    async def start(self, frame):
        await super().start(frame)
        await self.set_transport_ready(frame)
        self.is_started.set()

    def push(self, pcm, loop):
        """Hands on a block of sound; from any thread."""
        sound = InputAudioRawFrame(audio=pcm, sample_rate=MICROPHONE_RATE, num_channels=1)
        asyncio.run_coroutine_threadsafe(self.push_audio_frame(sound), loop)


class CardOutput(BaseOutputTransport):
    """The loudspeaker, which blocks a thread as Pipecat's own local transport lets it."""

    def __init__(self, params):
        super().__init__(params)
        self._thread = ThreadPoolExecutor(1)

    async def start(self, frame):
        await super().start(frame)
        await self.set_transport_ready(frame)

    async def write_audio_frame(self, frame):
        await self.get_event_loop().run_in_executor(self._thread, LINK.play, frame.audio, frame.sample_rate)
        return True


class SharedVoice(TTSService):
    """The common voice; Pipecat hands it sentence by sentence."""

    def __init__(self):
        super().__init__(
            push_start_frame=True, push_stop_frames=True,
            settings=TTSSettings(model=None, voice=None, language=None))
        self._speaker = Voice()

    async def run_tts(self, text, context_id):
        async def pieces():
            yield await asyncio.to_thread(self._speaker.say, text)
        async for frame in self._stream_audio_frames_from_iterator(
                pieces(), in_sample_rate=RATE, context_id=context_id):
            yield frame


class Reporter(BaseObserver):
    """Tells the card what the agent is doing."""

    def __init__(self):
        super().__init__()
        self._told = set()  # a frame passes by once for every processor

    async def on_push_frame(self, data):
        frame = data.frame
        if isinstance(frame, UserStoppedSpeakingFrame):
            self._tell(frame, "state", state="thinking")
        elif isinstance(frame, BotStartedSpeakingFrame):
            self._tell(frame, "state", state="speaking")
        elif isinstance(frame, BotStoppedSpeakingFrame):
            self._tell(frame, "state", state="listening")
        elif isinstance(frame, InterruptionFrame):
            self._tell(frame, "interrupted")

    def _tell(self, frame, kind, **fields):
        if frame.id not in self._told:
            self._told.add(frame.id)
            LINK.event(kind, **fields)


def messages(context):
    """What the language model sees."""
    return [{"role": message.get("role"), "content": str(message.get("content"))}
            for message in context.get_messages()]


async def main(options):
    stt = WhisperSTTService(
        device="cpu", compute_type=options.compute, settings=WhisperSTTService.Settings(model=options.whisper))
    llm = OpenAILLMService(
        api_key="none", base_url=options.llm,
        settings=OpenAILLMService.Settings(
            model="smollm2", temperature=0.0, max_tokens=options.max_tokens,
            system_instruction=options.system_prompt))
    context = LLMContext()
    pair = LLMContextAggregatorPair(
        context, user_params=LLMUserAggregatorParams(vad_analyzer=SileroVADAnalyzer()))
    card = TransportParams(audio_in_enabled=True, audio_out_enabled=True)
    microphone, loudspeaker = CardInput(card), CardOutput(card)
    worker = PipelineWorker(
        Pipeline([microphone, stt, pair.user(), llm, SharedVoice(), loudspeaker, pair.assistant()]),
        params=PipelineParams(), observers=[Reporter()], idle_timeout_secs=None, cancel_on_idle_timeout=False)
    runner = WorkerRunner(handle_sigint=False)
    await runner.add_workers(worker)
    running = asyncio.create_task(runner.run())
    await microphone.is_started.wait()
    await LINK.converse(microphone.push, lambda: messages(context))
    await worker.cancel()
    await asyncio.wait([running], timeout=5)


if __name__ == "__main__":
    logger.remove()
    logger.add(lambda line: LINK.event("error", text=line.strip()), level="ERROR")
    run(main, __doc__)
