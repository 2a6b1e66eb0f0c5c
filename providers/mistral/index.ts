/** Mistral: the chat format with fewer fields and stricter turns; embeddings, moderations and transcriptions as usual. */
import type { JsonObject } from '../../kernel/contract/json.js'
import type { FormatAdapter, Provider, SameFormAdapter } from '../../kernel/contract/provider.js'
import { bearerCall, bearerList } from '../../kernel/toolkit/provider/index.js'
import { refusedByMistral, takenByMistral } from '../../kernel/toolkit/vendors/index.js'
import { fail } from './fail.js'

export default function create(): Provider {
  return {
    operations: {
      chat,
      embeddings: { ...same('/v1/embeddings'), adjust: asFloats },
      moderations: same('/v1/moderations'),
      transcriptions: same('/v1/audio/transcriptions'),
    },
    models: bearerList('/v1/models', fail),
  }
}

const chat: FormatAdapter = {
  format: 'chat',
  requestsUsage: false,
  refuses: (wire, _channel, model) => refusedByMistral(wire, model),
  adjust: takenByMistral,
  address: bearerCall('/v1/chat/completions'),
  fail,
}

/** What this service packs is not what clients unpack (2026-06); numbers are packed here. */
function asFloats(wire: JsonObject): JsonObject {
  return wire.encoding_format === 'base64' ? { ...wire, encoding_format: 'float' } : wire
}

function same(path: string): SameFormAdapter {
  return { format: 'same', address: bearerCall(path), fail }
}
