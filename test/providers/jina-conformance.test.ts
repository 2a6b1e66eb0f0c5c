/** The Jina provider under the conformance kit. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import chat from '../../plugins/formats/chat/index.js'
import create from '../../providers/jina/index.js'
import { conformingProvider } from '../conformance/provider.js'

const extra = {
  detail: 'Validation error: 1 validation error detected. Extra inputs are not permitted.',
  errors: [{ field: 'body -> jina-embeddings-v3 -> x', message: 'Extra inputs are not permitted' }],
}

conformingProvider((title, run) => t.test(title, async () => run()), {
  manifest: readFileSync(new URL('../../providers/jina/manifest.json', import.meta.url), 'utf8'),
  create,
  formats: () => chat(),
  calls: [
    {
      operation: 'embeddings',
      wire: { model: 'jina-embeddings-v3', input: ['a'], encoding_format: 'base64', user: 'u' },
    },
    { operation: 'rerank', wire: { model: 'jina-reranker-m0', query: 'q', documents: ['a', 'b'] } },
  ],
  streams: [],
  refusals: [
    { operation: 'embeddings', status: 422, body: extra, blame: 'client' },
    { operation: 'rerank', status: 401, body: { detail: 'Unauthorized' }, blame: 'channel' },
    { operation: 'rerank', status: 402, body: { detail: 'InsufficientBalance' }, blame: 'channel' },
    { operation: 'rerank', status: 400, body: { detail: 'top_n too large' }, blame: 'client' },
  ],
})
