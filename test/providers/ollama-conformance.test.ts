/** The Ollama provider under the conformance kit. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import chat from '../../plugins/formats/chat/index.js'
import messages from '../../plugins/formats/messages/index.js'
import create from '../../providers/ollama/index.js'
import { conformingProvider } from '../conformance/provider.js'
import { inquiriesOf } from './upstream-query-cases.js'

const beside = (path: string) => readFileSync(new URL(path, import.meta.url))

const least = { model: 'qwen3:8b', messages: [{ role: 'user', content: 'Hello' }] }

conformingProvider((title, run) => t.test(title, async () => run()), {
  manifest: beside('../../providers/ollama/manifest.json').toString(),
  create,
  formats: (name) => (name === 'messages' ? messages() : chat()),
  calls: [
    { operation: 'chat', format: 'chat', wire: least },
    { operation: 'chat', format: 'chat', wire: { ...least, stream: true } },
    { operation: 'chat', format: 'messages', wire: { ...least, max_tokens: 64, stream: true } },
    { operation: 'completions', wire: { model: 'qwen3:8b', prompt: 'Once' } },
    { operation: 'embeddings', wire: { model: 'embeddinggemma', input: ['a', 'b'] } },
    { operation: 'images', wire: { model: 'x/z-image-turbo', prompt: 'A robot' } },
  ],
  inquiries: inquiriesOf('ollama'),
  streams: [
    {
      name: 'tools',
      operation: 'chat',
      format: 'chat',
      bytes: beside('../fixtures/ollama/tools.sse'),
    },
    {
      name: 'messages',
      operation: 'chat',
      format: 'messages',
      bytes: beside('../fixtures/ollama/messages.sse'),
    },
  ],
  refusals: [
    refusal(400, 'registry.ollama.ai/library/x does not support tools', 'client'),
    refusal(400, 'model requires more system memory (9.1 GiB) than is available', 'channel'),
    refusal(404, 'model "x" not found, try pulling it first', 'channel'),
    {
      operation: 'embeddings',
      status: 400,
      body: { error: 'invalid input type' },
      blame: 'client',
    },
    { operation: 'chat', status: 500, body: { error: 'llama runner stopped' }, blame: 'upstream' },
  ],
})

function refusal(status: number, message: string, blame: 'client' | 'channel') {
  const error = { message, type: 'invalid_request_error', param: null, code: null }
  return { operation: 'chat' as const, status, body: { error }, blame }
}
