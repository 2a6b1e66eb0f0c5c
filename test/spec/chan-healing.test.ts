/** Channels that heal, over the whole gateway: keys that fall alone and come back, channels that are left alone. */
import type { ServerResponse } from 'node:http'
import t from 'tap'
import { FakeClock } from '../kit/clock.js'
import { ask, model, scriptedGateway } from '../kit/scripted-gateway.js'
import { chat, json, type Recorded, scriptedUpstream } from '../kit/upstream.js'

const answer = json(200, chat.whole('Hi.', 10, 2))
const refusal = json(401, { error: { message: 'Incorrect API key provided.', type: 'auth_error' } })
const failure = json(500, { error: { message: 'Something broke.' } })

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

const clock = new FakeClock(Date.now())
const { admin, chat: call, gateway, upstream } = await scriptedGateway(t, { clock })
const { knex } = gateway.service('database')
const changes = gateway.service('changes')

const keysOf = (id: number) => knex('channel_keys').where('channel_id', id).orderBy('id')
const row = (id: number) => knex('channels').where({ id }).first()

/** The only channel there is, until the next one; the options are as at first. */
async function channel(
  fields: Readonly<Record<string, unknown>>,
  mode: object = { mode: 'single' },
): Promise<number> {
  const { items } = await admin.must('GET', '/api/channel/')
  for (const { id } of items) await admin.must('DELETE', `/api/channel/${id}`)
  await admin.option('AutomaticDisableChannelEnabled', false)
  await admin.option('AutomaticEnableChannelEnabled', false)
  upstream.requests.splice(0)
  const own = { type: 1, name: 'own', base_url: upstream.url, models: model, ...fields }
  return admin.channel({ ...mode, channel: own })
}

/** A whole recovery run; its pauses end as they come. */
async function recover() {
  let over = false
  const report = gateway.service('recovery').run()
  const watched = report.finally(() => {
    over = true
  })
  while (!over) {
    await turn()
    clock.advance(100)
  }
  await watched
  await changes.settled()
  return report
}

/** Asks once; answers the status. */
async function status(): Promise<number> {
  const response = await call(ask())
  await response.text()
  return response.status
}

/** Asks so many times, one after the other. */
async function statuses(times: number): Promise<readonly number[]> {
  const all: number[] = []
  for (let n = 0; n < times; n++) all.push(await status())
  return all
}

function keysUsed(): readonly (string | undefined)[] {
  return upstream.requests.splice(0).map(({ headers }) => headers.authorization)
}

/** Refuses one key, answers the others. */
const refusing = (bad: string) => (request: Recorded, response: ServerResponse) =>
  (request.headers.authorization === `Bearer ${bad}` ? refusal : answer)(request, response)

t.test(
  '[CHAN-5] a key of two that is refused goes off alone, with reason and time, and comes back',
  async (t) => {
    const multi = { mode: 'multi_to_single', multi_key_mode: 'polling' }
    const id = await channel({ key: 'good-key\nbad-key' }, multi)
    await admin.option('AutomaticDisableChannelEnabled', true)
    await admin.option('AutomaticEnableChannelEnabled', true)
    const off = async () => (await keysOf(id)).filter((key) => key.status === 3)
    upstream.script(refusing('bad-key'))
    t.same([...(await statuses(2))].sort(), [200, 502])
    while ((await off()).length === 0) await turn()
    await changes.settled()

    const [key, ...others] = await off()
    t.same(others, [])
    t.equal(key.disabled_reason, 'Status 401: Incorrect API key provided. (auth_error)')
    t.ok(Math.abs(key.disabled_at.getTime() - Date.now()) < 60_000)
    t.equal((await row(id)).status, 1, 'the channel goes on')
    keysUsed()
    t.same(await statuses(4), Array(4).fill(200))
    t.same(keysUsed(), Array(4).fill('Bearer good-key'))

    t.match(await recover(), { tested: 1, resumed: 0 }, 'while it is refused it stays off')
    upstream.script(answer)
    t.match(await recover(), { tested: 1, resumed: 1 })
    for (const { status, disabled_reason, disabled_at } of await keysOf(id)) {
      t.same({ status, disabled_reason, disabled_at }, on)
    }
    keysUsed()
    t.same(await statuses(4), Array(4).fill(200))
    t.equal(new Set(keysUsed()).size, 2, 'both keys serve again')
  },
)

const on = { status: 1, disabled_reason: '', disabled_at: null }

t.test('a channel whose only key is refused goes off, and is back after a good test', async (t) => {
  const id = await channel({ key: 'only-key' })
  await admin.option('AutomaticDisableChannelEnabled', true)
  upstream.script(refusal)
  t.equal(await status(), 502)
  while ((await row(id)).status === 1) await turn()
  await changes.settled()
  t.match(await row(id), { status: 3, status_reason: /^Status 401/ })
  t.equal(await status(), 503)
  t.equal(upstream.requests.length, 1, 'it is queried no more')

  upstream.script(answer)
  t.match(await recover(), { tested: 1, resumed: 0 }, 'only where the option states so')
  await admin.option('AutomaticEnableChannelEnabled', true)
  t.match(await recover(), { tested: 1, resumed: 1 })
  t.match(await row(id), { status: 1, status_reason: '', status_at: null })
  t.equal(await status(), 200)
})

t.test('without the option, and for channels that may not, nothing is switched off', async (t) => {
  const id = await channel({ key: 'k' })
  upstream.script(refusal)
  t.equal(await status(), 502)
  await admin.option('AutomaticDisableChannelEnabled', true)
  await admin.must('PUT', '/api/channel/', { id, auto_ban: 0 })
  t.equal(await status(), 502)
  for (let n = 0; n < 20; n++) await turn()
  t.equal((await row(id)).status, 1)
})

/** Another channel, behind the first and well. */
async function standby(t: Parameters<typeof scriptedUpstream>[0]) {
  const second = await scriptedUpstream(t)
  second.script(answer)
  const own = { type: 1, name: 'standby', base_url: second.url, models: model, key: 'other' }
  await admin.channel({ ...own, priority: -1 })
  return second
}

/** An upstream that answers well, but not before it is reported to. */
function heldUp() {
  let release: () => void = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  upstream.script(async (request, response) => {
    await held
    await answer(request, response)
  })
  return release
}

t.test(
  'a channel that fails again and again is left alone, and tried once when its time comes',
  async (t) => {
    const id = await channel({ key: 'k' })
    const second = await standby(t)
    upstream.script(failure)
    t.same(await statuses(8), Array(8).fill(200), 'the other takes over')
    t.equal(upstream.requests.length, 5, 'five failures are enough')
    t.equal(second.requests.length, 8)
    const { items } = await admin.must('GET', `/api/channel/breakers?channel_id=${id}`)
    const reason = 'Status 500: Something broke.'
    t.match(items, [{ channel_id: id, model, state: 'open', failures: 5, outcomes: 5, reason }])

    clock.advance(18_001)
    const release = heldUp()
    const ended: number[] = []
    const all = Array.from({ length: 20 }, async () => void ended.push(await status()))
    while (ended.length < 19) await turn()
    await upstream.request(5)
    t.equal(upstream.requests.length, 6, 'one of twenty is let through')
    release()
    await Promise.all(all)
    t.same(ended, Array(20).fill(200))
    t.equal(await status(), 200)
    t.equal(upstream.requests.length, 7, 'its answer closed the breaker')
    t.match(await admin.must('GET', '/api/channel/breakers'), { total: 0 })
  },
)

t.test(
  'where nobody else is left one request at a time is let through, and the others learn when to come again',
  async (t) => {
    await channel({ key: 'k' })
    upstream.script(failure)
    t.same(await statuses(8), Array(8).fill(502))
    t.equal(upstream.requests.length, 8, 'one after the other each is a trial')

    const release = heldUp()
    const results: { status: number; code: string; again: string | null }[] = []
    const all = Array.from({ length: 20 }, async () => {
      const response = await call(ask())
      const { error } = (await response.json()) as { error?: { code: string } }
      const again = response.headers.get('retry-after')
      results.push({ status: response.status, code: error?.code ?? '', again })
    })
    while (results.length < 19) await turn()
    await upstream.request(8)
    t.equal(upstream.requests.length, 9)
    for (const { status, code, again } of results) {
      t.match({ status, code }, { status: 503, code: 'channels_failing' })
      t.match(again, /^[1-9]\d*$/)
    }
    release()
    await Promise.all(all)
    t.equal(results.at(-1)?.status, 200)
    t.equal(await status(), 200, 'its answer closed the breaker')
  },
)

t.test('an admin has a channel tried again at once', async (t) => {
  const id = await channel({ key: 'k' })
  await standby(t)
  upstream.script(failure)
  await statuses(6)
  t.equal(upstream.requests.length, 5)
  upstream.script(answer)
  await status()
  t.equal(upstream.requests.length, 5)
  t.same(await admin.must('POST', `/api/channel/${id}/breakers/reset`, {}), { reset: 1 })
  await status()
  t.equal(upstream.requests.length, 6)
  const gone = await admin.call('POST', '/api/channel/98765/breakers/reset', {})
  t.match(gone, { status: 404, body: { code: 'gone_missing' } })
})

t.test(
  'an upstream that names a time is left alone until then, and clients learn it',
  async (t) => {
    await channel({ key: 'k' })
    upstream.script(
      json(429, { error: { message: 'Slow down.' } }, { 'retry-after': '30' }),
      answer,
    )
    const first = await call(ask())
    t.match({ status: first.status, again: first.headers.get('retry-after') }, parked)
    const second = await call(ask())
    t.match({ status: second.status, again: second.headers.get('retry-after') }, parked)
    t.match(await second.json(), { error: { code: 'channels_saturated' } })
    t.equal(upstream.requests.length, 1)
    clock.advance(30_000)
    t.equal(await status(), 200)
  },
)

const parked = { status: 429, again: '30' }

t.test('lists of statuses that cannot be read are refused by name', async (t) => {
  const key = 'AutomaticDisableStatusCodes'
  const refused = await admin.call('PUT', '/api/option/', { key, value: '401,no' })
  t.match(refused, { status: 400, body: { field: key } })
  await admin.option(key, '401，403-404')
})
