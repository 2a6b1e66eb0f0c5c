/**
 * Claude in the messages format, with the model in the address and the version in the body
 * (https://docs.cloud.google.com/vertex-ai/generative-ai/docs/partner-models/claude/use-claude).
 */
import type { Body } from '../../kernel/contract/exchange.js'
import type { Adapter } from '../../kernel/contract/provider.js'
import { bytesOf, changed } from '../../kernel/wire/body.js'
import { fail } from './fail.js'
import { isClaude } from './model.js'
import { callTo, publisherPath } from './place.js'
import { adjustThinking } from './thinking.js'

export const claude: Adapter = {
  format: 'messages',
  serves: (_channel, model) => isClaude(model),
  forwards: ['anthropic-beta'],
  adjust: adjustThinking,
  address(wire, channel, credentials, { model, stream, forwarded }) {
    const path = publisherPath('anthropic', model, stream ? 'streamRawPredict' : 'rawPredict')
    const accept = stream ? 'text/event-stream' : 'application/json'
    const request = callTo({ model, version: 'v1', path }, channel, credentials, accept)
    const beta = forwarded.headers['anthropic-beta']
    const headers = beta ? { ...request.headers, 'anthropic-beta': beta } : request.headers
    return { ...request, headers, body: prediction(wire) }
  },
  fail,
}

const version = 'vertex-2023-10-16'

/** What a client wrote goes out as it wrote it, but for the members that change places. */
function prediction(wire: Body): string | Buffer {
  if (wire.kind !== 'json') return '{}'
  const { model: _model, ...rest } = wire.value
  const value = { ...rest, anthropic_version: rest.anthropic_version ?? version }
  return bytesOf(changed(wire, value))
}
