/**
 * Money around accounts in two gateways on one PostgreSQL: what is sent again counts once, wherever it is sent and
 * whoever died meanwhile, and an account that ends leaves books that add up.
 */
import pg from 'pg'
import t, { type Test } from 'tap'
import { databaseKind } from '../kit/database.js'
import { root, setupCodeOf } from '../kit/management.js'
import { ledgerCheck } from '../kit/process.js'
import { chat, json, type Script, scriptedUpstream } from '../kit/upstream.js'
import { inForce, type Pair, startPair, Visitor, visitor } from './kit/pair.js'

t.setTimeout(240_000)

const skip = databaseKind === 'pglite' && 'the embedded database serves one process only'
const unit = 500_000
const { username, password } = root

interface ScriptedGateway extends Pair {
  readonly admin: Visitor
  person(name: string, funds?: number): Promise<{ readonly id: number; readonly self: Visitor }>
  /** What stands in a wallet. */
  wallet(userId: number): Promise<{ posted: bigint; held: bigint; active: boolean }>
  booksAddUp(t: Test): Promise<void>
}

async function scriptedGateway(t: Test): Promise<ScriptedGateway> {
  const pair = await startPair(t)
  const { a, place, rows } = pair
  const admin = new Visitor()
  const code = setupCodeOf(a.url)
  const form = { username, password, confirmPassword: password, code }
  await admin.must(a, 'POST', '/api/setup', form)
  await admin.signIn(a, username)
  return {
    ...{ ...pair, admin },
    async person(name, funds = 0) {
      const form = { username: name, password, role: 1 }
      const { id } = await admin.must(a, 'POST', '/api/user/', form)
      if (funds > 0)
        await admin.must(
          a,
          'POST',
          '/api/user/manage',
          gift(id, funds),
          await admin.prove(a, 'balance'),
        )
      return { id, self: await visitor(a, name) }
    },
    async wallet(userId) {
      const text =
        "SELECT posted, held, active FROM accounts WHERE kind = 'wallet' AND owner_id = $1"
      const { posted, held, active } = (await rows(text, [userId]))[0]!
      return { posted: BigInt(String(posted)), held: BigInt(String(held)), active: Boolean(active) }
    },
    async booksAddUp(t) {
      const check = await ledgerCheck(place)
      t.equal(check.code, 0, check.output)
    },
  }
}

const gift = (id: number, value: number) => ({
  ...{ id, action: 'add_quota', mode: 'add', value, remark: 'a gift' },
})

t.test('money that is sent again', { skip }, async (t) => {
  const own = await scriptedGateway(t)
  const { a, b, admin, rows, place } = own

  await t.test('[BILL-2] newcomers at both bring each reward once', async (t) => {
    const amounts = { QuotaForNewUser: unit, QuotaForInvitee: 7, QuotaForInviter: 2 * unit }
    for (const [key, value] of Object.entries(amounts)) await admin.option(a, key, value)
    const inviter = await own.person('inviter')
    const aff_code = await inviter.self.must(a, 'GET', '/api/user/aff')
    const join = (name: string, node: typeof a) =>
      new Visitor().call(node, 'POST', '/api/user/register', { username: name, password, aff_code })
    const probe = async () => {
      await join(`probe${performance.now()}`, b)
      const [last] = await rows("SELECT count(*)::integer AS n FROM transfers WHERE kind = 'grant'")
      return Number(last?.n) > 0
    }
    t.equal(await inForce(probe, true), true)
    const before = (await rows('SELECT FROM invitations')).length
    const results = await Promise.all(
      Array.from({ length: 24 }, (_, index) => join(`new${index >> 1}`, index % 2 === 0 ? a : b)),
    )
    t.equal(results.filter(({ status }) => status === 200).length, 12, 'a name is given once')
    const rewards = await rows('SELECT reward::integer AS reward FROM invitations')
    t.equal(rewards.length, before + 12)
    const [row] = await rows('SELECT aff_quota, aff_count FROM users WHERE id = $1', [inviter.id])
    const earned = rewards.reduce((sum, { reward }) => sum + Number(reward), 0)
    t.match(row, { aff_quota: String(earned), aff_count: rewards.length })
    for (const { id } of await rows("SELECT id FROM users WHERE username LIKE 'new%'")) {
      t.equal((await own.wallet(Number(id))).posted, BigInt(unit + 7))
    }
    await own.booksAddUp(t)

    const transfer = (node: typeof a, key: string) =>
      inviter.self.call(node, 'POST', '/api/user/aff_transfer', { quota: unit }, idempotent(key))
    const same = await Promise.all(
      Array.from({ length: 20 }, (_, index) => transfer(index % 2 === 0 ? a : b, 'same')),
    )
    t.ok(same.every(({ status }) => status === 200))
    t.equal((await own.wallet(inviter.id)).posted, BigInt(unit))
    const each = await Promise.all(
      Array.from({ length: 60 }, (_, index) => transfer(index % 2 === 0 ? a : b, `own${index}`)),
    )
    const moved = each.filter(({ status }) => status === 200).length
    t.equal(moved, Math.floor(earned / unit) - 1, 'never more than there is')
    t.equal((await own.wallet(inviter.id)).posted, BigInt(unit * (moved + 1)))
    await own.booksAddUp(t)
  })

  await t.test('[BILL-2] an admin’s gift sent to both at once is one', async (t) => {
    const { id } = await own.person('gifted')
    const givers = await Promise.all([a, b, a, b].map((node) => visitor(node, username)))
    const results = await Promise.all(
      givers.map(async (giver, index) => {
        const node = index % 2 === 0 ? a : b
        const headers = { ...(await giver.prove(node, 'balance')), ...idempotent('gift') }
        return giver.call(node, 'POST', '/api/user/manage', gift(id, unit), headers)
      }),
    )
    t.ok(results.every(({ status }) => status === 200))
    t.equal((await own.wallet(id)).posted, BigInt(unit))
    await own.booksAddUp(t)
  })

  await t.test(
    '[BILL-2] a process killed between commit and answer: the client asks the other again',
    async (t) => {
      const { id, self } = await own.person('patient')
      await rows('UPDATE users SET aff_quota = $2, aff_history = $2 WHERE id = $1', [id, 3 * unit])
      const invited = await own.person('invited')
      await rows('INSERT INTO invitations (invitee_id, inviter_id, reward) VALUES ($1, $2, $3)', [
        ...[invited.id, id, 3 * unit],
      ])
      const giver = await visitor(b, username)
      const proof = await giver.prove(b, 'balance')
      // The line of the audit log is written behind the movement and before the answer: here it waits.
      const holder = new pg.Client(place.DATABASE_URL)
      await holder.connect()
      await holder.query("SELECT pg_advisory_lock(hashtext('waybill audit'))")
      const writes = [
        self.call(b, 'POST', '/api/user/aff_transfer', { quota: unit }, idempotent('late')),
        giver.call(b, 'POST', '/api/user/manage', gift(id, 9), { ...proof, ...idempotent('late') }),
      ].map((write) => write.then(({ status }) => status).catch(() => 'no answer'))
      const committed = async () => (await own.wallet(id)).posted
      t.equal(await inForce(committed, BigInt(unit + 9)), BigInt(unit + 9))
      await b.end('SIGKILL')
      t.same(await Promise.all(writes), ['no answer', 'no answer'])
      await holder.end()
      const again = await self.call(
        a,
        'POST',
        '/api/user/aff_transfer',
        { quota: unit },
        idempotent('late'),
      )
      t.match(again, { status: 200, data: { aff_quota: 2 * unit } })
      const headers = { ...(await admin.prove(a, 'balance')), ...idempotent('late') }
      const gave = await admin.call(a, 'POST', '/api/user/manage', gift(id, 9), headers)
      t.match(gave, { status: 200, data: { quota: unit + 9 } })
      t.equal((await own.wallet(id)).posted, BigInt(unit + 9))
      await own.booksAddUp(t)
    },
  )
})

t.test('an account that ends while its keys are in use', { skip }, async (t) => {
  const own = await scriptedGateway(t)
  const { a, b, admin, rows } = own
  const upstream = await scriptedUpstream(t)
  const form = {
    type: 1,
    name: 'one',
    key: 'k',
    base_url: upstream.url,
    models: 'm',
    group: 'default',
  }
  await admin.must(a, 'POST', '/api/channel/', form)
  for (const key of ['ModelRatio', 'CompletionRatio']) await admin.option(a, key, { m: 1 })
  const ask = (node: typeof a, key: string, over: object = {}) =>
    fetch(`${node.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hello' }], ...over }),
    })
  const served = async (key: string) => {
    const answer = await ask(b, key)
    await answer.text()
    return answer.status
  }

  for (const doing of ['delete', 'disable', 'their own doing'] as const) {
    await t.test(`a stream at the other process ends within two seconds: ${doing}`, async (t) => {
      const { id, self } = await own.person(`stream-${doing.split(' ').at(-1)}`, 10 * unit)
      const key = await self.key(a)
      upstream.script(json(200, chat.whole('Hi.', 10, 10)))
      t.equal(await inForce(() => served(key), 200), 200)
      upstream.script(endless)
      const stream = (await ask(b, key, { stream: true, max_tokens: 1000 })).body!.getReader()
      await stream.read()
      t.not((await own.wallet(id)).held, 0n)
      if (doing === 'their own doing') {
        const headers = await self.prove(a, 'account_delete')
        await self.must(a, 'DELETE', '/api/user/self', undefined, headers)
      } else await admin.must(a, 'POST', '/api/user/manage', { id, action: doing })
      const began = performance.now()
      for (let end = false; !end; )
        end = await stream.read().then(
          ({ done }) => done,
          () => true,
        )
      t.ok(performance.now() - began < 2_500, `${Math.round(performance.now() - began)} ms`)
      t.equal(await inForce(async () => (await own.wallet(id)).held, 0n), 0n)
      const { posted, active } = await own.wallet(id)
      t.equal(active, false)
      t.ok(posted < BigInt(10 * unit), 'what was stated is charged')
      t.not(await served(key), 200)
      await own.booksAddUp(t)
    })
  }

  await t.test('a deletion among many requests of all keys', async (t) => {
    upstream.script(json(200, chat.whole('Hi.', 10, 10)))
    const { id, self } = await own.person('busy', 10 * unit)
    const keys = await Promise.all([self.key(a), self.key(a), self.key(a)])
    for (const key of keys) t.equal(await inForce(() => served(key), 200), 200)
    let isOver = false
    const statuses = new Set<number>()
    const callers = Array.from({ length: 24 }, async (_, index) => {
      while (!isOver) {
        const answer = await ask(index % 2 === 0 ? a : b, keys[index % 3]!)
        await answer.text()
        statuses.add(answer.status)
      }
    })
    while (statuses.size === 0) await new Promise((resolve) => setImmediate(resolve))
    await admin.must(a, 'DELETE', `/api/user/${id}`)
    const { posted } = await own.wallet(id)
    for (const key of keys) t.equal(await served(key), 403, 'not one more')
    isOver = true
    await Promise.all(callers)
    t.same([...statuses].sort(), [200, 403])
    t.equal(await inForce(async () => (await own.wallet(id)).held, 0n), 0n)
    t.ok((await own.wallet(id)).posted <= posted)
    t.same(await rows('SELECT FROM sessions WHERE user_id = $1', [id]), [])
    await own.booksAddUp(t)
  })
})

const idempotent = (key: string) => ({ 'idempotency-key': key })

/** A word after the other until nobody listens. */
const endless: Script = async (_, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  while (!response.destroyed) {
    await new Promise((resolve) => response.write(chat.delta('word '), resolve))
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
