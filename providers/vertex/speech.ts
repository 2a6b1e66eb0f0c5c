/**
 * Speech by Gemini's models that answer in audio
 * (https://docs.cloud.google.com/gemini-enterprise-agent-platform/models/speech/text-to-speech).
 */
import type { OwnOperationAdapter } from '../../kernel/contract/provider.js'
import { geminiSpeech, readGeminiSpeech } from '../../kernel/toolkit/vendors/index.js'
import { fail } from './fail.js'
import { generate } from './generate.js'
import { isSpeaker } from './model.js'

export const speech: OwnOperationAdapter = {
  format: 'own',
  serves: (_channel, model) => isSpeaker(model),
  shape: (body, _channel, model) => ({ kind: 'json', value: geminiSpeech(body, model) }),
  address: generate,
  answer: readGeminiSpeech,
  fail,
}
