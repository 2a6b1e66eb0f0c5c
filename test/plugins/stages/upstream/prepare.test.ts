/**
 * Calls that go before the operation's own, made by a plugin from outside that does all it should not: how many, where to, for whom, and
 * how long. The same plugin with the gateway and in a thread of its own.
 */
import t, { type Test } from 'tap'
import { acmeManifest, shelf } from '../../../kernel/registry/outside-kit.js'
import { ask, scriptedGateway } from '../../../kit/scripted-gateway.js'
import {
  chat,
  hangUp,
  json,
  type Recorded,
  type Script,
  scriptedUpstream,
  silence,
} from '../../../kit/upstream.js'

/** What it does is named by the model. */
const plugin = (elsewhere: string) => `
import { upstreamFailure } from 'waybill/toolkit/errors'

const fail = (status, headers, head) => upstreamFailure({ status, headers, head })

async function prepare(wire, { baseUrl }, { key }, { model, fetch }) {
  const upload = (size = 10, url = baseUrl + '/upload') =>
    fetch({ method: 'POST', url, headers: { authorization: 'Bearer ' + key }, body: Buffer.alloc(size, 65) })
  const [verb, count] = model.split('-')
  const times = Array.from({ length: Number(count ?? 1) })
  switch (verb) {
    case 'upload': {
      const answers = await Promise.all(times.map(() => upload(20 * 1024 * 1024)))
      const refused = answers.find(({ status }) => status !== 200)
      if (refused) return { failure: fail(refused.status, refused.headers, refused.body) }
      const ids = answers.map(({ body }) => JSON.parse(body.toString()).id)
      return { kind: 'json', value: { ...wire.value, user: ids.join(' ') } }
    }
    case 'alone':
      await Promise.all(times.map(() => upload()))
      return wire
    case 'elsewhere':
      await upload(10, '${elsewhere}/upload')
      return wire
    case 'unheard':
      upload()
      upload(10, '${elsewhere}/upload')
      return wire
    case 'none':
      await fetch({ url: 12 })
      return wire
  }
  return wire
}

export default function create() {
  const address = (_wire, { baseUrl }, { key }) => ({
    method: 'POST', url: baseUrl + '/v1/chat/completions',
    headers: { authorization: 'Bearer ' + key, 'content-type': 'application/json' },
  })
  return { operations: { chat: { format: 'chat', prepare, address, fail } } }
}
`

const models = [
  'upload-1',
  'upload-8',
  'alone-64',
  'alone-65',
  'alone-1',
  'elsewhere',
  'unheard',
  'none',
]
const fine = json(200, chat.whole('fine', 1, 1))

async function acme(t: Pick<Test, 'teardown'>, isolated: 'all' | readonly string[]) {
  const other = await scriptedUpstream(t)
  other.script(json(200, { id: 'stolen' }))
  const outside = shelf(t)
  outside.plugin('acme', 'provider.acme', plugin(other.url), acmeManifest)
  const plugins = { names: ['./acme'], from: [outside.folder], isolated }
  const here = await scriptedGateway(t, { environment: { plugins } })
  const { admin, upstream } = here
  const fields = { type: 'acme/acme', key: 'acme-key', base_url: upstream.url, group: 'default' }
  // A channel that failed rests for a while, so each has one of its own.
  for (const one of models) {
    await admin.channel({
      ...fields,
      name: one,
      models: one,
      header_override: { 'x-gate': 'open' },
    })
  }
  await admin.option('ModelRatio', Object.fromEntries(models.map((one) => [one, 1])))
  const faults = async (): Promise<number> => {
    const { plugins } = await admin.must('GET', '/api/plugins')
    const isMine = (one: { manifest: { id: string } }) => one.manifest.id === 'provider.acme'
    return plugins.find(isMine).health?.faults ?? 0
  }
  return { ...here, other, faults }
}

/** Uploads get an id each, once so many wait at the same time; the call itself is answered. */
function uploads(
  at: (running: number, response: Parameters<Script>[1], id: string) => void,
): Script {
  let running = 0
  let ids = 0
  return (request, response) => {
    if (request.path !== '/upload') return fine(request, response)
    running += 1
    response.on('close', () => {
      running -= 1
    })
    at(running, response, `f${++ids}`)
  }
}

const sentUploads = (requests: readonly Recorded[]) =>
  requests.filter(({ path }) => path === '/upload')

for (const isolated of [[], 'all'] as const) {
  const where = isolated === 'all' ? 'in a thread' : 'with the gateway'
  const here = await acme(t, isolated)

  t.test(
    `[SVC-3] eight uploads of 20 MiB go four at a time, then the call, ${where}`,
    async (t) => {
      here.upstream.requests.length = 0
      let most = 0
      const held: (() => void)[] = []
      here.upstream.script(
        uploads((running, response, id) => {
          most = Math.max(most, running)
          held.push(() => response.writeHead(200).end(JSON.stringify({ id })))
          if (held.length === 4) for (const answer of held.splice(0)) answer()
        }),
      )
      const answer = await here.chat(ask({ model: 'upload-8' }))
      t.equal(answer.status, 200)
      t.equal(most, 4)
      const sent = sentUploads(here.upstream.requests)
      t.strictSame(
        sent.map(({ bytes }) => bytes.length),
        Array(8).fill(20 * 1024 * 1024),
      )
      t.equal(sent[0]!.headers['x-gate'], 'open', 'the operator’s headers go along')
      t.match(here.upstream.requests.at(-1)?.json, { user: /^f\d( f\d){7}$/ })
      t.match((await here.logs())[0], { model_name: 'upload-8', quota: 2 }, 'charged once')
    },
  )

  t.test(`[SVC-3] a call to another host is not made, ${where}`, async (t) => {
    here.upstream.requests.length = 0
    here.upstream.script(fine)
    const answer = await here.chat(ask({ model: 'elsewhere' }))
    t.not(answer.status, 200)
    t.match(await answer.json(), { error: { code: 'channel:address_refused' } })
    t.equal(here.other.requests.length, 0)
    t.equal(here.upstream.requests.length, 0, 'nor the one it was made for')
  })

  t.test(`[SVC-3] calls nobody waits for end with the preparation, ${where}`, async (t) => {
    here.upstream.requests.length = 0
    const before = await here.faults()
    const aborted: Promise<void>[] = []
    here.upstream.script((request, response) => {
      if (request.path !== '/upload') return fine(request, response)
      aborted.push(request.aborted)
    })
    t.equal((await here.chat(ask({ model: 'unheard' }))).status, 200)
    await Promise.all(aborted)
    t.equal(here.other.requests.length, 0)
    t.equal(await here.faults(), before)
  })

  t.test(
    `[SVC-3] too many calls, and what is no call, are the plugin’s fault, ${where}`,
    async (t) => {
      here.upstream.requests.length = 0
      const before = await here.faults()
      here.upstream.script(uploads((_, response) => response.writeHead(200).end('{}')))
      t.equal((await here.chat(ask({ model: 'alone-64' }))).status, 200)
      for (const model of ['alone-65', 'none']) {
        const uploaded = sentUploads(here.upstream.requests).length
        const answer = await here.chat(ask({ model }))
        t.equal(answer.status, 500, model)
        t.match(await answer.json(), { error: { code: 'internal_error' } })
        t.ok(sentUploads(here.upstream.requests).length <= uploaded + 64)
      }
      t.equal((await here.faults()) - before, 2)
    },
  )

  for (const [name, hangs] of [
    ['before its answer', silence],
    ['within its answer', (_, response) => void response.writeHead(200).write('{"id":')],
  ] satisfies readonly (readonly [string, Script])[]) {
    t.test(
      `[SVC-3] a client that leaves ends an upload that hangs ${name}, ${where}`,
      async (t) => {
        here.upstream.requests.length = 0
        const before = await here.faults()
        here.upstream.script(hangs)
        const funds = await here.balance()
        const leaving = new AbortController()
        const answer = fetch(`${here.url}/v1/chat/completions`, {
          method: 'POST',
          headers: { authorization: `Bearer ${here.key}`, 'content-type': 'application/json' },
          body: JSON.stringify(ask({ model: 'upload-1' })),
          signal: leaving.signal,
        })
        const upload = await here.upstream.request(0)
        leaving.abort()
        await t.rejects(answer)
        await upload.aborted
        t.equal(await here.balance(), funds)
        t.equal(here.upstream.requests.length, 1)
        t.equal(await here.faults(), before, 'the plugin did nothing wrong')
      },
    )
  }

  t.test(
    `[SVC-3] an upload that breaks off, or fails, is the upstream’s fault, ${where}`,
    async (t) => {
      here.upstream.requests.length = 0
      const before = await here.faults()
      for (const [script, status] of [
        [hangUp, 502],
        [json(500, { error: { message: 'acme-key broke' } }), 502],
        [json(413, { error: { message: 'too large for acme-key' } }), 413],
      ] as const) {
        here.upstream.script(script)
        const answer = await here.chat(ask({ model: 'upload-1' }))
        t.equal(answer.status, status)
        t.notMatch(await answer.text(), 'acme-key')
      }
      t.equal(await here.faults(), before)
    },
  )
}
