/** The Perplexity provider under the conformance kit. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import type { Json, JsonObject } from '../../kernel/contract/json.js'
import chat from '../../plugins/formats/chat/index.js'
import responses from '../../plugins/formats/responses/index.js'
import create from '../../providers/perplexity/index.js'
import { conformingProvider } from '../conformance/provider.js'

const read = (path: string) => readFileSync(new URL(path, import.meta.url))
const texts = { model: 'pplx-embed-v1-4b', input: ['Hello'], dimensions: 128 }
const user = { role: 'user', content: 'Hello' }

conformingProvider((title, run) => t.test(title, async () => run()), {
  manifest: read('../../providers/perplexity/manifest.json').toString('utf8'),
  create,
  formats: (name) => (name === 'responses' ? responses() : chat()),
  calls: [
    { operation: 'chat', wire: { model: 'sonar', input: 'Hello', stream: true } },
    { operation: 'chat', wire: { model: 'sonar-pro', input: 'Hello', user: 'u' } },
    { operation: 'chat', format: 'chat', wire: { model: 'sonar', messages: [user, user] } },
    { operation: 'embeddings', wire: { ...texts, encoding_format: 'base64_int8' } },
  ],
  answers: [
    embedded('floats', {}, [127, -128, 0, 5]),
    embedded('packed floats', { encoding_format: 'base64' }, 'AAD+QgAAAMMAAAAAAACgQA=='),
    { name: 'no vectors', operation: 'embeddings', request: texts, body: { data: [{}] } },
  ],
  streams: [
    {
      name: 'search',
      operation: 'chat',
      bytes: read('../fixtures/perplexity/agent-search.sse'),
    },
    {
      name: 'no end',
      operation: 'chat',
      format: 'chat',
      bytes: read('../fixtures/perplexity/no-end.sse'),
    },
  ],
  refusals: [
    refusal(400, 'invalid_message', 'Last message must have role `user`.', 'client'),
    refusal(400, 'invalid_model', 'Invalid model', 'client'),
    refusal(401, 'authentication_error', 'Invalid API key', 'channel'),
    refusal(401, 'insufficient_quota', 'You exceeded your current quota', 'channel'),
    refusal(429, 'rate_limit', 'Request rate limit exceeded', 'channel'),
  ],
})

/** Bytes 127, -128, 0 and 5, as `base64_int8` has them. */
function embedded(name: string, over: JsonObject, embedding: Json) {
  return {
    name,
    operation: 'embeddings' as const,
    request: { ...texts, ...over },
    body: {
      ...{ object: 'list', model: 'pplx-embed-v1-4b' },
      data: [{ object: 'embedding', index: 0, embedding: 'f4AABQ==' }],
      usage: {
        prompt_tokens: 4,
        total_tokens: 4,
        cost: { total_cost: 0.0000001, currency: 'USD' },
      },
    },
    json: {
      ...{ object: 'list', model: 'pplx-embed-v1-4b' },
      data: [{ object: 'embedding', index: 0, embedding }],
      usage: { prompt_tokens: 4, total_tokens: 4 },
    },
  }
}

function refusal(status: number, type: string, message: string, blame: 'client' | 'channel') {
  const error = { message, type, code: status }
  return { operation: 'chat' as const, status, body: { error }, blame }
}
