/** The override stage: the order of its changes, what it leaves alone, and what it adds to the record. */
import t from 'tap'
import type { JsonObject } from '../../../../kernel/contract/json.js'
import { bytesOf, type JsonBody } from '../../../../kernel/toolkit/body/body.js'
import rewriting from '../../../../plugins/services/rewriting/index.js'
import { createDocuments } from '../../../../plugins/stages/override/documents.js'
import { done, run, wireOf } from './stage-kit.js'

const user = { role: 'user', content: 'hi' }
const set = (path: string, value: JsonObject[string], more: JsonObject = {}) => ({
  operations: [{ mode: 'set', path, value, ...more }],
})

const written = (body: string, paramOverride: JsonObject, systemPrompt?: string) =>
  bytesOf(done(body, { channel: { paramOverride, systemPrompt } }).wire as JsonBody).toString()

t.test(
  'filters, spelling, usage, system prompt, document: each sees what the one before left',
  async (t) => {
    const seen: string[] = []
    const adapter = {
      format: 'chat',
      adjust(wire: JsonObject) {
        seen.push(Object.keys(wire).join())
        const { max_tokens, ...rest } = wire
        return { ...rest, max_completion_tokens: max_tokens }
      },
    } as never
    const operations = [
      { mode: 'append', path: 'messages.0.content', value: '!' },
      {
        mode: 'set',
        path: 'had_usage',
        value: true,
        conditions: [{ path: 'stream_options.include_usage', value: true }],
      },
      {
        mode: 'set',
        path: 'max_completion_tokens',
        value: 7,
        conditions: [{ path: 'max_completion_tokens', value: 9 }],
      },
      { mode: 'set', path: 'service_tier', value: 'flex' },
    ]
    const sent = { model: 'm', messages: [user], max_tokens: 9, service_tier: 'auto', stream: true }
    const result = done(sent, {
      channel: { systemPrompt: 'P', paramOverride: { operations } },
      state: { adapter, stream: true },
    })
    t.same(seen, ['model,messages,max_tokens,stream'])
    t.same((result.wire as JsonBody).value, {
      model: 'm',
      messages: [{ role: 'system', content: 'P!' }, user],
      stream: true,
      max_completion_tokens: 7,
      stream_options: { include_usage: true },
      had_usage: true,
      service_tier: 'flex',
    })
    t.equal(result.limits.maxOutput, 7, 'read from the result')
    t.same(result.audit, ['append messages.0.content', 'set service_tier'])
    t.notOk('headers' in result)
  },
)

t.test('without anything to do the record gets nothing but what billing reads', async (t) => {
  const sent = { model: 'm', messages: [user] }
  const result = done(sent)
  t.same(Object.keys(result), ['wire', 'lost', 'limits', 'estimate'])
  t.equal((result.wire as JsonBody).value, sent)
})

t.test('[FMT-5] bytes nobody touched go out as they came', async (t) => {
  const text = '{ "model":"m",\n "n":1.0, "metadata":{ "id":9007199254740993, "a": 1 }, "x":0 }'
  t.equal(written(text, {}), text)
  t.equal(written(text, { temperature: 0 }), text.replace(/ \}$/, ',"temperature":0 }'))
  t.equal(written(text, { x: 0 }), text, 'equal to what is there')
  t.equal(written(text, set('n', 2)), text.replace('1.0', '2'))
})

t.test(
  'numbers beyond 2^53 keep their digits when an override reaches deep beside them (X6)',
  async (t) => {
    const text = `{"model":"m","messages":[{"role":"user","content":"hi","id":9007199254740993}],"tools":[{"i":9007199254740993}],"metadata":{"id":9007199254740993,"a":1},"seed":9007199254740993}`
    const deep = written(text, set('metadata.a', 2))
    t.equal(deep, text.replace('"a":1', '"a":2'))
    const last = written(text, set('messages.-1.content', 'yo'))
    t.equal(last, text.replace('"hi"', '"yo"'))
    const prompted = written(text, {}, 'P')
    t.equal(prompted, text.replace('[{"role"', '[{"role":"system","content":"P"},{"role"'))
  },
)

t.test('a form is a flat object of texts, and stays one', async (t) => {
  const file = { field: 'image', filename: 'a.png', mime: 'image/png', bytes: Buffer.from('x') }
  const wire = {
    kind: 'form',
    fields: { model: 'm', n: '4', tags: ['a', 'b'], user: 'u' },
    files: [file],
  } as const
  const work = { limits: (body: unknown) => ({ seen: body }), estimate: () => ({}) } as never
  const operations = [
    { mode: 'set', path: 'n', value: 1 },
    { mode: 'set', path: 'options', value: { a: true } },
    { mode: 'append', path: 'tags', value: 3 },
    { mode: 'set', path: 'user', value: null },
    { mode: 'set', path: 'flag', value: false },
  ]
  const given = {
    channel: { paramOverride: { operations } },
    state: { work, upstreamFormat: undefined, wire },
  }
  const result = done({}, given)
  t.same(result.wire, {
    kind: 'form',
    fields: { model: 'm', n: '1', tags: ['a', 'b', '3'], options: '{"a":true}', flag: 'false' },
    files: [file],
  })
  t.equal((result.limits as { seen?: unknown }).seen, result.wire, 'billing reads the result')
  t.equal(result.wire.kind === 'form' && result.wire.files[0], file)
})

t.test('headers: the document, then the operations', async (t) => {
  const paramOverride = {
    operations: [
      { mode: 'move_header', from: 'x-a', to: 'x-b' },
      { mode: 'set_header', path: 'x-c', value: 'c' },
    ],
  }
  const headerOverride = { 'X-A': 'key {api_key}', 'X-D': '{client_header:x-client}' }
  const client = { headers: { 'x-client': 'd' }, query: {}, address: '' }
  const { headers } = done(
    { model: 'm' },
    { channel: { paramOverride, headerOverride }, state: { client } },
  )
  t.same(headers, { 'x-a': null, 'x-d': 'd', 'x-b': 'key upstream-key', 'x-c': 'c' })
})

t.test('a socket has headers and errors, and no body', async (t) => {
  const work = { limits: () => ({}), estimate: () => ({}) } as never
  const state = { work, upstreamFormat: undefined, wire: { kind: 'none' } } as const
  const operations = [
    { mode: 'set', path: 'model', value: 'x' },
    { mode: 'set_header', path: 'x-a', value: 'a' },
  ]
  const result = done({}, { channel: { paramOverride: { operations } }, state })
  t.same(result.wire, { kind: 'none' })
  t.same(result.headers, { 'x-a': 'a' })
})

t.test('an error of the document is a failure, and operations see the tries before', async (t) => {
  const failure = { blame: 'upstream', status: 500, code: 'upstream_error', message: 'm' } as const
  const tried = [{ channelId: 2, keyId: 2, group: 'default', position: 0, failure }]
  const value = { message: 'Enough.', status_code: 503, skip_retry: false }
  const conditions = [
    { path: 'retry_index', value: 1 },
    { path: 'last_error.status_code', value: 500 },
    { path: 'original_model', value: 'test-model' },
    { path: 'request_path', value: '/v1/chat/completions' },
  ]
  const paramOverride = { operations: [{ mode: 'return_error', value, conditions, logic: 'AND' }] }
  t.match(run({ model: 'm' }, { channel: { paramOverride }, state: { number: 2, tried } }), {
    failure: { blame: 'channel', clientStatus: 503, message: 'Enough.' },
    retry: true,
  })
  t.notOk('failure' in run({ model: 'm' }, { channel: { paramOverride } }))
})

t.test('a document that cannot be read fails its channel, not the gateway', async (t) => {
  const bad: readonly (readonly [JsonObject, RegExp])[] = [
    [
      { paramOverride: { operations: [{ mode: 'sett' }] } },
      /^param_override has an operation 1 with the mode "sett"/,
    ],
    [{ headerOverride: { host: 'x' } }, /^header_override has the header "host"/],
  ]
  for (const [given, content] of bad) {
    for (const round of [1, 2]) {
      t.match(
        run({ model: 'm' }, { channel: given }),
        {
          failure: {
            blame: 'channel',
            status: 500,
            code: 'channel:override_invalid',
            upstreamMessage: content,
            message: /cannot be read/,
          },
          retry: true,
        },
        `round ${round}`,
      )
    }
  }
})

t.test('a document is read once, however many calls it shapes, good or bad', async (t) => {
  const read: unknown[] = []
  const reading = (document: JsonObject) => {
    read.push(document)
    throw new Error('is bad')
  }
  const { override, headers } = createDocuments({ override: reading, headers: rewriting().headers })
  const [first, second] = [{ a: 1 }, { a: 1 }]
  for (const document of [first, first, second, first])
    t.same(override(document), { fault: 'is bad' })
  t.same(read, [first, second])
  t.equal(headers(first), headers(first))
})

t.test('passed through: the bytes as they came, headers set, billing reads them', async (t) => {
  const text = '{"model":"m","max_tokens":5,"service_tier":"flex","stream":true}'
  const given = {
    channel: {
      passThroughBody: true,
      paramOverride: { max_tokens: 1 },
      systemPrompt: 'P',
      headerOverride: { 'x-a': 'a' },
    },
    state: { stream: true, verbatim: true },
  }
  const result = done(text, given)
  t.equal(bytesOf(result.wire as JsonBody).toString(), text)
  t.equal(result.limits.maxOutput, 5)
  t.same(result.headers, { 'x-a': 'a' })
  const converted = wireOf(text, { ...given, state: { verbatim: false } })
  t.equal(converted.max_tokens, 1, 'another format on the other side: no effect')
})
