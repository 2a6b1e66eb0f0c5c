/** Counts of tokens, of a whole request (ai.google.dev/api/tokens, read 2026-11-27). */
import type { SameFormAdapter } from '../../kernel/contract/provider.js'
import { bareName, modelCall } from './address.js'
import { fail } from './fail.js'

export const count: SameFormAdapter = {
  format: 'same',
  serves: (_channel, _model, client) => client === 'generative',
  address(wire, channel, credentials, context) {
    const request = modelCall(
      { model: context.model, verb: 'countTokens' },
      channel,
      credentials,
      context,
    )
    if (wire.kind !== 'json') return request
    const named = { ...wire.value, model: `models/${bareName(context.model)}` }
    return { ...request, body: JSON.stringify({ generateContentRequest: named }) }
  },
  fail,
}
