/**
 * What a plugin throws, in every function of every kind: of a provider, another channel takes the request; of any other,
 * its own answer fails and the next one does not. The author finds plugin, message and stack in the log, a client nothing.
 */
import t, { type Test } from 'tap'
import { ask, model, type ScriptedGateway, scriptedGateway } from '../../kit/scripted-gateway.js'
import { chat, events, json, type Script } from '../../kit/upstream.js'
import { keptLog, throwingPlugins, trouble, type Way } from './throwing-plugins.js'

const embedding = {
  object: 'list',
  data: [{ object: 'embedding', index: 0, embedding: [0.5] }],
  model: 'e',
  usage: { prompt_tokens: 1, total_tokens: 1 },
}

/** One upstream plays all of them: its own path is the one the plugin calls. */
function upstream(own: Script): Script {
  return (request, response) => {
    if (request.path === '/own') return own(request, response)
    if (request.path === '/v1/embeddings') return json(200, embedding)(request, response)
    if (request.json?.stream === true) {
      return events(chat.delta('fine'), chat.stop(), chat.usage(1, 1), chat.done)(request, response)
    }
    return json(200, chat.whole('fine', 1, 1))(request, response)
  }
}

interface Fixture extends ScriptedGateway {
  readonly log: ReturnType<typeof keptLog>
  post(path: string, body: unknown): Promise<Response>
  /** The next request is served as ever. */
  stillServes(t: Test): Promise<void>
  /** The plugin, the author's words and a line of the author's code stand in the log. */
  assertReportedToAuthor(t: Test, plugin: string, words: string): void
}

/** One channel answers for every model; a channel of the plugin's is picked before it for all models but one. */
const badModels = ['own-form', 'known-form', 'e'] as const
const models = [model, ...badModels]

async function setup(): Promise<Fixture> {
  const log = keptLog()
  const here = await scriptedGateway(t, {
    log,
    roots: [throwingPlugins(t)],
    channel: { models: models.join() },
  })
  await here.admin.option('RetryTimes', 3)
  const ratios = Object.fromEntries(models.map((name) => [name, 1]))
  await here.admin.option('ModelRatio', ratios)
  await here.admin.option('CompletionRatio', ratios)
  here.upstream.script(upstream(json(200, { any: 'thing' })))
  log.lines.length = 0
  return {
    ...here,
    log,
    post: (path, body) =>
      fetch(`${here.url}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${here.key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    async stillServes(t) {
      trouble().verb = undefined
      const answer = await here.chat(ask())
      t.equal(answer.status, 200)
      t.match(await answer.json(), { object: 'chat.completion' })
    },
    assertReportedToAuthor(t, plugin, words) {
      const line = log.lines.find(({ fields }) => fields.plugin === plugin)
      const { err } = (line?.fields ?? {}) as { err?: Error }
      t.match(err?.message, words, `a line names ${plugin} and what was thrown`)
      if (isError(words)) t.match(err?.stack, /index\.js:\d+/, 'and where')
    },
  }
}

/** A channel of the plugin's that is always picked first. */
function badChannel({ admin, upstream: { url } }: ScriptedGateway): Promise<number> {
  const fields = { type: 950, name: 'bad', key: 'k', base_url: url, priority: 10 }
  return admin.channel({ ...fields, models: badModels.join(), group: 'default' })
}

const framed: Script = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/x-frames' })
  response.end(chat.delta('own') + chat.stop() + chat.usage(1, 1) + chat.done)
}

const boomIn = (verb: string) => `boom in ${verb}`
const isError = (words: string) => words.startsWith('boom')

interface Row {
  readonly verb: string
  readonly way?: Way
  /** What the log states. Absent: the words of the error. */
  readonly words?: string
  readonly path?: string
  readonly body?: object
  readonly own?: Script
  /** Absent: whole and streamed. */
  readonly streams?: readonly boolean[]
}

const ownForm = ask({ model: 'own-form' })
const knownForm = { body: ask({ model: 'known-form' }) }
const vectors = { path: '/v1/embeddings', body: { model: 'e', input: 'a' } }

/** A code of an error nobody else knows would reach the client as a word that means nothing to it. */
const unknownCode = { way: 'names an unknown code', words: 'what its contract says' } as const

/** It would come back to another plugin, and go to the upstream of that one. */
const foreignSeal = { way: 'seals for another', words: 'what its contract says' } as const

const rows: readonly Row[] = [
  { verb: 'serves' },
  { verb: 'encode' },
  { verb: 'encode', way: 'rejects', words: 'it returns a promise' },
  { verb: 'encode', way: 'throws a word', words: 'provider.bad failed in encode: boom in encode' },
  { verb: 'encode', way: 'returns what cannot be written' },
  { verb: 'encode', way: 'returns what cannot be read' },
  { verb: 'unsupportedFields' },
  { verb: 'adjust' },
  { verb: 'adjust', way: 'returns what cannot be written' },
  { verb: 'address' },
  { verb: 'authorize' },
  { verb: 'authorize', way: 'rejects' },
  { verb: 'read' },
  { verb: 'read.push' },
  { verb: 'read.flush', ...foreignSeal },
  { verb: 'read.flush' },
  { verb: 'fail', own: json(500, {}) },
  { verb: 'failureIn', ...knownForm, own: json(200, chat.whole('own', 1, 1)) },
  { verb: 'unframe', ...knownForm, own: framed },
  { verb: 'unframe.push', ...knownForm, own: framed },
  // A stream has reached its end by then.
  { verb: 'unframe.flush', ...knownForm, own: framed, streams: [false] },
  { verb: 'shape', ...vectors, streams: [false] },
  { verb: 'prepare', ...vectors, streams: [false] },
  { verb: 'prepare', way: 'rejects', ...vectors, streams: [false] },
  { verb: 'split', ...vectors, streams: [false] },
  { verb: 'answer', ...vectors, streams: [false] },
  { verb: 'read.flush', ...unknownCode },
  { verb: 'fail', ...unknownCode, own: json(500, {}) },
  { verb: 'failureIn', ...unknownCode, ...knownForm, own: json(200, chat.whole('own', 1, 1)) },
  { verb: 'answer', ...unknownCode, ...vectors, streams: [false] },
]

const here = await setup()
const id = await badChannel(here)

t.beforeEach(() => {
  here.log.lines.length = 0
  Object.assign(trouble(), { verb: undefined, way: 'throws' })
})

t.test('whatever a provider throws, another channel takes the request', async (t) => {
  for (const row of rows) {
    const { verb, way = 'throws', path = '/v1/chat/completions', body, own } = row
    for (const stream of row.streams ?? [false, true]) {
      await t.test(`${verb} ${way}${stream ? ', streamed' : ''}`, async (t) => {
        here.log.lines.length = 0
        here.upstream.script(upstream(own ?? json(200, { any: 'thing' })))
        Object.assign(trouble(), { verb, way })
        const answer = await here.post(path, { ...(body ?? ownForm), ...(stream && { stream }) })
        const text = await answer.text()
        t.equal(answer.status, 200)
        t.ok(text.includes(path === vectors.path ? '0.5' : 'fine'), 'another channel answers')
        t.notOk(text.includes('boom'), 'the client reads nothing of it')
        // It is queried with every pick: one line a minute is enough.
        if (verb !== 'serves' || !stream)
          here.assertReportedToAuthor(t, 'provider.bad', row.words ?? boomIn(verb))
        await here.stillServes(t)
      })
    }
  }
})

t.test('a provider that throws in the middle of a stream ends that stream alone', async (t) => {
  const half: Script = async (_, response) => {
    response.writeHead(200, { 'content-type': 'application/x-frames' })
    response.write(chat.delta('begun '))
    trouble().verb = await begun.then(() => 'unframe.push')
    response.end(chat.delta('never read'))
  }
  let begin = () => {}
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  here.upstream.script(upstream(half))
  const answer = await here.post('/v1/chat/completions', { ...knownForm.body, stream: true })
  t.equal(answer.status, 200)
  const reader = answer.body!.getReader()
  let text = Buffer.from((await reader.read()).value ?? []).toString()
  begin()
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    text += Buffer.from(piece.value).toString()
  }
  t.ok(text.includes('begun'))
  t.ok(text.includes('internal_error'), 'the client is informed that it broke')
  t.notOk(text.includes('boom'))
  here.assertReportedToAuthor(t, 'provider.bad', boomIn('unframe.push'))
  await here.stillServes(t)
})

t.test(
  'whatever a provider throws when it is queried beside its operations is an answer',
  async (t) => {
    const request = {
      'models.request': `/api/channel/fetch_models/${id}`,
      'models.read': `/api/channel/fetch_models/${id}`,
      'balance.request': `/api/channel/update_balance/${id}`,
      'balance.read': `/api/channel/update_balance/${id}`,
    }
    for (const [verb, path] of Object.entries(request)) {
      here.log.lines.length = 0
      Object.assign(trouble(), { verb, way: 'throws' })
      const { status, body } = await here.admin.call('GET', path)
      t.equal(body.success, false, `${verb} ${status}`)
      t.notOk(JSON.stringify(body).includes('boom'), verb)
      here.assertReportedToAuthor(t, 'provider.bad', boomIn(verb))
      await here.stillServes(t)
    }
    Object.assign(trouble(), { verb: 'faultOf', way: 'throws' })
    const { status } = await here.admin.call('PUT', '/api/channel/', {
      id,
      setting: '{}',
      settings: '{"changed":true}',
    })
    t.equal(status, 500)
    await here.stillServes(t)
  },
)

t.test('whatever a guard throws, at once or later, refuses its request and no other', async (t) => {
  for (const way of ['throws', 'rejects', 'throws a word'] as const) {
    here.log.lines.length = 0
    Object.assign(trouble(), { verb: 'check', way })
    const answer = await here.chat(ask())
    t.equal(answer.status, 500, way)
    const text = await answer.text()
    t.ok(text.includes('internal_error'), way)
    t.notOk(text.includes('boom'), way)
    t.match(here.log.lines, [{ fields: { err: { message: /boom in check/ } } }], way)
    await here.stillServes(t)
  }
})

t.test('a guard at the last stage keeps no hold from being closed', async (t) => {
  for (const way of ['throws', 'rejects'] as const) {
    const before = await here.balance()
    here.log.lines.length = 0
    Object.assign(trouble(), { verb: 'settle check', way })
    t.equal((await here.chat(ask())).status, 200, way)
    t.equal(await here.balance(), before - 2n, way)
    t.match(here.log.lines, [{ fields: { plugin: 'guard.settle' } }], way)
  }
})

t.test('whatever a route throws, at once or later, is an error of that route', async (t) => {
  const routes = [
    { verb: 'answer route', method: 'GET', path: '/v1/bad' },
    { verb: 'receive', method: 'POST', path: '/v1/bad' },
    { verb: 'handle', method: 'GET', path: '/api/bad' },
  ]
  for (const { verb, method, path } of routes) {
    for (const way of ['throws', 'rejects', 'throws a word'] as const) {
      here.log.lines.length = 0
      Object.assign(trouble(), { verb, way })
      const answer = await fetch(`${here.url}${path}`, { method })
      t.equal(answer.status, 500, `${verb} ${way}`)
      t.notOk((await answer.text()).includes('boom'), `${verb} ${way}`)
      t.equal(here.log.lines.length, 1, `${verb} ${way}`)
      await here.stillServes(t)
    }
  }
})

t.test('whatever a way to sign in or to send notices throws leaves the others', async (t) => {
  const { admin } = here
  await admin.must('GET', '/api/status')
  const requests = [
    { verb: 'ready sign-in', plugin: 'oauth.bad', path: '/api/status' },
    { verb: 'ready notifier', plugin: 'notifier.bad', path: '/api/user/setting' },
  ]
  for (const { verb, plugin, path } of requests) {
    here.log.lines.length = 0
    Object.assign(trouble(), { verb, way: 'throws' })
    const { status } = await admin.call('GET', path)
    t.equal(status, 200, verb)
    here.assertReportedToAuthor(t, plugin, boomIn(verb))
  }
  Object.assign(trouble(), { verb: 'faultOf notice', way: 'throws' })
  const saved = await admin.call('PUT', '/api/user/setting', {
    notify_type: 'email',
    quota_warning_threshold: 5,
  })
  t.equal(saved.status, 200, 'a way nobody chose keeps nobody from saving')
  await here.stillServes(t)
})

t.test('a service that throws in start or stop is shown as failed', async (t) => {
  const plugins: { manifest: { id: string }; state: string; reason?: string }[] = await here.admin
    .must('GET', '/api/plugins')
    .then((data) => data.plugins ?? data)
  t.match(
    plugins.find(({ manifest }) => manifest.id === 'service.start'),
    { state: 'failed', reason: 'boom in start' },
  )
  await here.stillServes(t)
})

t.test('whatever a way to sign in throws is an error of that one attempt', async (t) => {
  await here.admin.option('ServerAddress', 'https://gateway.example')
  for (const way of ['throws', 'rejects', 'throws a word'] as const) {
    here.log.lines.length = 0
    Object.assign(trouble(), { verb: 'authorize sign-in', way })
    const request = { provider: 'bad', intent: 'login' }
    const { status, body } = await here.admin.call('POST', '/api/oauth/state', request)
    t.ok(status >= 500, `${way}: ${status}`)
    t.notOk(JSON.stringify(body).includes('boom'), way)
    t.match(here.log.lines, [{ fields: { provider: 'bad', reason: /boom/ } }], way)
    await here.stillServes(t)
  }
})

t.test('whatever a notifier throws at a delivery is reported to who requested it', async (t) => {
  await here.admin.must('PUT', '/api/user/setting', { notify_type: 'bad' })
  for (const way of ['throws', 'rejects', 'throws a word'] as const) {
    here.log.lines.length = 0
    Object.assign(trouble(), { verb: 'deliver', way })
    const result = await here.admin.must('POST', '/api/user/setting/test', {})
    t.match(result, { delivered: false, reason: String }, way)
    t.notOk(JSON.stringify(result).includes('boom'), way)
    // Only an error has a stack.
    here.assertReportedToAuthor(
      t,
      'notifier.bad',
      `notifier.bad failed in deliver: ${boomIn('deliver')}`,
    )
    await here.stillServes(t)
  }
})
