/** Text out of a recording, by the models that understand sound. */
import type { Settings } from '../../kernel/contract/kit.js'
import type { OwnOperationAdapter } from '../../kernel/contract/provider.js'
import { geminiTranscript, readGeminiTranscript } from '../../kernel/toolkit/vendors/index.js'
import { bareName, modelCall } from './address.js'
import { fail } from './fail.js'
import type { Safety } from './safety.js'
import { readEnding, type Thinking, withThinking } from './thinking-suffix.js'

export function transcriptAdapter(settings: Settings, safety: Safety): OwnOperationAdapter {
  const thinkingOf = (model: string): Thinking =>
    settings.boolean('thinking_suffixes') ? readEnding(bareName(model)) : { model: bareName(model) }
  return {
    format: 'own',
    serves: (_channel, model) => !deaf.test(model),
    shape(body, _channel, name) {
      const { model, config } = thinkingOf(name)
      return { kind: 'json', value: withThinking(safety(geminiTranscript(body), model), config) }
    },
    address: (_wire, channel, credentials, context) =>
      modelCall(
        { model: thinkingOf(context.model).model, verb: 'generateContent' },
        channel,
        credentials,
        { stream: false },
      ),
    answer: readGeminiTranscript,
    fail,
  }
}

/** They speak, draw, or embed. */
const deaf = /tts|image|banana|embedding|veo|lyria/
