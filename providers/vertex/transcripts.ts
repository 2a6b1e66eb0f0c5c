/** Text out of a recording, by Gemini's models that understand sound. */
import type { OwnOperationAdapter } from '../../kernel/contract/provider.js'
import {
  geminiTranscript,
  type RecordingKinds,
  readGeminiTranscript,
} from '../../kernel/toolkit/vendors/index.js'
import { fail } from './fail.js'
import { generate } from './generate.js'
import { isListener } from './model.js'

/** By docs.cloud.google.com/vertex-ai/generative-ai/docs/multimodal/audio-understanding, read 2026-11-27. */
const kinds: RecordingKinds = { 'audio/aac': 'audio/x-aac' }

export const transcriptions: OwnOperationAdapter = {
  format: 'own',
  serves: (_channel, model) => isListener(model),
  shape: (body) => ({ kind: 'json', value: geminiTranscript(body, kinds) }),
  address: generate,
  answer: readGeminiTranscript,
  fail,
}
