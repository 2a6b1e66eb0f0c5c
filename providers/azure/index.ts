/** Models deployed at Azure: OpenAI's bodies at addresses of their own, and Claude's beside them. */
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
import { deploymentCall, keyHeader, realtimeUrl, responsesCall } from './address.js'
import { authorize } from './authorize.js'
import { claude } from './claude.js'
import { isClaude, modelOf } from './deployment-models.js'
import { fail } from './fail.js'
import { facts } from './responses-facts.js'
import { faultOf } from './settings.js'
import { spellLimit } from './spell-limit.js'

export default function create(): Provider {
  return {
    operations: {
      chat: [chat, responses, claude],
      completions: same('/completions'),
      embeddings: same('/embeddings'),
      images: same('/images/generations'),
      edits: same('/images/edits'),
      speech: same('/audio/speech'),
      transcriptions: same('/audio/transcriptions'),
      translations: same('/audio/translations'),
      realtime,
    },
    authorize,
    faultOf,
  }
}

const chat: FormatAdapter = {
  format: 'chat',
  serves: (channel, model, _client, call) =>
    !isClaude(channel, model) && staysOnChat(channel, model, call),
  knowsDeveloper: () => true,
  refuses: (wire, _channel, model) => refusedByOpenAi(wire, model),
  adjust: spellLimit,
  address: deploymentCall('/chat/completions'),
  fail,
}

const responses: FormatAdapter = {
  format: 'responses',
  serves: (channel, model) =>
    channel.settings.responses_api !== 'convert' && !isClaude(channel, model),
  knowsDeveloper: () => true,
  refuses: (wire, _channel, model) => refusedByOpenAi(wire, model),
  adjust: withoutVerbosity,
  address: responsesCall,
  fail,
}

/** What a model refuses there goes to responses, unless the channel sets where its requests go. */
function staysOnChat(channel: ChannelView, model: string, call?: () => Call): boolean {
  const { settings } = channel
  if (settings.responses_api === 'always') return false
  if (settings.responses_api === 'convert' || settings.responses_api === 'as-sent') return true
  return !needsResponses(facts, modelOf(channel, model), call)
}

const realtime: SameFormAdapter = {
  format: 'same',
  address: (_wire, channel, credentials, context) => ({
    method: 'GET',
    url: realtimeUrl(channel, context),
    headers: keyHeader(credentials),
  }),
  socket: (channel, credentials, context) => ({
    url: realtimeUrl(channel, context).replace(/^http/, 'ws'),
    headers: keyHeader(credentials),
    protocols: [],
  }),
  fail,
}

function same(path: string): SameFormAdapter {
  return { format: 'same', address: deploymentCall(path), fail }
}
