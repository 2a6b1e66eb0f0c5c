/**
 * Claude in the messages format, with the model in the address and the version in the body
 * (https://docs.cloud.google.com/vertex-ai/generative-ai/docs/partner-models/claude/use-claude).
 */
import type { Body } from '../../kernel/contract/body.js'
import type { ChannelView, FormatAdapter, Forwarded } from '../../kernel/contract/provider.js'
import { bytesOf, changed } from '../../kernel/toolkit/body/index.js'
import { accepted, knownBetas, refusedOf } from '../../kernel/toolkit/vendors/index.js'
import { betas, facts } from './claude-facts.js'
import { fail } from './fail.js'
import { isClaude } from './model.js'
import { callTo, publisherPath } from './place.js'
import { adjustThinking } from './thinking.js'

export const claude: FormatAdapter = {
  format: 'messages',
  serves: (_channel, model) => isClaude(model),
  forwards: ['anthropic-beta'],
  refuses: (wire, _channel, model) => refusedOf(facts, wire, model),
  adjust: (wire) => accepted(facts, adjustThinking(wire)),
  address(wire, channel, credentials, { model, stream, forwarded }) {
    const path = publisherPath('anthropic', model, stream ? 'streamRawPredict' : 'rawPredict')
    const accept = stream ? 'text/event-stream' : 'application/json'
    const request = callTo({ model, version: 'v1', path }, channel, credentials, accept)
    const beta = betasOf(channel, forwarded)
    const headers = beta === '' ? request.headers : { ...request.headers, 'anthropic-beta': beta }
    return { ...request, headers, body: prediction(wire) }
  },
  fail,
}

function betasOf({ settings }: ChannelView, { headers }: Forwarded): string {
  const more = Array.isArray(settings.betas) ? settings.betas : []
  return knownBetas(headers['anthropic-beta'], betas, more).join(',')
}

const version = 'vertex-2023-10-16'

/** What a client wrote goes out as it wrote it, but for the members that change places. */
function prediction(wire: Body): string | Buffer {
  if (wire.kind !== 'json') return '{}'
  const { model: _model, ...rest } = wire.value
  const value = { ...rest, anthropic_version: rest.anthropic_version ?? version }
  return bytesOf(changed(wire, value))
}
