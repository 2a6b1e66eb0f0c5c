/** Mistral: the chat format with fewer fields and stricter turns; embeddings, moderations and transcriptions as usual. */
import type { Adapter, Provider } from '../../kernel/contract/provider.js'
import { bearerCall } from '../../kernel/wire/bearer-request.js'
import { bearerList } from '../../kernel/wire/inquiry.js'
import { fail } from './fail.js'
import { spellFields } from './fields.js'
import { orderTurns } from './turns.js'

export default function create(): Provider {
  return {
    operations: {
      chat,
      embeddings: same('/v1/embeddings'),
      moderations: same('/v1/moderations'),
      transcriptions: same('/v1/audio/transcriptions'),
    },
    models: bearerList('/v1/models', fail),
  }
}

const chat: Adapter = {
  format: 'chat',
  asksUsage: false,
  adjust: (wire) => orderTurns(spellFields(wire)),
  address: bearerCall('/v1/chat/completions'),
  fail,
}

function same(path: string): Adapter {
  return { format: 'same', address: bearerCall(path), fail }
}
