/** Speech by the models that answer in audio. */
import type { OwnOperationAdapter } from '../../kernel/contract/provider.js'
import { geminiSpeech, readGeminiSpeech } from '../../kernel/toolkit/vendors/index.js'
import { modelCall } from './address.js'
import { fail } from './fail.js'

export const speech: OwnOperationAdapter = {
  format: 'own',
  serves: (_channel, model) => model.includes('tts'),
  shape: (body, _channel, model) => ({ kind: 'json', value: geminiSpeech(body, model) }),
  address: (_wire, channel, credentials, { model }) =>
    modelCall({ model, verb: 'generateContent' }, channel, credentials, { stream: false }),
  answer: readGeminiSpeech,
  fail,
}
