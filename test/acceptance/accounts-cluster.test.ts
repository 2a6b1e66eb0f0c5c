/**
 * Accounts in two gateways on one PostgreSQL: whoever signs in at one is known at the other, and whoever may no longer
 * come in at one comes in at neither.
 */
import t from 'tap'
import { databaseKind } from '../kit/database.js'
import { management, root, setupCodeOf } from '../kit/management.js'
import { json, scriptedUpstream } from '../kit/upstream.js'
import { browser, known, localPlace, openOidc } from '../plugins/management/oauth-fixture.js'
import { inForce, type Node, startPair, Visitor, visitor } from './kit/pair.js'
import { noRedis, redisServer } from './kit/redis-server.js'

t.setTimeout(240_000)

const skip = databaseKind === 'pglite' && 'the embedded database serves one process only'
const { password } = root

t.test('two gateways, one database', { skip }, async (t) => {
  const pair = await startPair(t)
  const { a, b, rows } = pair
  const admin = new Visitor()

  /** Somebody with a password; answers their id. */
  async function person(username: string, role = 1): Promise<number> {
    const form = { username, password, role }
    return (await admin.must(a, 'POST', '/api/user/', form)).id
  }

  const self = async (who: Visitor, node: Node) =>
    (await who.call(node, 'GET', '/api/user/self')).status

  await t.test('[API-2] of setups at both at once, one makes the root', async (t) => {
    t.same(
      await rows('SELECT name FROM migrations GROUP BY name HAVING count(*) > 1'),
      [],
      'both started on a bare database',
    )
    const forms = Array.from({ length: 10 }, (_, index) => ({
      ...{ username: index < 9 ? `root${index}` : root.username, password },
      confirmPassword: password,
      code: setupCodeOf(a.url),
    }))
    const results = await Promise.all(
      forms.map((form, index) =>
        new Visitor().call(index % 2 === 0 ? a : b, 'POST', '/api/setup', form),
      ),
    )
    t.equal(results.filter(({ status }) => status === 200).length, 1)
    t.ok(results.every(({ status, code }) => status === 200 || code === 'setup_done'))
    const made = await rows('SELECT username FROM users')
    t.equal(made.length, 1)
    for (const node of [a, b]) {
      t.match(await new Visitor().call(node, 'GET', '/api/setup'), { data: { status: true } })
    }
    t.equal((await admin.signIn(b, String(made[0]?.username))).status, 200)
  })

  await t.test(
    'a session opened at one works at the other at once, and ends at both',
    async (t) => {
      await person('ada')
      const ada = await visitor(a, 'ada')
      t.equal(await self(ada, b), 200)
      const other = await visitor(b, 'ada')
      t.equal((await ada.must(a, 'GET', '/api/user/sessions')).length, 2)
      await ada.must(a, 'POST', '/api/user/sessions/revoke-others', {})
      t.equal(await self(other, b), 401)
      await ada.must(b, 'POST', '/api/user/logout', {})
      t.equal(await self(ada, a), 401)
    },
  )

  await t.test(
    '[AUTH-2] who is disabled, demoted or deleted at one is refused at the other with the next request',
    async (t) => {
      for (const action of ['disable', 'demote', 'delete']) {
        const id = await person(`boss-${action}`, 10)
        const boss = await visitor(b, `boss-${action}`)
        const headers = await boss.prove(b, 'access_token')
        const authorization = await boss.must(b, 'POST', '/api/user/token', {}, headers)
        const script = async () =>
          (await new Visitor().call(b, 'GET', '/api/user/', undefined, { authorization })).status
        t.equal(await script(), 200)
        t.equal((await boss.call(b, 'GET', '/api/user/')).status, 200)
        await admin.must(a, 'POST', '/api/user/manage', { id, action })
        t.equal((await boss.call(b, 'GET', '/api/user/')).status, 401, `${action}: session`)
        t.equal(await script(), 401, `${action}: script`)
      }
    },
  )

  await t.test('[AUTH-1] [AUTH-3] a key is refused at the other with its owner', async (t) => {
    const upstream = await scriptedUpstream(t)
    upstream.script(json(200, { object: 'list', data: [] }))
    const ask = async (node: Node, key: string) => {
      const headers = { authorization: `Bearer ${key}` }
      const answer = await fetch(`${node.url}/v1/models`, { headers })
      return /"code":"([^"]*)"/.exec(await answer.text())?.[1] ?? String(answer.status)
    }
    const outcomes = { disable: 'user_disabled', delete: 'token_owner_deleted' }
    for (const [action, refusal] of Object.entries(outcomes)) {
      const id = await person(`owner-${action}`)
      const key = await (await visitor(a, `owner-${action}`)).key(a)
      for (const node of [a, b]) t.equal(await ask(node, key), '200')
      await admin.must(a, 'POST', '/api/user/manage', { id, action })
      t.equal(await ask(a, key), refusal, 'at once where it was done')
      t.equal(await inForce(() => ask(b, key), refusal), refusal, 'and at the other')
    }
  })

  await t.test('[AUTH-4] proofs and access tokens count for both, once', async (t) => {
    await person('grace')
    const grace = await visitor(a, 'grace')
    const proof = await grace.prove(a, 'access_token')
    const first = await grace.must(b, 'POST', '/api/user/token', {}, proof)
    t.match(await grace.call(a, 'POST', '/api/user/token', {}, proof), { status: 403 })
    const script = async (node: Node, authorization: string) =>
      (await new Visitor().call(node, 'GET', '/api/user/self', undefined, { authorization })).status
    t.equal(await script(a, first), 200)
    t.equal(await script(b, first), 200)
    const again = await grace.prove(b, 'access_token')
    const second = await grace.must(a, 'POST', '/api/user/token', {}, again)
    t.equal(await script(b, first), 401, 'the one before is dead at the other')
    t.equal(await script(b, second), 200)
    const contested = await grace.prove(a, 'access_token')
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        grace.call(index % 2 === 0 ? a : b, 'POST', '/api/user/token', {}, contested),
      ),
    )
    t.equal(results.filter(({ status }) => status === 200).length, 1)
  })

  await t.test(
    '[AUTH-8] a state begun at one ends at the other, once, in its browser',
    async (t) => {
      const place = await localPlace(t)
      const operator = management(a.url)
      const [made] = await rows('SELECT username FROM users WHERE role = 100')
      await operator.login(String(made?.username), password)
      await openOidc(operator, place)
      const offered = async () =>
        JSON.stringify(await new Visitor().must(b, 'GET', '/api/oauth/providers')).includes('oidc')
      t.equal(await inForce(offered, true), true)
      const who = known(place, 'oidc-ada')
      const form = { provider: 'oidc', intent: 'login' }
      const [own, thief] = [new Visitor(), new Visitor()]
      const begun = await own.must(a, 'POST', '/api/oauth/state', form)
      const brought = await browser(a.url).visit(begun.authorize_url, who)
      const path = `/api/oauth/oidc?${brought}`
      t.match(await thief.call(b, 'GET', path), { status: 403, code: 'oauth_state_invalid' })
      const next = await own.must(a, 'POST', '/api/oauth/state', form)
      const back = await browser(a.url).visit(next.authorize_url, who)
      const ends = await Promise.all(
        [a, b, a, b].map((node) => own.call(node, 'GET', `/api/oauth/oidc?${back}`)),
      )
      t.equal(ends.filter(({ status }) => status === 200).length, 1)
      t.equal(await self(own, a), 200)
      t.equal(await self(own, b), 200)
      t.equal((await rows("SELECT FROM oauth_identities WHERE subject = 'oidc-ada'")).length, 1)
    },
  )

  await t.test('[AUTH-7] switches of an admin hold at the other', async (t) => {
    await person('lin')
    const readResult = async () => {
      const { status, code } = await new Visitor().signIn(b, 'lin')
      return code ?? String(status)
    }
    t.equal(await readResult(), '200')
    await admin.option(a, 'PasswordLoginEnabled', false)
    t.equal(await inForce(readResult, 'feature_off'), 'feature_off')
    await admin.option(a, 'PasswordLoginEnabled', true)
    t.equal(await inForce(readResult, '200'), '200')
    await admin.option(a, 'TurnstileSiteKey', 'site')
    await admin.option(a, 'TurnstileSecretKey', 'canary-challenge-secret')
    await admin.option(a, 'TurnstileCheckEnabled', true)
    t.equal(await inForce(readResult, 'challenge_required'), 'challenge_required')
    await admin.option(a, 'TurnstileCheckEnabled', false)
    t.equal(await inForce(readResult, '200'), '200')
  })

  await t.test('[API-3] both are shown, and one that was killed is stale and goes', async (t) => {
    const shown = async () => {
      const list: readonly { node_name: string; status: string }[] = await admin.must(
        ...([a, 'GET', '/api/system-info/instances'] as const),
      )
      return list.map(({ node_name, status }) => `${node_name} ${status}`)
    }
    t.same(await shown(), ['a online', 'b online'])
    await b.end('SIGKILL')
    t.same(await shown(), ['a online', 'b online'], 'nobody knows yet')
    await rows(
      "UPDATE system_instances SET last_seen_at = now() - interval '85 s' WHERE node_name = 'b'",
    )
    const remove = () => admin.must(a, 'DELETE', '/api/system-info/stale-instances')
    t.same(await remove(), { deleted_count: 0 })
    await rows(
      "UPDATE system_instances SET last_seen_at = now() - interval '91 s' WHERE node_name = 'b'",
    )
    t.same(await shown(), ['a online', 'b stale'])
    t.same(await remove(), { deleted_count: 1 })
    t.same(await shown(), ['a online'])
  })
})

t.test(
  '[LIMIT-2] two processes with one Redis count together, without it each for itself',
  {
    skip: skip || (noRedis ?? false),
  },
  async (t) => {
    const limit = { GLOBAL_API_RATE_LIMIT: '4', GLOBAL_API_RATE_LIMIT_DURATION: '600' }
    const ask = async (node: Node) => (await fetch(`${node.url}/api/status`)).status
    const redis = await redisServer(t)
    await redis.start()
    const together = await startPair(t, { ...limit, REDIS_URL: redis.url })
    const statuses = []
    for (const node of ['a', 'b', 'b', 'a', 'a', 'b'] as const) {
      statuses.push(await ask(together[node]))
    }
    t.same(statuses, [200, 200, 200, 200, 429, 429])
    const apart = await startPair(t, limit)
    for (const node of [apart.a, apart.b]) {
      const results = []
      for (let turn = 0; turn < 5; turn++) results.push(await ask(node))
      t.same(results, [200, 200, 200, 200, 429])
    }
  },
)
