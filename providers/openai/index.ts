/**
 * OpenAI itself and servers made like it: bearer key, optional organization and project, one path for each operation,
 * and the one spelling of the output limit its newer models take.
 */

import type { Call } from '../../kernel/contract/call.js'
import type {
  ChannelView,
  FormatAdapter,
  Provider,
  SameFormAdapter,
} from '../../kernel/contract/provider.js'
import {
  needsResponses,
  refusedByOpenAi,
  withoutVerbosity,
} from '../../kernel/toolkit/vendors/index.js'
import { balance } from './balance.js'
import { callTo } from './call.js'
import { fail } from './fail.js'
import { models } from './models.js'
import { realtime } from './realtime.js'
import { facts } from './responses-facts.js'
import { spellLimit } from './spell-limit.js'

export default function create(): Provider {
  return {
    operations: {
      chat: [chat, responses],
      completions: same('/v1/completions'),
      embeddings: same('/v1/embeddings'),
      images: same('/v1/images/generations'),
      edits: same('/v1/images/edits'),
      speech: same('/v1/audio/speech', '*/*'),
      transcriptions: same('/v1/audio/transcriptions', '*/*'),
      translations: same('/v1/audio/translations', '*/*'),
      moderations: same('/v1/moderations'),
      rerank: same('/v1/rerank'),
      compact: { ...same('/v1/responses/compact'), serves: hasResponses },
      realtime,
    },
    models,
    balance,
  }
}

const chat: FormatAdapter = {
  format: 'chat',
  serves: (channel, model, _client, call) => staysOnChat(channel, model, call),
  forwards: ['openai-beta'],
  knowsDeveloper,
  refuses: (wire, _channel, model) => refusedByOpenAi(wire, model),
  adjust: spellLimit,
  address: callTo('/v1/chat/completions'),
  fail,
}

const responses: FormatAdapter = {
  format: 'responses',
  serves: hasResponses,
  forwards: ['openai-beta'],
  knowsDeveloper,
  refuses: (wire, _channel, model) => refusedByOpenAi(wire, model),
  adjust: withoutVerbosity,
  address: callTo('/v1/responses'),
  fail,
}

/** What a model refuses there goes to responses, unless the channel sets where its requests go. */
function staysOnChat({ settings }: ChannelView, model: string, call?: () => Call): boolean {
  if (settings.responses_api === 'always') return false
  if (settings.responses_api === 'convert' || settings.responses_api === 'as-sent') return true
  return !needsResponses(facts, model, call)
}

/** Compatible servers may know chat completions only; there the other formats are converted. */
function hasResponses({ settings }: ChannelView): boolean {
  return settings.responses_api !== 'convert'
}

/** OpenAI documents the role; a server made like it may not. */
function knowsDeveloper({ settings }: ChannelView): boolean {
  return settings.developer_role !== 'system'
}

function same(path: string, accept?: string): SameFormAdapter {
  return { format: 'same', address: callTo(path, accept), fail }
}
