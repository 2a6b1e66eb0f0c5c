/**
 * Money where the route moves: what is set aside, charged and logged once a try fails and another group, channel or body
 * takes over (ledger/README.md section 5, M2, M10, M14, M17). The upstream tells channels apart by their keys; every
 * test has a model of its own, and so channels of its own.
 */
import t from 'tap'
import { limits } from '../../kernel/toolkit/limits/limits.js'
import { FakeClock } from '../kit/clock.js'
import { startGateway } from '../kit/gateway.js'
import { management } from '../kit/management.js'
import { chat, events, json, type Script, scriptedUpstream, silence } from '../kit/upstream.js'

const models = 'dearer cheaper short cap ratios edited tied pinned opening longer left failed many'
const gateway = await startGateway(t)
const { admin } = gateway
const { knex } = gateway.gateway.service('database')
const changes = gateway.gateway.service('changes')
const upstream = await scriptedUpstream(t)

const easyPrices = Object.fromEntries(models.split(' ').map((model) => [model, 1]))
/** Ada's group has a price of its own in `special`. */
const groupRatios = { default: 1, cheap: 0.5, dear: 10, free: 0, special: 3 }

await admin.option('ModelRatio', easyPrices)
await admin.option('CompletionRatio', easyPrices)
await admin.option('GroupRatio', groupRatios)
await admin.option('GroupGroupRatio', { default: { special: 0.2 } })
await admin.option(
  'UserUsableGroups',
  Object.fromEntries(Object.keys(groupRatios).map((group) => [group, group])),
)

const ada = await user('ada', 1_000_000)

async function user(username: string, quota: number) {
  const person = { username, password: 'correct horse battery' }
  const { id } = await admin.must('POST', '/api/user/', { ...person, role: 1 })
  await admin.credit(id, quota)
  const self = management(gateway.url)
  await self.must('POST', '/api/user/login', person)
  return self
}

/** What channels answer, by name; the others answer well. */
const scripts = new Map<string, Script>()
const down = json(500, { error: { message: 'out of order' } })
const good = json(200, chat.whole('Hi.', 10, 10))

t.beforeEach(() => {
  scripts.clear()
  upstream.requests.length = 0
  upstream.script((request, response) =>
    (scripts.get(nameOf(request.headers.authorization)) ?? good)(request, response),
  )
})

function nameOf(authorization = ''): string {
  return authorization.slice('Bearer key-'.length)
}

const sendRequest = () =>
  upstream.requests.map(({ headers }) => nameOf(headers.authorization)).join(' ')

const channelNames = new Map<number, string>()

/** In the group its name begins with. */
async function channel(name: string, model: string, over: object = {}): Promise<number> {
  const id = await admin.channel({
    type: 1,
    name,
    key: `key-${name}`,
    base_url: upstream.url,
    models: model,
    group: groupOf(name),
    ...over,
  })
  channelNames.set(id, name)
  return id
}

const route = (...groups: readonly string[]) => ({
  routing: { version: 1, mode: 'manual', groups, retry_on_failure: true },
})

/** Sets aside 100 output tokens, and a few for the prompt. */
const body = (model: string, over: object = {}) => ({
  model,
  messages: [{ role: 'user', content: 'hello' }],
  max_tokens: 100,
  ...over,
})

interface Answer {
  readonly id: string
  readonly status: number
  readonly text: string
  readonly code: string | undefined
}

async function ask(key: string, model: string, over: object = {}): Promise<Answer> {
  return answered(await gateway.chat(body(model, over), { authorization: `Bearer ${key}` }))
}

async function answered(response: Response): Promise<Answer> {
  const text = await response.text()
  const code = /"code":"([^"]*)"/.exec(text)?.[1]
  return { id: response.headers.get('x-request-id') ?? '', status: response.status, text, code }
}

/** The hold as it stands in the database. */
async function holdOf(where: object): Promise<{ reserved: bigint; revision: number }> {
  const row = await knex('billing_requests').where(where).first('reserved', 'revision')
  return row as { reserved: bigint; revision: number }
}

/** A channel that answers well, and what was set aside while it was queried. */
function watching(script: Script = good) {
  const seen: { reserved: bigint; revision: number }[] = []
  return {
    seen,
    script: (async (request, response) => {
      seen.push(await holdOf({ state: 'reserved' }))
      await script(request, response)
    }) satisfies Script,
  }
}

/** Everything the books say of one request, once it is settled; the log of errors is written later, in batches. */
async function booksOf(id: string) {
  await gateway.gateway.idle()
  const request = await knex('billing_requests').where('request_id', id).first()
  const transfers = await knex('transfers').where('request_id', id)
  const rows = await knex('usage_log').where('request_id', id).whereNot('type', 5)
  const open = await knex('billing_requests').where('state', 'reserved')
  const { price_group, group_ratio } = request.pricing_snapshot ?? {}
  return {
    state: request.state,
    price: price_group === undefined ? 'none' : `${price_group} x ${group_ratio}`,
    transfers: transfers.map(({ kind, amount }) => `${kind} ${amount}`),
    rows: rows.map((row) => `${row.type} ${row.quota} ${row.group_name} ${row.channel_name}`),
    attempts: rows.flatMap(({ detail }) => detail.attempts ?? []).map(attemptText),
    open: open.length,
  }
}

const outcomeOf = async (id: string) =>
  (await knex('billing_requests').where('request_id', id).first()).outcome

type Books = Awaited<ReturnType<typeof booksOf>>

interface LoggedAttempt {
  readonly channel: number
  readonly group: string
  readonly status: number
  readonly code: string
}

function attemptText({ channel, group, status, code }: LoggedAttempt): string {
  return `${channelNames.get(channel)} ${group} ${status} ${code}`
}

/** Charged once: one row, and one transfer unless it was free. Channels are named after their group. */
function charged(quota: bigint, name: string, ratio: number, attempts: readonly string[] = []) {
  const group = groupOf(name)
  return {
    state: 'settled',
    price: `${group} x ${ratio}`,
    transfers: quota === 0n ? [] : [`settle ${quota}`],
    rows: [`2 ${quota} ${group} ${name}`],
    attempts: [...attempts],
    open: 0,
  } satisfies Books
}

/** An attempt at a channel that was down. */
const wasDown = (name: string) => `${name} ${groupOf(name)} 500 upstream_error`

const groupOf = (name: string) => name.split('-')[0]

const nothing: Books = {
  state: 'released',
  price: 'none',
  transfers: [],
  rows: [],
  attempts: [],
  open: 0,
}

t.test(
  '[BILL-1] a retry in a dearer group raises the same hold first, and is charged its price (M2, M17)',
  async (t) => {
    await channel('cheap-1', 'dearer')
    await channel('dear-1', 'dearer')
    const [before, after] = [watching(down), watching()]
    scripts.set('cheap-1', before.script).set('dear-1', after.script)
    const { key } = await ada.token(route('cheap', 'dear'))
    const answer = await ask(key, 'dearer')
    t.match(answer, { status: 200 })
    t.equal(sendRequest(), 'cheap-1 dear-1')
    const [low, high] = [before.seen[0]!, after.seen[0]!]
    t.same([low.revision, high.revision], [1, 2], 'one hold, raised')
    t.ok(low.reserved >= 50n && low.reserved < 100n, `${low.reserved} for 100 tokens at 0.5`)
    t.ok(high.reserved >= 1000n, `${high.reserved} for 100 tokens at 10`)
    t.same(await booksOf(answer.id), charged(200n, 'dear-1', 10, [wasDown('cheap-1')]))
  },
)

t.test('[BILL-1] a retry in a cheaper group leaves the hold as it is (M17)', async (t) => {
  await channel('dear-2', 'cheaper')
  await channel('default-2', 'cheaper')
  const [before, after] = [watching(down), watching()]
  scripts.set('dear-2', before.script).set('default-2', after.script)
  const { key } = await ada.token(route('dear', 'default'))
  const answer = await ask(key, 'cheaper')
  t.same(after.seen, before.seen, 'neither lower nor written again')
  t.ok(before.seen[0]!.reserved >= 1000n)
  t.same(await booksOf(answer.id), charged(20n, 'default-2', 1, [wasDown('dear-2')]))
})

t.test(
  '[BILL-1] where the dearer group is not covered it is not queried, and nothing is charged (M17)',
  async (t) => {
    await channel('default-3', 'short')
    // Its mapping is for what its upstream states, not for what the gateway refuses.
    await channel('dear-3', 'short', { status_code_mapping: { 403: 502 } })
    scripts.set('default-3', down)
    const bob = await user('bob', 500)
    const { key } = await bob.token(route('default', 'dear'))
    const answer = await ask(key, 'short')
    t.match(answer, { status: 403, code: 'insufficient_user_quota' })
    t.equal(sendRequest(), 'default-3')
    t.same(await booksOf(answer.id), nothing)
    t.equal(await bob.balance(), 500n)

    scripts.clear()
    t.match(await ask(key, 'short'), { status: 200 })
    await gateway.gateway.idle()
    t.equal(await bob.balance(), 480n, 'the group that is covered goes on serving')
  },
)

t.test(
  '[BILL-1] a key whose cap is too low for the dearer group is refused, and its cap is whole again (M17)',
  async (t) => {
    await channel('default-4', 'cap')
    await channel('dear-4', 'cap')
    scripts.set('default-4', down)
    const capped = { ...route('default', 'dear'), unlimited_quota: false, remain_quota: 500 }
    const { id, key } = await ada.token(capped)
    const before = await ada.balance()
    const answer = await ask(key, 'cap')
    t.match(answer, { status: 403, code: 'pre_consume_token_quota_failed' })
    t.equal(sendRequest(), 'default-4')
    t.same(await booksOf(answer.id), nothing)
    t.match(await ada.must('GET', `/api/token/${id}`), { remain_quota: 500, used_quota: 0 })
    t.equal(await ada.balance(), before)
  },
)

t.test(
  '[BILL-1] charge and log carry the group that answered and the ratio it has for this user (M17)',
  async (t) => {
    for (const group of Object.keys(groupRatios)) await channel(`${group}-5`, 'ratios')
    const rows = [
      // failed   answered   ratio  charge  revisions of the hold
      ['default', 'special', 0.2, 4n, 1],
      ['special', 'default', 1, 20n, 2],
      ['default', 'free', 0, 0n, 1],
      ['free', 'default', 1, 20n, 2],
      ['free', 'special', 0.2, 4n, 2],
    ] as const
    for (const [failed, group, ratio, quota, revision] of rows) {
      const title = `${failed}, ${group}`
      scripts.clear()
      scripts.set(`${failed}-5`, down)
      const { key } = await ada.token(route(failed, group))
      const before = await ada.balance()
      const { id, status } = await ask(key, 'ratios')
      t.equal(status, 200, title)
      const expected = charged(quota, `${group}-5`, ratio, [wasDown(`${failed}-5`)])
      t.same(await booksOf(id), expected, title)
      const request = await knex('billing_requests').where('request_id', id).first()
      t.equal(request.revision, revision, title)
      const own = group === 'special' ? ratio : undefined
      t.equal(request.pricing_snapshot.user_group_ratio, own, title)
      t.equal(before - (await ada.balance()), quota, title)
    }
  },
)

t.test(
  '[BILL-1] prices edited while a request runs are not its prices, in whatever group it ends',
  async (t) => {
    await channel('default-6', 'edited')
    await channel('dear-6', 'edited')
    const { key } = await ada.token(route('default', 'dear'))
    scripts.set('default-6', async (request, response) => {
      await admin.option('ModelRatio', { ...easyPrices, edited: 10 })
      await admin.option('GroupRatio', { ...groupRatios, dear: 50 })
      await changes.settled()
      await down(request, response)
    })
    const old = await ask(key, 'edited')
    t.same(await booksOf(old.id), charged(200n, 'dear-6', 10, [wasDown('default-6')]))
    scripts.set('default-6', down)
    const fresh = await ask(key, 'edited')
    t.same(await booksOf(fresh.id), charged(10_000n, 'dear-6', 50, [wasDown('default-6')]))
    await admin.option('ModelRatio', easyPrices)
    await admin.option('GroupRatio', groupRatios)
  },
)

t.test(
  '[ROUTE-16] a tie in the second group is charged that group, and what is tried after it its own',
  async (t) => {
    await admin.option('channel_affinity_setting.rules', [
      { name: 'session', key_sources: [{ type: 'request_header', key: 'X-Session' }] },
    ])
    await channel('default-7', 'tied')
    await channel('dear-7', 'tied')
    await channel('cheap-7', 'tied')
    const headers = { 'x-session': 'session-7' }
    const say = async (key: string) => {
      const sent = { authorization: `Bearer ${key}`, ...headers }
      const { id } = await answered(await gateway.chat(body('tied'), sent))
      return booksOf(id)
    }
    const { key } = await ada.token(route('default', 'dear', 'cheap'))
    scripts.set('default-7', down)
    t.same(await say(key), charged(200n, 'dear-7', 10, [wasDown('default-7')]), 'the tie is made')
    scripts.clear()
    const hit = watching()
    scripts.set('dear-7', hit.script)
    t.same(await say(key), charged(200n, 'dear-7', 10), 'not the first group of the route')
    t.same(
      hit.seen.map(({ revision }) => revision),
      [1],
    )

    scripts.set('dear-7', down)
    t.same(await say(key), charged(10n, 'cheap-7', 0.5, [wasDown('dear-7')]))
    scripts.clear()
    t.same(await say(key), charged(10n, 'cheap-7', 0.5), 'the tie has moved to who answered')

    const poor = await user('cleo', 500)
    const bare = await poor.token(route('default', 'dear'))
    scripts.set('default-7', down)
    upstream.requests.length = 0
    t.same(await say(bare.key), nothing)
    t.equal(sendRequest(), 'default-7')
    await admin.option('channel_affinity_setting.rules', [])
  },
)

t.test('a pinned channel is charged the group of the route it stands in, or nothing', async (t) => {
  await channel('default-8', 'pinned')
  const id = await channel('dear-8', 'pinned')
  const { key } = await admin.token(route('default', 'dear'))
  const good = await ask(`${key}-${id}`, 'pinned')
  t.same(await booksOf(good.id), charged(200n, 'dear-8', 10))
  scripts.set('dear-8', down)
  const bad = await ask(`${key}-${id}`, 'pinned')
  t.equal(bad.status, 502)
  t.same(await booksOf(bad.id), nothing)
  t.equal(sendRequest(), 'dear-8 dear-8')
})

t.test(
  '[BILL-1] an answer that fails while it opens is no answer: the next channel is charged, once (M10, M14)',
  async (t) => {
    const first = await channel('cheap-9', 'opening')
    await channel('default-9', 'opening')
    const { key } = await ada.token(route('cheap', 'default'))
    const error = { error: { message: 'overloaded', type: 'server_error' } }
    const text = `data: ${JSON.stringify(error)}\n\n`
    const streamed = events(chat.delta('Hi.'), chat.stop(), chat.usage(10, 10), chat.done)
    const ways: Readonly<Record<string, readonly [boolean, Script, string]>> = {
      'a stream that begins with its role, then an error': [
        true,
        events(chat.role(), text),
        '502 upstream_error',
      ],
      'a stream that ends before it began': [true, events(chat.role()), '502 upstream_broke_off'],
      'counts before an error': [true, events(chat.usage(500, 500), text), '502 upstream_error'],
      'a 200 that holds an error': [
        false,
        json(200, { ...error, usage: { prompt_tokens: 500 } }),
        '502 upstream_error',
      ],
      'a 200 that is no JSON': [
        false,
        (_, response) => void response.end('<html>'),
        '502 upstream_error',
      ],
    }
    for (const [title, [stream, script, failure]] of Object.entries(ways)) {
      scripts.set('cheap-9', script)
      if (stream) scripts.set('default-9', streamed)
      else scripts.delete('default-9')
      const answer = await ask(key, 'opening', { stream })
      t.equal(answer.status, 200, title)
      t.match(answer.text, 'Hi.', title)
      const tried = [`cheap-9 cheap ${failure}`]
      t.same(await booksOf(answer.id), charged(20n, 'default-9', 1, tried), title)
      await admin.must('POST', `/api/channel/${first}/breakers/reset`, {})
    }
  },
)

t.test(
  '[ROUTE-4] an override that raises the limit on the second channel alone raises the hold with it',
  async (t) => {
    await channel('default-10', 'longer', { priority: 9 })
    await channel('default-10b', 'longer', {
      param_override: JSON.stringify({ max_tokens: 5000 }),
    })
    const [before, after] = [watching(down), watching()]
    scripts.set('default-10', before.script).set('default-10b', after.script)
    const { key } = await ada.token()
    const answer = await ask(key, 'longer')
    t.same(
      upstream.requests.map((request) => request.json?.max_tokens),
      [100, 5000],
    )
    t.ok(before.seen[0]!.reserved < 200n)
    t.ok(after.seen[0]!.reserved >= 5000n)
    t.same(await booksOf(answer.id), charged(20n, 'default-10b', 1, [wasDown('default-10')]))

    const capped = await ada.token({ unlimited_quota: false, remain_quota: 1000 })
    upstream.requests.length = 0
    const refused = await ask(capped.key, 'longer')
    t.match(refused, { status: 403, code: 'pre_consume_token_quota_failed' })
    t.equal(sendRequest(), 'default-10')
    t.same(await booksOf(refused.id), nothing)
  },
)

/** Asks and leaves once this many upstream requests are there; answers the id of the request. */
async function leaveAt(count: number, key: string, model: string): Promise<string> {
  const abort = new AbortController()
  const call = fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body(model)),
    signal: abort.signal,
  })
  await upstream.request(count - 1)
  const { request_id } = await knex('billing_requests')
    .where('state', 'reserved')
    .first('request_id')
  abort.abort()
  await call.catch(() => {})
  return request_id
}

t.test(
  'a client that leaves during the second try pays what the upstream counted, once (M9, M11)',
  async (t) => {
    await channel('cheap-11', 'left')
    const second = await channel('default-11', 'left')
    const { key } = await ada.token(route('cheap', 'default'))
    let answer: () => void = () => {}
    const left = new Promise<void>((resolve) => {
      answer = resolve
    })
    scripts.set('cheap-11', down)
    scripts.set('default-11', async (request, response) => {
      await left
      await good(request, response)
    })
    const drained = await leaveAt(2, key, 'left')
    answer()
    t.same(await booksOf(drained), charged(20n, 'default-11', 1, [wasDown('cheap-11')]))

    upstream.requests.length = 0
    await admin.must('PUT', '/api/channel/', { id: second, setting: { on_client_gone: 'abort' } })
    scripts.set('default-11', () => {})
    const cut = await leaveAt(2, key, 'left')
    t.same(await booksOf(cut), nothing)
    t.equal(await outcomeOf(cut), 'clientGone')

    upstream.requests.length = 0
    scripts.set('cheap-11', async (request, response) => {
      await gone
      await down(request, response)
    })
    let leave: () => void = () => {}
    const gone = new Promise<void>((resolve) => {
      leave = resolve
    })
    const early = await leaveAt(1, key, 'left')
    leave()
    t.same(await booksOf(early), nothing)
    t.equal(sendRequest(), 'cheap-11', 'nobody else is requested a client that left')
  },
)

t.test('a request that fails everywhere leaves no row and no hold', async (t) => {
  for (const group of ['cheap', 'default', 'dear']) {
    await channel(`${group}-12`, 'failed')
    scripts.set(`${group}-12`, down)
  }
  const { id: tokenId, key } = await ada.token({
    ...route('cheap', 'default', 'dear'),
    unlimited_quota: false,
    remain_quota: 5000,
  })
  const before = await ada.balance()
  const { id, status } = await ask(key, 'failed')
  t.equal(status, 502)
  t.equal(sendRequest(), 'cheap-12 default-12 dear-12')
  t.same(await booksOf(id), nothing)
  t.equal(await outcomeOf(id), 'failed')
  t.equal(await ada.balance(), before)
  t.match(await ada.must('GET', `/api/token/${tokenId}`), { remain_quota: 5000 })
})

t.test(
  'of two hundred at once against a failing channel everybody is answered and nobody pays twice (S18)',
  async (t) => {
    await admin.option('breaker_setting.enabled', false)
    await channel('cheap-13', 'many')
    await channel('default-13', 'many')
    let failures = 0
    let together: () => void = () => {}
    const all = new Promise<void>((resolve) => {
      together = resolve
    })
    scripts.set('cheap-13', async (request, response) => {
      failures += 1
      if (failures === 200) together()
      await all
      await down(request, response)
    })
    const { id: tokenId, key } = await ada.token(route('cheap', 'default'))
    const before = await ada.balance()
    const answers = await Promise.all(Array.from({ length: 200 }, () => ask(key, 'many')))
    await gateway.gateway.idle()
    const served = answers.filter(({ status }) => status === 200)
    t.ok(served.length >= 32, `${served.length} got another try`)
    t.equal(answers.filter(({ status }) => status === 502).length, 200 - served.length)
    // Rows of failures are written later, beside the line.
    const rows = await knex('usage_log')
      .where({ token_id: tokenId, type: 2 })
      .select('request_id', 'quota')
    t.same(rows.map(({ request_id }) => request_id).sort(), served.map(({ id }) => id).sort())
    t.ok(rows.every(({ quota }) => quota === 20n))
    const posted = await knex('transfers')
      .whereIn(
        'request_id',
        answers.map(({ id }) => id),
      )
      .select('amount')
    t.equal(posted.length, served.length)
    t.equal(before - (await ada.balance()), 20n * BigInt(served.length))
    await admin.option('breaker_setting.enabled', true)
  },
)

t.test(
  'a gateway that stops moves nothing to the next channel, and releases what it held (P9)',
  async (t) => {
    const clock = new FakeClock(Date.now())
    const stopping = await startGateway(t, { clock })
    const { admin: root, gateway: running, key } = stopping
    await root.option('ModelRatio', { stopped: 1 })
    const fields = { type: 1, base_url: upstream.url, models: 'stopped', group: 'default' }
    await root.channel({ ...fields, name: 'silent', key: 'key-silent', priority: 9 })
    await root.channel({ ...fields, name: 'next', key: 'key-next' })
    scripts.set('silent', silence)
    const call = stopping.chat(body('stopped'), { authorization: `Bearer ${key}` })
    await upstream.request(0)
    const stop = running.stop()
    clock.advance(limits.shutdownMs)
    await stop
    t.match(await answered(await call), { status: 503, code: 'shutting_down' })
    t.equal(sendRequest(), 'silent')
    const held = await running.service('database').knex('billing_requests').select('state')
    t.same(held, [{ state: 'released' }])
  },
)
