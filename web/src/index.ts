export { type YoobAttention, YoobAvatar, type YoobPlaybackEvents } from "./avatar.js";
export { PcmResampler } from "./audio/resampler.js";
export { DEFAULT_VOICE_HOSTS, isAllowedVoiceUrl, voiceCloseError } from "./conversation/addresses.js";
export { YoobConversation } from "./conversation/conversation.js";
export type { YoobConversationState, YoobTurnDetection, YoobTurnMetrics } from "./conversation/events.js";
export type { YoobConversationOptions, YoobVoiceSession } from "./conversation/options.js";
export { YoobError, type YoobErrorCode, type YoobErrorDetails } from "./errors.js";
export { YoobMicrophone, type YoobMicrophoneEvents, type YoobMicrophoneState } from "./microphone.js";
export {
  type CharacterManifest,
  type ManifestFile,
  VISEMES,
  type YoobAvatarOptions,
  type YoobCaption,
  type YoobCredentials,
  type YoobEmotion,
  type YoobGaze,
  type YoobGesture,
  type YoobPhase,
  type YoobProgress,
  type YoobViseme,
  type YoobWord,
} from "./types.js";
