/** Mistral: the chat format with fewer fields and stricter turns; embeddings, moderations and transcriptions as usual. */
import type { JsonObject } from '../../kernel/contract/json.js'
import type { FormatAdapter, Provider, SameFormAdapter } from '../../kernel/contract/provider.js'
import { splitInput } from '../../kernel/toolkit/operation/index.js'
import { bearerCall, bearerList } from '../../kernel/toolkit/provider/index.js'
import { refusedByMistral, takenByMistral } from '../../kernel/toolkit/vendors/index.js'
import { fail } from './fail.js'

/** Texts that one call for vectors may hold; more are refused with 3210. */
const textsAtOnce = 512

export default function create(): Provider {
  return {
    operations: {
      chat,
      embeddings: {
        ...same('/v1/embeddings'),
        adjust: spellEmbeddings,
        split: (wire) => splitInput(wire, textsAtOnce),
      },
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

/**
 * What this service packs is not what clients unpack (2026-06); numbers are packed here. It has another name for the number of
 * dimensions, and refuses the field it does not know.
 */
function spellEmbeddings(wire: JsonObject): JsonObject {
  const { dimensions, user, ...rest } = wire
  const floats = wire.encoding_format === 'base64'
  if (!floats && dimensions === undefined && user === undefined) return wire
  return {
    ...rest,
    ...(floats && { encoding_format: 'float' }),
    ...(typeof dimensions === 'number' && { output_dimension: dimensions }),
  }
}

function same(path: string): SameFormAdapter {
  return { format: 'same', address: bearerCall(path), fail }
}
