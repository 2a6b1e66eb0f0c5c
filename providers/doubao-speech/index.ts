/** Doubao Speech: text read aloud, as lines of JSON that come as they are made (https://www.volcengine.com/docs/6561/1598757). */
import { createHash } from 'node:crypto'
import type { OwnOperationAdapter, Provider } from '../../kernel/contract/provider.js'
import { modelSegment, upstreamUrl } from '../../kernel/toolkit/provider/index.js'
import { fail } from './fail.js'
import { keyHeaders } from './key.js'
import { readSpeech } from './read.js'
import { shapeSpeech } from './shape.js'

export default function create(): Provider {
  return { operations: { speech } }
}

const speech: OwnOperationAdapter = {
  format: 'own',
  shape: shapeSpeech,
  address(_wire, { baseUrl }, { key }, { model, requestId }) {
    return {
      method: 'POST',
      url: upstreamUrl(baseUrl, '/api/v3/tts/unidirectional'),
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...keyHeaders(key),
        'x-api-resource-id': modelSegment(model),
        ...(requestId !== undefined && { 'x-api-request-id': uuidOf(requestId) }),
        'x-control-require-usage-tokens-return': 'text_words',
      },
    }
  },
  answer: readSpeech,
  fail,
}

/** The service documents this form of an id. */
function uuidOf(id: string): string {
  const hash = createHash('sha256').update(id).digest('hex')
  const ends = [8, 12, 16, 20, 32]
  return ends.map((end, at) => hash.slice(ends[at - 1] ?? 0, end)).join('-')
}
