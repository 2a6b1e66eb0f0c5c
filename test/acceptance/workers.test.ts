/**
 * Several worker processes at one address (decision 0088). No client keeps its connection, so each of its requests goes to the next
 * worker: whatever takes more than one request would break where a worker kept it to itself.
 */
import { Client } from '@hapi/nes'
import { Secret, TOTP } from 'otpauth'
import t from 'tap'
import { databaseKind } from '../kit/database.js'
import { management, root, setupCodeOf } from '../kit/management.js'
import { mailServer } from '../kit/smtp.js'
import { chat, json, scriptedUpstream } from '../kit/upstream.js'
import { browser, known, localPlace, openOidc } from '../plugins/management/oauth-fixture.js'
import { Visitor } from './kit/pair.js'
import { noLimits, startWorkers, until, withoutKeepAlive } from './kit/workers.js'

t.setTimeout(240_000)

const skip = databaseKind === 'pglite' && 'the embedded database serves one process only'
const { password } = root

withoutKeepAlive()

const good = json(200, chat.whole('Hi.', 10, 10))

t.test('a gateway of two workers', { skip }, async (t) => {
  const gateway = await startWorkers(t, { ...noLimits, METRICS_PORT: '0' })
  const { url, rows } = gateway
  const upstream = await scriptedUpstream(t)
  upstream.script(good)
  const anyone = () => new Visitor()

  await t.test('[OPS-2] both begin on a bare database, at one port, and greet once', async (t) => {
    t.equal(gateway.output().split('is ready at').length, 2)
    t.match(gateway.output(), /^Workers: 2$/m)
    const twice = 'SELECT name FROM migrations GROUP BY name HAVING count(*) > 1'
    t.same(await rows(twice), [])
    for (let turn = 0; turn < 8; turn++) {
      t.equal((await fetch(`${url}/health/ready`)).status, 200)
    }
    const serving = () =>
      new Set(gateway.lines().flatMap(({ path, pid }) => (path === '/health/ready' ? pid : [])))
    await until(() => serving().size === 2)
    t.same([...serving()].sort(), [gateway.pidOf(1), gateway.pidOf(2)].sort(), 'each has its turn')
  })

  await t.test('[API-2] of setups at both at once, one makes the root', async (t) => {
    t.match(await anyone().must(gateway, 'GET', '/api/setup'), { status: false })
    const forms = Array.from({ length: 10 }, (_, index) => ({
      ...{ username: index % 2 === 0 ? root.username : `root${index}`, password },
      ...{ confirmPassword: password, code: setupCodeOf(url) },
    }))
    const results = await Promise.all(
      forms.map((form) => anyone().call(gateway, 'POST', '/api/setup', form)),
    )
    t.equal(results.filter(({ status }) => status === 200).length, 1)
    t.ok(results.every(({ status, code }) => status === 200 || code === 'setup_done'))
    for (let turn = 0; turn < 4; turn++) {
      t.match(await anyone().must(gateway, 'GET', '/api/setup'), { status: true })
    }
    await rows('UPDATE users SET username = $1 WHERE role = 100', [root.username])
  })

  const admin = management(url)
  await admin.login(root.username, password)
  await admin.credit(1, 1_000_000_000)

  await t.test('[API-3] each is shown by its own name', async (t) => {
    const list = await admin.must('GET', '/api/system-info/instances')
    t.same(
      list.map((one: { node_name: string; status: string }) => `${one.node_name} ${one.status}`),
      ['test-1 online', 'test-2 online'],
    )
  })

  await t.test('[API-4] what an admin writes is what the next request reads', async (t) => {
    for (let turn = 1; turn <= 12; turn++) {
      await admin.option('RetryTimes', turn % 5)
      const options: { key: string; value: string }[] = await admin.must('GET', '/api/option/')
      t.equal(options.find(({ key }) => key === 'RetryTimes')?.value, String(turn % 5))
    }
    await admin.option('ModelRatio', { 'gpt-4o-mini': 1 })
    await admin.option('CompletionRatio', { 'gpt-4o-mini': 1 })
    const channel = { type: 1, key: 'k', models: 'gpt-4o-mini', group: 'default' }
    for (let turn = 0; turn < 6; turn++) {
      const id = await admin.channel({ ...channel, name: `c${turn}`, base_url: upstream.url })
      t.equal((await admin.call('GET', `/api/channel/${id}`)).status, 200)
      const { id: tokenId, key } = await admin.token()
      t.equal(await ask(key), 200, 'a key that was just made')
      await admin.must('PUT', '/api/token/?status_only=true', { id: tokenId, status: 2 })
      t.equal(await ask(key), 401, 'and one that was just switched off')
    }
  })

  async function ask(key: string, path = '/v1/chat/completions', over: object = {}) {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'gpt-4o-mini',
        messages: [{ role: 'user', content: 'hello' }],
        ...over,
      }),
    })
    await response.text()
    return response.status
  }

  /** Somebody with a password, signed in. */
  async function person(username: string): Promise<Visitor> {
    await admin.must('POST', '/api/user/', { username, password, role: 1 })
    const visitor = anyone()
    t.equal((await visitor.signIn(gateway, username)).status, 200)
    return visitor
  }

  await t.test('[AUTH-2] a session is known everywhere at once, and ends everywhere', async (t) => {
    const ada = await person('ada')
    const self = async () => (await ada.call(gateway, 'GET', '/api/user/self')).status
    t.same([await self(), await self(), await self()], [200, 200, 200])
    await ada.must(gateway, 'POST', '/api/user/logout', {})
    t.same([await self(), await self(), await self()], [401, 401, 401])
  })

  await t.test('[AUTH-4] a proof and a second factor, over several requests', async (t) => {
    const bob = await person('bob')
    const proof = await bob.prove(gateway, 'two_factor')
    const setUp = await bob.must(gateway, 'POST', '/api/user/2fa/setup', {}, proof)
    const app = new TOTP({ secret: Secret.fromBase32(setUp.secret) })
    await bob.must(gateway, 'POST', '/api/user/2fa/enable', { code: app.generate() })
    const again = anyone()
    const { data } = await again.signIn(gateway, 'bob')
    t.match(data, { require_2fa: true })
    const { flow_token } = data
    const [code] = setUp.backup_codes
    const wrong = await again.call(gateway, 'POST', '/api/user/login/2fa', {
      ...{ flow_token, code: '000000' },
    })
    t.not(wrong.status, 200)
    t.equal(
      (await again.call(gateway, 'POST', '/api/user/login/2fa', { flow_token, code })).status,
      200,
    )
    t.equal((await again.call(gateway, 'GET', '/api/user/self')).status, 200)
    const used = await anyone().call(gateway, 'POST', '/api/user/login/2fa', { flow_token, code })
    t.not(used.status, 200, 'once')
  })

  await t.test('[AUTH-8] a state of OAuth that begins at one ends at the other', async (t) => {
    const place = await localPlace(t)
    await openOidc(admin, place)
    for (let turn = 0; turn < 3; turn++) {
      const who = known(place, `oidc-${turn}`)
      const visitor = anyone()
      const form = { provider: 'oidc', intent: 'login' }
      const begun = await visitor.must(gateway, 'POST', '/api/oauth/state', form)
      const back = await browser(url).visit(begun.authorize_url, who)
      t.equal((await visitor.call(gateway, 'GET', `/api/oauth/oidc?${back}`)).status, 200)
      t.equal((await visitor.call(gateway, 'GET', '/api/user/self')).status, 200)
    }
  })

  await t.test('codes and links by mail', async (t) => {
    const post = await mailServer(t)
    await admin.option('SMTPServer', '127.0.0.1')
    await admin.option('SMTPPort', post.port)
    await admin.option('SMTPFrom', 'gate@example.com')
    await admin.option('ServerAddress', url)
    await admin.option('EmailVerificationEnabled', true)
    const email = 'cleo@example.com'
    const mail = async (count: number) => {
      await until(() => post.mails.length >= count)
      return post.mails[count - 1]!.text.replace(/=\r?\n/g, '').replace(/=3D/g, '=')
    }
    await anyone().must(gateway, 'GET', `/api/verification?email=${email}`)
    const verification_code = /Your code is ([0-9a-z]{4}-[0-9a-z]{4})/.exec(await mail(1))?.[1]
    const form = { username: 'cleo', password, email, verification_code }
    t.equal((await anyone().call(gateway, 'POST', '/api/user/register', form)).status, 200)
    await anyone().must(gateway, 'GET', `/api/reset_password?email=${email}`)
    const link = new URL(/http\S+\/user\/reset\?\S+/.exec(await mail(2))![0])
    const reset = Object.fromEntries(link.searchParams)
    const drawn = await anyone().must(gateway, 'POST', '/api/user/reset', reset)
    t.equal((await anyone().call(gateway, 'POST', '/api/user/reset', reset)).status, 400, 'once')
    t.equal((await anyone().signIn(gateway, email, drawn)).status, 200)
  })

  await t.test('a test of all channels is one run, and both know how far it is', async (t) => {
    const waiting: (() => void)[] = []
    upstream.script(async (request, response) => {
      await new Promise<void>((resolve) => waiting.push(resolve))
      await good(request, response)
    })
    const begun = await admin.must('GET', '/api/channel/test')
    t.ok(begun.running)
    await until(() => waiting.length > 0)
    for (let turn = 0; turn < 4; turn++) {
      t.match(await admin.must('GET', '/api/channel/test/progress'), {
        running: true,
        total: begun.total,
        started_at: begun.started_at,
      })
      t.equal((await admin.call('GET', '/api/channel/test')).status, 409, 'a second one')
    }
    const progress = () => admin.must('GET', '/api/channel/test/progress')
    await until(async () => {
      for (const free of waiting.splice(0)) free()
      return !(await progress()).running
    })
    for (let turn = 0; turn < 2; turn++) {
      t.match(await progress(), { running: false, done: begun.total, total: begun.total })
    }
    upstream.script(good)
  })

  await t.test('a console hears of a run wherever that is', async (t) => {
    const cookie = await cookieOf(url)
    const consoles = await Promise.all([1, 2].map(() => console_(cookie)))
    const heard = consoles.map(() => 0)
    for (const [at, client] of consoles.entries()) {
      await client.subscribe('/live/runs', () => {
        heard[at]! += 1
      })
    }
    await admin.must('GET', '/api/channel/test')
    await until(() => heard.every((count) => count > 0))
    t.pass('both of them')
    await until(async () => !(await admin.must('GET', '/api/channel/test/progress')).running)
    for (const client of consoles) await client.disconnect()
  })

  async function console_(cookie: string): Promise<Client> {
    const client = new Client(`ws${url.slice('http'.length)}/live` as `ws://${string}`, {
      ws: { origin: url, headers: { cookie } },
    })
    client.onError = () => {}
    await client.connect({ reconnect: false })
    return client
  }

  await t.test(
    '[ROUTE-3] a breaker that opens in one is open in both, and shown by both',
    async (t) => {
      const down = await scriptedUpstream(t)
      down.script(json(500, { error: { message: 'out of order' } }))
      await admin.option('ModelRatio', { 'gpt-4o-mini': 1, frail: 1 })
      await admin.option('RetryTimes', 0)
      const id = await admin.channel({
        ...{ type: 1, name: 'frail', key: 'k', base_url: down.url },
        ...{ models: 'frail', group: 'default' },
      })
      const { key } = await admin.token()
      const open = async () =>
        (await admin.must('GET', `/api/channel/breakers?channel_id=${id}`)).total
      while ((await open()) === 0) await ask(key, undefined, { model: 'frail' })
      const before = down.requests.length
      t.ok(before <= 12, `${before} failures were enough for both`)
      for (let turn = 0; turn < 4; turn++) t.equal(await open(), 1)
      await admin.must('POST', `/api/channel/${id}/breakers/reset`, {})
      for (let turn = 0; turn < 4; turn++) t.equal(await open(), 0, 'reset in both')
      down.script(good)
      t.equal(await ask(key, undefined, { model: 'frail' }), 200)
      for (let turn = 0; turn < 2; turn++) {
        const [health] = await admin.must('GET', `/api/channel/health?ids=${id}`)
        t.equal(health.latencies.length, 1, 'one answer, whoever gave it')
      }
    },
  )

  await t.test('[FMT-9] an item of an answer is known to both', async (t) => {
    await admin.option('ModelRatio', { 'gpt-4o-mini': 1, converted: 1 })
    await admin.channel({
      ...{ type: 1, name: 'converted', key: 'k', base_url: upstream.url },
      ...{ models: 'converted', group: 'default' },
      settings: JSON.stringify({ responses_api: 'convert' }),
    })
    const { key } = await admin.token()
    const responses = async (input: unknown) => {
      const response = await fetch(`${url}/v1/responses`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'converted', input }),
      })
      return { status: response.status, body: JSON.parse(await response.text()) }
    }
    for (let turn = 0; turn < 4; turn++) {
      const { body } = await responses('hello')
      const reference = { type: 'item_reference', id: body.output[0].id }
      const next = await responses([reference, { role: 'user', content: 'Sure?' }])
      t.equal(next.status, 200)
    }
    const unknown = { type: 'item_reference', id: 'msg_nobody' }
    t.equal((await responses([unknown, { role: 'user', content: 'Sure?' }])).status, 400)
  })

  await t.test('[ROUTE-16] a session stays with its channel in both', async (t) => {
    const [first, second] = [await scriptedUpstream(t), await scriptedUpstream(t)]
    first.script(good)
    second.script(good)
    await admin.option('ModelRatio', { 'gpt-4o-mini': 1, tied: 1 })
    const rule = { name: 'session', key_sources: [{ type: 'request_header', key: 'X-Session' }] }
    await admin.option('channel_affinity_setting.rules', [rule])
    for (const [name, { url: base_url }] of Object.entries({ first, second })) {
      const channel = { type: 1, key: 'k', models: 'tied', group: 'default', weight: 1 }
      await admin.channel({ ...channel, name, base_url })
    }
    const { key } = await admin.token()
    const stats = async () => (await admin.must('GET', '/api/option/channel_affinity_cache')).rules
    for (const session of ['a', 'b', 'c', 'd']) {
      const counts = () => [first.requests.length, second.requests.length]
      const before = counts()
      for (let turn = 0; turn < 6; turn++) {
        // Whoever is asked has heard of all ties before.
        if (turn === 1) for (let worker = 0; worker < 2; worker++) await stats()
        await fetch(`${url}/v1/chat/completions`, {
          method: 'POST',
          headers: {
            ...{ authorization: `Bearer ${key}`, 'x-session': session },
            'content-type': 'application/json',
          },
          body: JSON.stringify({ model: 'tied', messages: [{ role: 'user', content: 'hello' }] }),
        }).then((response) => response.text())
      }
      const more = counts().map((count, at) => count - before[at]!)
      t.same(more.sort(), [0, 6], `session ${session}`)
    }
    for (let turn = 0; turn < 4; turn++)
      t.match(await stats(), [{ entries: 4, hits: 20, misses: 4 }])
  })

  await t.test(
    'figures of all workers are one page, and each sample says whose it is',
    async (t) => {
      const address = /"address":"(http:[^"]+)"[^\n]*Prometheus/.exec(gateway.output())?.[1]
      for (let turn = 0; turn < 3; turn++) {
        const page = await (await fetch(`${address}/metrics`)).text()
        t.equal(page.split('# TYPE waybill_requests_total').length, 2)
        for (const worker of [1, 2]) {
          t.match(page, `waybill_requests_total{worker="${worker}",kind="management",status="2xx"}`)
          t.match(page, `process_resident_memory_bytes{worker="${worker}"} `)
        }
        t.match(page, /^waybill_holds \d+$/m, 'what the database knows is nobody’s')
        const sample = /^[a-zA-Z_:][\w:]*(\{[^{}]*\})? \S+$/
        t.same(
          page
            .split('\n')
            .filter((line) => line !== '' && !line.startsWith('# ') && !sample.test(line)),
          [],
        )
      }
    },
  )

  await t.test('[OPS-2] a stop is orderly', async (t) => {
    const { code, output } = await gateway.end('SIGTERM')
    t.equal(code, 0, output.slice(-2000))
    t.same(await rows('SELECT FROM system_instances'), [], 'both took leave')
  })
})

async function cookieOf(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: root.username, password }),
  })
  await answer.text()
  return String(answer.headers.getSetCookie().find((one) => one.startsWith('session='))).split(
    ';',
  )[0]!
}

t.test('[LIMIT-3] limits are those of all workers together', { skip }, async (t) => {
  const limit = { GLOBAL_API_RATE_LIMIT: '10', GLOBAL_API_RATE_LIMIT_DURATION: '600' }
  const gateway = await startWorkers(t, { ...limit, WORKERS: '3' })
  const left = async () => {
    const response = await fetch(`${gateway.url}/api/status`)
    await response.text()
    return response.status === 200 ? Number(response.headers.get('x-ratelimit-remaining')) : 'none'
  }
  const seen = []
  for (let turn = 0; turn < 14; turn++) seen.push(await left())
  t.same(seen, [9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 'none', 'none', 'none', 'none'])
})

t.test('[AUTH-7] guesses at a password are counted in all workers', { skip }, async (t) => {
  const gateway = await startWorkers(t, {
    ...noLimits,
    LOGIN_RATE_LIMIT: '4',
    LOGIN_RATE_LIMIT_ENABLE: 'true',
  })
  await management(gateway.url).setUp()
  const statuses = []
  for (let turn = 0; turn < 7; turn++) {
    statuses.push((await new Visitor().signIn(gateway, root.username, 'wrong')).status)
  }
  t.same(statuses, [401, 401, 401, 429, 429, 429, 429], 'beside that of the setup')
})
