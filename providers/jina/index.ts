/** Jina's embeddings and rerank: the forms clients know, but for a few words it refuses. */
import type { JsonObject } from '../../kernel/contract/json.js'
import type { Provider, SameFormAdapter } from '../../kernel/contract/provider.js'
import { bearerRequest, upstreamUrl } from '../../kernel/toolkit/provider/index.js'
import { fail } from './fail.js'

export default function create(): Provider {
  return {
    operations: {
      embeddings: { ...same('/v1/embeddings'), adjust: spellEncoding },
      rerank: same('/v1/rerank'),
    },
  }
}

function same(path: string): SameFormAdapter {
  return {
    format: 'same',
    address: (_wire, { baseUrl }, credentials, context) =>
      bearerRequest(upstreamUrl(baseUrl, path), credentials, context),
    fail,
  }
}

/** Fields it does not know are refused, among them two that every client of OpenAI's may send. */
function spellEncoding(wire: JsonObject): JsonObject {
  const { encoding_format: encoding, user, ...known } = wire
  if (encoding === undefined && user === undefined) return wire
  const isTold = encoding === undefined || known.embedding_type !== undefined
  return isTold ? known : { ...known, embedding_type: encoding }
}
