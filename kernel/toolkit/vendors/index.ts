export { withEffort } from './adaptive-thinking.js'
export { type ChatFacts, refusedInChat, takenInChat } from './chat-facts.js'
export { knowsTools } from './codex-tools.js'
export {
  callForcesTool,
  choiceLost,
  forcesTool,
  leftToModel,
  namesTool,
  offeredAlone,
  thinkingLost,
  withoutThinking,
} from './forced-tools.js'
export { geminiDrawing, geminiEdit, geminiSize } from './gemini/drawing.js'
export { readGeminiImages } from './gemini/image-answer.js'
export type { GeminiSize } from './gemini/image-size.js'
export type { RecordingKinds } from './gemini/recording.js'
export { geminiSpeech, readGeminiSpeech } from './gemini/speech.js'
export { geminiTranscript, readGeminiTranscript } from './gemini/transcripts.js'
export { voiceName as geminiVoice } from './gemini/voices.js'
export { type GoogleErrorFacts, googleFailure } from './google-errors.js'
export { knownEffort } from './known-efforts.js'
export { elsewhere } from './messages-elsewhere.js'
export {
  accepted,
  type BetaFact,
  knownBetas,
  type MessagesFacts,
  refusedOf,
} from './messages-facts.js'
export { refusedByMistral, takenByMistral } from './mistral.js'
export { refusedByOpenAi, withoutVerbosity } from './openai-models.js'
export { isRealtimeModel } from './realtime-models.js'
export { needsResponses, type ResponsesFact } from './responses-facts.js'
export { templates } from './templates.js'
export { uncountedFields } from './uncounted-fields.js'
export { changedEach, type Fact, isAbout, type ModelFact, withoutMembers } from './vendor-facts.js'
export { requireVersion, versionOf } from './version-header.js'
