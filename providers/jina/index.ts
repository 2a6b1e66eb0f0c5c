/** Jina's embeddings and rerank: the forms clients know, but for a few words it refuses. */
import type { Body } from '../../kernel/contract/body.js'
import type { JsonObject } from '../../kernel/contract/json.js'
import type { Provider, SameFormAdapter } from '../../kernel/contract/provider.js'
import { splitInput } from '../../kernel/toolkit/operation/index.js'
import { bearerRequest, upstreamUrl } from '../../kernel/toolkit/provider/index.js'
import { fail } from './fail.js'

export default function create(): Provider {
  return {
    operations: {
      embeddings: { ...same('/v1/embeddings'), adjust: spellEncoding, split },
      rerank: same('/v1/rerank'),
    },
  }
}

/** What the strictest of its models takes in one call. */
const textsAtOnce = 512

/** Texts that are chunks of one are read together. */
function split(wire: Body): readonly Body[] {
  const isOne = wire.kind === 'json' && wire.value.late_chunking === true
  return isOne ? [wire] : splitInput(wire, textsAtOnce)
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
