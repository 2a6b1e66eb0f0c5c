/**
 * Counts of tokens, in the maker's own format (read 2026-11-27: cloud.google.com/vertex-ai/generative-ai/docs/partner-models/claude/count-tokens,
 * cloud.google.com/vertex-ai/docs/reference/rest/v1beta1/publishers.models/countTokens).
 */
import type { JsonObject } from '../../kernel/contract/json.js'
import type { SameFormAdapter } from '../../kernel/contract/provider.js'
import { present } from '../../kernel/toolkit/json/index.js'
import { uncountedFields } from '../../kernel/toolkit/vendors/index.js'
import { claude } from './claude.js'
import { fail } from './fail.js'
import { gemini } from './gemini.js'
import { bareName, isClaude, isGemini } from './model.js'
import { callTo, publisherPath } from './place.js'

const ofClaude: SameFormAdapter = {
  ...claude,
  format: 'same',
  serves: (_channel, model, client) => client === 'messages' && isClaude(model),
  refuses: (wire, channel, model) => [
    ...uncountedFields(wire),
    ...(claude.refuses?.(wire, channel, model) ?? []),
  ],
  address(wire, channel, credentials, context) {
    const { model } = context
    const path = publisherPath('anthropic', 'count-tokens', 'rawPredict')
    const { headers, body } = claude.address(wire, channel, credentials, context)
    const request = callTo({ model, version: 'v1', path }, channel, credentials)
    const value = JSON.parse(String(body)) as JsonObject
    return { ...request, headers, body: JSON.stringify({ ...value, model: bareName(model) }) }
  },
}

const ofGemini: SameFormAdapter = {
  format: 'same',
  serves: (_channel, model, client) => client === 'generative' && isGemini(model),
  adjust: gemini.adjust?.bind(gemini),
  address(wire, channel, credentials, { model }) {
    const path = publisherPath('google', model, 'countTokens')
    const request = callTo({ model, version: 'v1beta1', path }, channel, credentials)
    if (wire.kind !== 'json') return request
    const { contents, systemInstruction, tools, generationConfig } = wire.value
    const counted = present({ contents, systemInstruction, tools, generationConfig })
    return { ...request, body: JSON.stringify(counted) }
  },
  fail,
}

export const count = [ofClaude, ofGemini]
