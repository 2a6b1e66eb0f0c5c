/** The Azure provider under the conformance kit, with dated versions and with none. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import type { JsonObject } from '../../kernel/contract/json.js'
import type { OperationName } from '../../kernel/contract/names.js'
import chat from '../../plugins/formats/chat/index.js'
import messages from '../../plugins/formats/messages/index.js'
import responses from '../../plugins/formats/responses/index.js'
import create from '../../providers/azure/index.js'
import { conformingProvider } from '../conformance/provider.js'
import { callsOf, chatWire } from './wires.js'

const operations: readonly OperationName[] = [
  'completions',
  'embeddings',
  'images',
  'edits',
  'speech',
  'transcriptions',
  'translations',
  'realtime',
]

const fixture = (path: string) => readFileSync(new URL(`../fixtures/${path}`, import.meta.url))
const filtered: JsonObject = JSON.parse(fixture('azure/content-filter.json').toString('utf8'))

const places: Readonly<Record<string, JsonObject>> = {
  dated: {},
  v1: { api_version: 'v1', responses_api_version: 'preview' },
}

for (const [name, settings] of Object.entries(places)) {
  conformingProvider((title, run) => t.test(`${name}: ${title}`, async () => run()), {
    manifest: readFileSync(new URL('../../providers/azure/manifest.json', import.meta.url), 'utf8'),
    create,
    baseUrl: 'https://resource.openai.azure.com',
    settings,
    formats: (format) =>
      format === 'responses' ? responses() : format === 'messages' ? messages() : chat(),
    calls: [
      { operation: 'chat', wire: chatWire },
      { operation: 'chat', wire: { ...chatWire, model: 'o4-mini', max_tokens: 0, stream: true } },
      { operation: 'chat', format: 'responses', wire: { model: 'gpt-5.1', input: 'Hello' } },
      {
        operation: 'chat',
        format: 'messages',
        wire: {
          model: 'claude-opus-5',
          max_tokens: 5,
          messages: [{ role: 'user', content: 'Hi' }],
        },
      },
      ...callsOf(operations),
    ],
    streams: [
      { name: 'filtered prompt first', operation: 'chat', bytes: fixture('azure/text.sse') },
      {
        name: 'responses',
        operation: 'chat',
        format: 'responses',
        bytes: fixture('responses/text.sse'),
      },
    ],
    refusals: [
      { operation: 'chat', status: 400, body: filtered, blame: 'client' },
      refusal(400, 'OperationNotSupported', 'channel'),
      refusal(400, 'OpperationNotSupported', 'channel'),
      refusal(400, 'BadRequest', 'client'),
      refusal(404, 'DeploymentNotFound', 'channel'),
      refusal(429, '429', 'channel'),
      {
        operation: 'chat',
        status: 401,
        body: { statusCode: 401, message: 'Access denied due to invalid subscription key.' },
        blame: 'channel',
      },
    ],
  })
}

function refusal(status: number, code: string, blame: 'client' | 'channel') {
  return {
    operation: 'chat' as const,
    status,
    body: { error: { code, message: 'It did not work.' } },
    blame,
  }
}
