/** Models deployed at Azure: OpenAI's bodies at addresses of their own, with the key in `api-key`. */
import type { Adapter, Provider } from '../../kernel/contract/provider.js'
import { deploymentCall, keyHeader, realtimeUrl, responsesCall } from './address.js'
import { fail } from './fail.js'
import { spellLimit } from './spell-limit.js'

export default function create(): Provider {
  return {
    operations: {
      chat: [chat, responses],
      completions: same('/completions'),
      embeddings: same('/embeddings'),
      images: same('/images/generations'),
      edits: same('/images/edits'),
      speech: same('/audio/speech'),
      transcriptions: same('/audio/transcriptions'),
      translations: same('/audio/translations'),
      realtime,
    },
  }
}

const chat: Adapter = {
  format: 'chat',
  knowsDeveloper: () => true,
  adjust: spellLimit,
  address: deploymentCall('/chat/completions'),
  fail,
}

const responses: Adapter = {
  format: 'responses',
  knowsDeveloper: () => true,
  address: responsesCall,
  fail,
}

const realtime: Adapter = {
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

function same(path: string): Adapter {
  return { format: 'same', address: deploymentCall(path), fail }
}
