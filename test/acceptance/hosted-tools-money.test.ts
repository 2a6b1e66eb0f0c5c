/**
 * Tools an upstream ran itself are charged beside the tokens, whatever format the client reads the answer in and whether
 * it comes in one piece or streamed. What each recorded answer costs is worked out here by hand.
 */
import { readFileSync } from 'node:fs'
import t from 'tap'
import { events, json, type Script } from '../kit/upstream.js'
import { channels, fourUpstreams, type Wire, wires } from './kit/upstreams.js'

const gateway = await fourUpstreams(t)
/** Dollars per 1,000 calls: 500 quota each for a dollar. */
await gateway.admin.option('tool_price_setting.prices', {
  web_search: 10,
  file_search: 2.5,
  code_interpreter: 30,
  google_search: 14,
})

const fixtures = new URL('../fixtures/', import.meta.url)
const recorded = (name: string) => readFileSync(new URL(name, fixtures), 'utf8')

/** Some upstreams leave out of the last event what they reported before, others tell nothing before it. */
const onlyItems = (stream: string) =>
  stream
    .split('\n\n')
    .map((frame) => {
      if (!frame.startsWith('event: response.completed')) return frame
      const [event, data = ''] = frame.split('\ndata: ')
      const { response, ...wire } = JSON.parse(data)
      return `${event}\ndata: ${JSON.stringify({ ...wire, response: { ...response, output: [] } })}`
    })
    .join('\n\n')
/** Some of its items came before, the tools among them did not. */
const onlyEnd = (stream: string) =>
  stream
    .split('\n\n')
    .filter((frame) => !/"output_index":[23],/.test(frame))
    .join('\n\n')

interface Row {
  readonly name: string
  readonly wire: Wire
  readonly whole?: string
  readonly stream: string
  readonly quota: bigint
}

const ownTools = recorded('responses/own-tools.sse')
const rows: readonly Row[] = [
  {
    name: 'a web search of a responses upstream',
    wire: 'responses',
    whole: recorded('responses/web-search.json'),
    stream: recorded('responses/web-search.sse'),
    quota: 10_682n + 4n * 51n + 5_000n,
  },
  {
    name: 'code and a file search of a responses upstream',
    wire: 'responses',
    whole: recorded('responses/own-tools.json'),
    stream: ownTools,
    quota: 70n + 4n * 40n + 15_000n + 1_250n,
  },
  {
    name: 'tools a responses upstream tells as items alone',
    wire: 'responses',
    stream: onlyItems(ownTools),
    quota: 70n + 4n * 40n + 15_000n + 1_250n,
  },
  {
    name: 'tools a responses upstream tells at the end alone',
    wire: 'responses',
    stream: onlyEnd(ownTools),
    quota: 70n + 4n * 40n + 15_000n + 1_250n,
  },
  {
    name: 'a web search of a messages upstream',
    wire: 'messages',
    whole: recorded('messages/web-search.json'),
    stream: recorded('messages/web-search.sse'),
    quota: 10_682n + 4n * 510n + 5_000n,
  },
  {
    name: 'a search that grounds an answer of a generative upstream',
    wire: 'generative',
    whole: recorded('generative/search.json'),
    stream: recorded('generative/search.sse'),
    quota: 116n + 4n * 14n + 7_000n,
  },
]

t.not(onlyItems(ownTools), ownTools)
t.not(onlyEnd(ownTools), ownTools)

for (const { name, wire, whole, stream, quota } of rows) {
  for (const client of wires) {
    t.test(`[FMT-9] [BILL-1] ${name} is charged to a ${client} client`, async (t) => {
      const { model } = channels[wire]
      const bodies: readonly (readonly [streams: boolean, script: Script])[] = [
        ...(whole === undefined ? [] : [[false, json(200, JSON.parse(whole))] as const]),
        [true, events(stream)],
      ]
      for (const [streams, script] of bodies) {
        gateway.upstream.script(script)
        const before = await gateway.balance()
        const answer = await ask(client, model, streams)
        t.equal(answer.status, 200)
        await answer.text()
        t.equal(before - (await gateway.balance()), quota, streams ? 'streamed' : 'in one piece')
      }
    })
  }
}

function ask(client: Wire, model: string, stream: boolean): Promise<Response> {
  const texts = [{ role: 'user', content: 'Search.' }]
  const request: Readonly<Record<Wire, readonly [path: string, body: unknown]>> = {
    chat: ['/v1/chat/completions', { model, stream, messages: texts }],
    messages: ['/v1/messages', { model, stream, max_tokens: 1024, messages: texts }],
    responses: ['/v1/responses', { model, stream, input: 'Search.' }],
    generative: [
      `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
      { contents: [{ parts: [{ text: 'Search.' }] }] },
    ],
  }
  const [path, body] = request[client]
  return fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${gateway.key}`,
      'anthropic-version': '2023-06-01',
    },
    body: JSON.stringify(body),
  })
}
