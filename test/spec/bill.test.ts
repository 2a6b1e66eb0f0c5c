import t from 'tap'
import { management, root } from '../kit/management.js'
import { earnReward } from '../kit/rewards.js'
import { ask, model, scriptedGateway } from '../kit/scripted-gateway.js'
import { brokenEvents, chat, endlessEvents, events, hangUp, json } from '../kit/upstream.js'

const gateway = await scriptedGateway(t)
const { upstream, admin } = gateway

async function cost(run: () => Promise<unknown>): Promise<bigint> {
  const before = await gateway.balance()
  await run()
  return before - (await gateway.balance())
}

async function read(answer: Response): Promise<string> {
  return answer.text()
}

t.test(
  '[BILL-1] a request is charged what the upstream counted, once, with one log row',
  async (t) => {
    upstream.script(json(200, chat.whole('Hi.', 100, 20)))
    const rows = (await gateway.logs()).length
    t.equal(await cost(() => gateway.chat(ask()).then(read)), 180n)
    const logs = await gateway.logs()
    t.equal(logs.length, rows + 1)
    t.match(logs[0], {
      quota: 180,
      prompt_tokens: 100,
      completion_tokens: 20,
      model_name: model,
      type: 2,
    })
  },
)

t.test(
  '[BILL-1] the cost is set aside before anything is relayed and given back in full on failure',
  async (t) => {
    upstream.script(async (_, response) => {
      const { quota } = await admin.must('GET', '/api/user/self')
      held = quota
      json(500, { error: { message: 'down' } })(_, response)
    })
    let held = 0
    const before = Number(await gateway.balance())
    const answer = await gateway.chat(ask({ max_tokens: 1000 }))
    t.equal(answer.status, 502)
    t.ok(before - held >= 4000, 'at least the output limit was held while the upstream worked')
    t.equal(Number(await gateway.balance()), before)
  },
)

t.test('[BILL-1] short of quota nothing is relayed and nothing is charged', async (t) => {
  upstream.requests.length = 0
  const { key } = await admin.token({ unlimited_quota: false, remain_quota: 10 })
  const answer = await gateway.chat(ask({ max_tokens: 1000 }), { authorization: `Bearer ${key}` })
  t.equal(answer.status, 403)
  t.match(await answer.json(), { error: { code: 'pre_consume_token_quota_failed' } })
  t.equal(upstream.requests.length, 0)
})

t.test('[BILL-1] of many at once no more are admitted than the cap holds (M1)', async (t) => {
  upstream.requests.length = 0
  upstream.script(json(200, chat.whole('Hi.', 10, 10)))
  const perRequest = 10 + 4 * 10
  const { key } = await admin.token({ unlimited_quota: false, remain_quota: perRequest * 7 })
  const answers = await Promise.all(
    Array.from({ length: 30 }, () =>
      gateway.chat(ask({ max_tokens: 10 }), { authorization: `Bearer ${key}` }),
    ),
  )
  const served = answers.filter(({ status }) => status === 200).length
  t.ok(served >= 1 && served <= 7, `${served} served`)
  t.ok(answers.every(({ status }) => status === 200 || status === 403))
  await Promise.all(answers.map(read))
})

t.test(
  'a stream that breaks bills what was delivered and tells the client (S5, M14)',
  async (t) => {
    upstream.script(brokenEvents(chat.role(), chat.delta('Hello there, my friend')))
    let body = ''
    const charged = await cost(async () => {
      body = await gateway.chat(ask({ stream: true })).then(read)
    })
    t.match(body, 'Hello there')
    t.match(body, /"error"/)
    t.notMatch(body, '[DONE]')
    t.ok(charged > 0n && charged < 100n, `charged ${charged}`)
    const [row] = await gateway.logs()
    t.match(JSON.parse(row!.other), { admin_info: { local_count_tokens: ['input', 'output'] } })
  },
)

t.test('an error in place of content moves to no charge at all (M14)', async (t) => {
  upstream.script(events('data: {"error":{"message":"overloaded","type":"server_error"}}\n\n'))
  const charged = await cost(async () => {
    const answer = await gateway.chat(ask({ stream: true }))
    t.equal(answer.status, 502)
    t.notMatch(await answer.text(), 'data:')
  })
  t.equal(charged, 0n)
})

t.test('a 200 that holds an error is an error and costs nothing (M14)', async (t) => {
  upstream.script(
    json(200, { error: { message: 'quota exceeded for org-123', type: 'insufficient_quota' } }),
  )
  t.equal(
    await cost(async () => {
      const answer = await gateway.chat(ask())
      t.ok(answer.status >= 500)
      t.notMatch(await answer.text(), 'org-123')
    }),
    0n,
  )
})

t.test('an upstream that hangs up costs nothing (M3)', async (t) => {
  upstream.script(hangUp)
  t.equal(await cost(() => gateway.chat(ask()).then(read)), 0n)
})

t.test(
  'a client that leaves mid-stream is read to the end and billed as reported (M9, M11)',
  async (t) => {
    let release: () => void = () => {}
    const left = new Promise<void>((resolve) => {
      release = resolve
    })
    upstream.script(
      events(chat.delta('one'), left, chat.delta('two'), chat.stop(), chat.usage(10, 5), chat.done),
    )
    const charged = await cost(async () => {
      const abort = new AbortController()
      const answer = await fetch(`${gateway.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
        body: JSON.stringify(ask({ stream: true })),
        signal: abort.signal,
      })
      await answer.body!.getReader().read()
      abort.abort()
      release()
    })
    t.equal(charged, 30n, '10 + 5 x 4')
  },
)

t.test(
  'with on_client_gone abort the upstream is cut and the delivered part billed (M11)',
  async (t) => {
    const strict = await scriptedGateway(t, { channel: { setting: { on_client_gone: 'abort' } } })
    strict.upstream.script(endlessEvents(chat.delta('some words that count')))
    const abort = new AbortController()
    const answer = await fetch(`${strict.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${strict.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(ask({ stream: true })),
      signal: abort.signal,
    })
    await answer.body!.getReader().read()
    abort.abort()
    await (await strict.upstream.request(0)).aborted
    const [row] = await strict.logs()
    t.ok(row!.quota > 0)
  },
)

t.test(
  '[BILL-2] a balance change repeated under one Idempotency-Key moves money once',
  async (t) => {
    const before = await gateway.balance()
    const gift = { id: 1, action: 'add_quota', mode: 'add', value: 500, remark: 'a gift' }
    /** Each from a session of its own, with a proof of its own. */
    const credit = async () => {
      const fixture = management(gateway.url)
      await fixture.login(root.username, root.password)
      const sent = { 'idempotency-key': 'gift-1', ...(await fixture.prove('balance')) }
      const { status } = await fixture.call('POST', '/api/user/manage', gift, sent)
      t.equal(status, 200)
    }
    await Promise.all([credit(), credit(), credit()])
    await credit()
    t.equal((await gateway.balance()) - before, 500n)
  },
)

t.test(
  '[BILL-2] an Idempotency-Key sent with another body is refused and moves nothing',
  async (t) => {
    const before = await gateway.balance()
    const gift = { id: 1, action: 'add_quota', mode: 'add', value: 300, remark: 'a gift' }
    const send = async (body: object) => {
      const sent = { 'idempotency-key': 'gift-2', ...(await admin.prove('balance')) }
      return admin.call('POST', '/api/user/manage', body, sent)
    }
    t.equal((await send(gift)).status, 200)
    const { remark, ...others } = gift
    t.equal((await send({ remark, ...others })).status, 200, 'the order of fields is no difference')
    for (const change of [{ value: 301 }, { mode: 'override' }, { remark: 'another gift' }]) {
      const { status, body } = await send({ ...gift, ...change })
      const field = 'Idempotency-Key'
      t.match({ status, body }, { status: 422, body: { code: 'idempotency_key_reused', field } })
    }
    t.equal((await gateway.balance()) - before, 300n)
    const { knex } = gateway.gateway.service('database')
    await earnReward(knex, 1, 1_500_000)
    const key = { 'idempotency-key': 'reward-1' }
    const transfer = (quota: number) => admin.call('POST', '/api/user/aff_transfer', { quota }, key)
    t.equal((await transfer(500_000)).status, 200)
    t.equal((await transfer(1_000_000)).status, 422)
    t.equal((await transfer(500_000)).status, 200)
  },
)

t.test('[BILL-2] a write that failed keeps no Idempotency-Key', async (t) => {
  const less = {
    id: 1,
    action: 'add_quota',
    mode: 'subtract',
    value: 9_000_000_000_000,
    remark: 'x',
  }
  const send = async (body: object) => {
    const sent = { 'idempotency-key': 'gift-3', ...(await admin.prove('balance')) }
    return (await admin.call('POST', '/api/user/manage', body, sent)).status
  }
  t.equal(await send(less), 409)
  t.equal(await send({ ...less, mode: 'add', value: 1 }), 200)
})

t.test('[BILL-2] an Idempotency-Key is one user’s on one route', async (t) => {
  const { knex } = gateway.gateway.service('database')
  const unit = 500_000
  const people = await Promise.all(
    ['ann', 'ben'].map(async (username) => {
      const password = 'correct horse battery'
      const { id } = await admin.must('POST', '/api/user/', { username, password })
      await earnReward(knex, id, 2 * unit)
      const fixture = management(gateway.url)
      await fixture.login(username, password)
      return { id, fixture }
    }),
  )
  const sent = { 'idempotency-key': 'one-key' }
  for (const { fixture } of people) {
    for (let turn = 0; turn < 2; turn += 1) {
      const { status } = await fixture.call('POST', '/api/user/aff_transfer', { quota: unit }, sent)
      t.equal(status, 200)
    }
    t.equal(await fixture.balance(), BigInt(unit), 'once each, though another used the key before')
  }
  const [first] = people
  const gift = { id: first!.id, action: 'add_quota', mode: 'add', value: unit, remark: 'a gift' }
  const proved = { ...sent, ...(await admin.prove('balance')) }
  t.equal((await admin.call('POST', '/api/user/manage', gift, proved)).status, 200)
  t.equal(await first!.fixture.balance(), BigInt(2 * unit), 'and once more on another route')
  const keys = await knex('transfers').where('idem_key', 'like', '%/one-key').pluck('idem_key')
  const routes = keys.map((key: string) => /user:\d+\/([^/]+)\/one-key$/.exec(key)?.[1])
  t.equal(new Set(keys).size, 3)
  t.equal(new Set(routes).size, 2, 'each names its user and its route')
})

t.test('a model without a price is refused before anything is relayed (M15)', async (t) => {
  upstream.requests.length = 0
  await admin.channel({
    type: 1,
    name: 'unpriced',
    key: 'k',
    base_url: upstream.url,
    models: 'no-price-model',
    group: 'default',
  })
  const answer = await gateway.chat(ask({ model: 'no-price-model' }))
  t.equal(answer.status, 400)
  t.match(await answer.json(), { error: { code: 'model_price_error' } })
  t.equal(upstream.requests.length, 0)
})

t.test(
  '[BILL-6] what a rate card has no price of is refused by name, before anything is relayed',
  async (t) => {
    const channel = { type: 1, name: 'clips', key: 'k', base_url: upstream.url, group: 'default' }
    await admin.channel({ ...channel, models: 'a-clip,a-song' })
    const second = { unit: 'second', price: '0.07' }
    const song = { unit: 'piece', price: '0.10' }
    await admin.must('PUT', '/api/prices/', {
      changes: { 'a-clip': { rate_card: second }, 'a-song': { rate_card: song } },
    })
    upstream.requests.length = 0
    const answer = await gateway.chat(ask({ model: 'a-clip' }))
    t.equal(answer.status, 400)
    const message = /^No price is configured for the model "a-clip" with no quantity\./
    t.match(await answer.json(), {
      error: { code: 'model_price_error', param: 'quantity', message },
    })
    t.equal(upstream.requests.length, 0)
    upstream.script(json(200, chat.whole('La la.', 10, 1)))
    t.equal(await cost(() => gateway.chat(ask({ model: 'a-song' })).then(read)), 50_000n)
    const [row] = await gateway.logs()
    t.match(JSON.parse(row!.other), {
      billing_mode: 'card',
      rate_card: { unit: 'piece', price: 0.1 },
    })
  },
)

t.test(
  '[ROUTE-4] a mapped model without a price of its own is charged as the model it maps to',
  async (t) => {
    await admin.channel({
      type: 1,
      name: 'mapped',
      key: 'k',
      base_url: upstream.url,
      models: 'house-model',
      group: 'default',
      model_mapping: JSON.stringify({ 'house-model': 'step', step: model }),
    })
    upstream.requests.length = 0
    upstream.script(json(200, chat.whole('Hi.', 10, 1)))
    t.equal(await cost(() => gateway.chat(ask({ model: 'house-model' })).then(read)), 14n)
    t.equal(upstream.requests[0]?.json?.model, model, 'the chain is followed to its end')
    const [row] = await gateway.logs()
    t.equal(row?.model_name, 'house-model')
  },
)

t.test(
  '[ROUTE-4] holds and limits are read from the outgoing call, after the override',
  async (t) => {
    await admin.channel({
      type: 1,
      name: 'capped',
      key: 'k',
      base_url: upstream.url,
      models: 'capped-model',
      group: 'default',
      model_mapping: JSON.stringify({ 'capped-model': model }),
      param_override: JSON.stringify({ max_tokens: 10 }),
    })
    upstream.script(json(200, chat.whole('Hi.', 10, 1)))
    const { key } = await admin.token({ unlimited_quota: false, remain_quota: 200 })
    const answer = await gateway.chat(ask({ model: 'capped-model', max_tokens: 100_000 }), {
      authorization: `Bearer ${key}`,
    })
    t.equal(answer.status, 200, 'the hold is for 10 tokens, not for 100,000')
    await answer.text()
  },
)

t.test('a user without funds is refused until topped up', async (t) => {
  const poor = management(gateway.url)
  await admin.must('POST', '/api/user/', {
    username: 'poor',
    password: 'long enough pw',
    display_name: 'Poor',
  })
  await poor.login('poor', 'long enough pw')
  const { key } = await poor.token()
  upstream.script(json(200, chat.whole('Hi.', 10, 1)))
  const call = () => gateway.chat(ask(), { authorization: `Bearer ${key}` })
  const refused = await call()
  t.equal(refused.status, 403)
  t.match(await refused.json(), { error: { code: 'insufficient_user_quota' } })
  const { id } = await poor.must('GET', '/api/user/self')
  await admin.credit(id, 1_000_000)
  t.equal((await call()).status, 200)
})
