/** What a report can be at most, by the call that went out (decision 0036). */
import t from 'tap'
import type { Body } from '../../../kernel/contract/body.js'
import type { Usage } from '../../../kernel/contract/event.js'
import type { Operation } from '../../../kernel/contract/operation.js'
import { finalUsage } from '../../../kernel/pipeline/usage.js'
import type { Outgoing } from '../../../kernel/pipeline/usage-bounds.js'
import { limits } from '../../../kernel/toolkit/limits/limits.js'
import { lineFormat } from '../../kit/line-fakes.js'

const json = (value: object): Body => ({ kind: 'json', value: { ...value } })
const hello = json({ model: 'm', messages: [{ role: 'user', content: 'hello' }] })

const outgoing = (over: Partial<Outgoing> = {}): Outgoing => ({
  limits: {},
  wire: hello,
  upstreamFormat: lineFormat,
  estimate: { input: 8 },
  ...over,
})

const charged = (reported: Usage, over: Partial<Outgoing> = {}, estimatedTokens = 10) =>
  finalUsage({ reported, estimatedTokens, estimate: { input: 8 }, outgoing: outgoing(over) })

const mad = 1e15
const operation = (name: Operation['name']) => ({ name }) as Partial<Operation> as Operation

t.test('a report that cannot be is charged at what can be, and states so', async (t) => {
  const bytes = JSON.stringify((hello as Extract<Body, { kind: 'json' }>).value).length
  const prompt = bytes + 8 + limits.addedInputTokensMax
  const rows: readonly (readonly [string, Usage, Partial<Outgoing>, Usage])[] = [
    [
      'by the limit',
      { input: 8, output: mad },
      { limits: { maxOutput: 50 } },
      { input: 8, output: 114 },
    ],
    [
      'by the limit of each answer',
      { input: 8, output: mad },
      { limits: { maxOutput: 50, choices: 3 } },
      { input: 8, output: 214 },
    ],
    [
      'reasoning beyond the limit where that may be',
      { input: 8, output: mad, reasoning: 900 },
      { limits: { maxOutput: 50, reasoningApart: true } },
      { input: 8, output: 1014, reasoning: 900 },
    ],
    [
      'reasoning within it elsewhere',
      { input: 8, output: mad, reasoning: 900 },
      { limits: { maxOutput: 50 } },
      { input: 8, output: 114, reasoning: 114 },
    ],
    ['without a limit', { output: mad }, {}, { input: 8, output: limits.outputTokensMax + 64 }],
    ['the prompt by its bytes', { input: mad, output: 3 }, {}, { input: prompt, output: 3 }],
    [
      'of the prompt, what is too large',
      { input: 20, cacheRead: mad, output: 3 },
      {},
      { input: 20, cacheRead: prompt - 20, output: 3 },
    ],
    [
      'pieces and tools',
      { output: 3, quantity: 1e6, serverTools: { web_search: 1e6 } },
      {},
      { input: 8, output: 3, quantity: limits.piecesMax, serverTools: { web_search: 1000 } },
    ],
  ]
  for (const [title, reported, over, usage] of rows) {
    const final = charged(reported, over)
    t.same(final.usage, usage, title)
    t.equal(final.anomaly, true, title)
  }
  t.same(charged({ input: 8, output: mad }, { limits: { maxOutput: 50 } }).corrections, [
    { count: 'output', reported: mad, charged: 114 },
  ])
})

t.test('honest usage passes as it is, however large', async (t) => {
  const picture = { type: 'image_url', image_url: { url: 'https://pictures.example/1.png' } }
  const long = json({ model: 'm', messages: [{ role: 'user', content: 'word '.repeat(200_000) }] })
  const form: Body = {
    kind: 'form',
    fields: { model: 'm' },
    files: [{ field: 'file', filename: 'a.mp3', mime: 'audio/mpeg', bytes: Buffer.alloc(200_000) }],
  }
  const rows: Readonly<Record<string, readonly [Usage, Partial<Outgoing>, number?]>> = {
    'a prompt read from the cache': [{ input: 4, cacheRead: 990_000, output: 300 }, { wire: long }],
    'a prompt the vendor adds to': [{ input: 30_000, output: 300 }, {}],
    'unseen reasoning without a limit': [{ input: 8, output: 380_000, reasoning: 379_990 }, {}],
    'reasoning the limit leaves out': [
      { input: 8, output: 32_000, reasoning: 31_950 },
      { limits: { maxOutput: 50, reasoningApart: true } },
    ],
    'an end counted beyond the limit': [{ input: 8, output: 52 }, { limits: { maxOutput: 50 } }],
    'a limit the upstream ignored': [
      { input: 8, output: 5_000 },
      { limits: { maxOutput: 50 } },
      4_000,
    ],
    'a script the count here takes for less': [
      { input: 8, output: 3_900 },
      { limits: { maxOutput: 50 } },
      1_000,
    ],
    'pictures at an address': [
      { inputImage: 400_000, input: 20, output: 40 },
      { wire: json({ messages: [{ role: 'user', content: Array(10).fill(picture) }] }) },
    ],
    'an hour of speech': [{ inputAudio: 115_200, input: 10, output: 900 }, { wire: form }],
    'an answer before it': [
      { input: 300_000, output: 40 },
      { wire: json({ input: 'and?', previous_response_id: 'resp_1' }) },
    ],
    'a search within the answer': [
      { input: 400_000, output: 9_000, serverTools: { web_search: 12 } },
      { wire: json({ tools: [{ type: 'web_search_20250305' }] }), limits: { maxOutput: 4096 } },
    ],
    'knowledge of a bot': [{ input: 150_000, output: 100 }, { upstreamFormat: undefined }],
    'a query read with each document': [
      { input: 1_000_000 },
      { work: operation('rerank'), wire: json({ query: 'q', documents: ['a', 'b'] }) },
    ],
    'many texts to embed': [
      { input: 150_000 },
      {
        work: operation('embeddings'),
        wire: json({ input: Array(2048).fill('word '.repeat(60)) }),
      },
    ],
    'pictures that were made': [
      { input: 40, output: 0, outputImage: 62_400, quantity: 40 },
      { work: operation('images'), wire: json({ prompt: 'a cat', n: 10 }) },
    ],
  }
  for (const [title, [reported, over, estimatedTokens]] of Object.entries(rows)) {
    const { usage, anomaly, corrections } = charged(reported, over, estimatedTokens)
    t.match(usage, reported, title)
    t.equal(anomaly, false, title)
    t.equal(corrections, undefined, title)
  }
})
