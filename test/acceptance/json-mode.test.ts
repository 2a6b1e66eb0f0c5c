/** JSON without a schema at an upstream that has no such mode: requested in words, and plain JSON comes back. */
import t from 'tap'
import { channels, fourUpstreams, type Wire } from './kit/upstreams.js'

const gateway = await fourUpstreams(t)
const { mock, upstream, asMocked } = gateway
const { model } = channels.messages
const texts = [{ role: 'user', content: 'Weather as JSON, please.' }]
const lookUp = {
  name: 'look_up',
  description: 'Looks up.',
  parameters: { type: 'object', properties: {} },
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of three vendors; a field that is missing fails the test that reads it.
type Body = any

interface Client {
  readonly wire: Wire
  readonly path: (stream: boolean) => string
  readonly body: (stream: boolean) => object
  readonly tools: object
  readonly text: (bodies: readonly Body[]) => string
}

const clients: readonly Client[] = [
  {
    wire: 'chat',
    path: () => '/v1/chat/completions',
    body: (stream) => ({
      model,
      stream,
      messages: texts,
      response_format: { type: 'json_object' },
    }),
    tools: { tools: [{ type: 'function', function: lookUp }] },
    text: (bodies) =>
      bodies.map(({ choices: [one] }) => (one?.message ?? one?.delta)?.content ?? '').join(''),
  },
  {
    wire: 'responses',
    path: () => '/v1/responses',
    body: (stream) => ({ model, stream, input: texts, text: { format: { type: 'json_object' } } }),
    tools: { tools: [{ type: 'function', ...lookUp }] },
    text: (bodies) =>
      bodies.length === 1
        ? bodies[0]!.output[0].content[0].text
        : bodies
            .filter(({ type }) => type === 'response.output_text.delta')
            .map(({ delta }) => delta)
            .join(''),
  },
  {
    wire: 'generative',
    path: (stream) =>
      `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: () => ({
      contents: [{ parts: [{ text: texts[0]!.content }] }],
      generationConfig: { responseMimeType: 'application/json' },
    }),
    tools: { tools: [{ functionDeclarations: [lookUp] }] },
    text: (bodies) =>
      bodies
        .flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? [])
        .map(({ text }) => text ?? '')
        .join(''),
  },
]

for (const { wire, path, body, tools, text } of clients) {
  for (const stream of [false, true]) {
    const how = stream ? 'streamed' : 'in one piece'
    t.test(`[FMT-9] a ${wire} client gets plain JSON of a messages upstream, ${how}`, async (t) => {
      upstream.script(asMocked)
      for (const [answer, more] of [
        ['{"sky":"grey"}', {}],
        ['```json\n{"sky":"grey"}\n```', {}],
        ['```json\n{"sky":"grey"}\n```', tools],
      ] as const) {
        mock.clearFixtures()
        mock.onMessage(/JSON/, { content: answer })
        const response = await fetch(`${gateway.url}${path(stream)}`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            authorization: `Bearer ${gateway.key}`,
          },
          body: JSON.stringify({ ...body(stream), ...more }),
        })
        t.equal(response.status, 200)
        t.match(response.headers.get('x-waybill-lost'), /\boutput\b/)
        t.strictSame(JSON.parse(text(bodiesOf(await response.text()))), { sky: 'grey' })
        const requested = JSON.stringify(upstream.requests.at(-1)?.json?.system)
        t.match(requested, /one valid JSON object and nothing else/)
        t.equal(/Tools may be called/.test(requested), more === tools)
      }
    })
  }
}

function bodiesOf(text: string): Body[] {
  if (text.startsWith('{')) return [JSON.parse(text)]
  return text.split(/\r?\n\r?\n/).flatMap((frame) => {
    const [, data] = /^data: (\{.*)$/m.exec(frame) ?? []
    return data === undefined ? [] : [JSON.parse(data)]
  })
}
