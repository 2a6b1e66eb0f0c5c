/** The ledger page's figures over real requests: they are those people are shown, and a broken book is reported by name. */
import t from 'tap'
import { toJson } from '../../../kernel/toolkit/management/envelope.js'
import { overviewRecord } from '../../../plugins/management/ledger/records.js'
import type { Overview } from '../../../plugins/services/ledger/index.js'
import { type Management, management } from '../../kit/management.js'
import { ask, model, scriptedGateway } from '../../kit/scripted-gateway.js'
import { chat, events, json } from '../../kit/upstream.js'

const gateway = await scriptedGateway(t)
const { admin, upstream, url } = gateway
const { knex } = gateway.gateway.service('database')
const password = 'correct horse battery'

interface Person extends Management {
  readonly id: number
}

async function person(username: string, role: number): Promise<Person> {
  const { id } = await admin.must('POST', '/api/user/', { username, password, role })
  const signedIn = management(url)
  await signedIn.login(username, password)
  return { ...signedIn, id }
}

const boss = await person('boss', 10)
const ada = await person('ada', 1)
await admin.credit(ada.id, 50_000)
const { key, id: tokenId } = await ada.token({ name: 'laptop' })
const authorization = `Bearer ${key}`

/** One request of ada, 180 each; answers its id. */
async function relayed(): Promise<string> {
  upstream.script(json(200, chat.whole('Hi.', 100, 20)))
  const answer = await gateway.chat(ask(), { authorization })
  const text = await answer.text()
  if (!answer.ok) throw new Error(text)
  await gateway.gateway.idle()
  return answer.headers.get('x-request-id')!
}

/** A stream of ada that stays open while `look` looks. */
async function underWay(look: (requestId: string) => Promise<void>): Promise<void> {
  let end: () => void = () => undefined
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  upstream.script(
    events(chat.role(), chat.delta('Hello'), ended, chat.stop(), chat.usage(10, 5), chat.done),
  )
  const answer = await gateway.chat(ask({ stream: true, max_tokens: 1000 }), { authorization })
  try {
    await look(answer.headers.get('x-request-id')!)
  } finally {
    end()
    await answer.text()
    await gateway.gateway.idle()
  }
}

interface UserShown {
  readonly id: number
  readonly quota: number
  readonly used_quota: number
}

async function usersShown(): Promise<readonly UserShown[]> {
  return (await boss.must('GET', '/api/user/?page_size=100')).items
}

function sumOf(users: readonly UserShown[], field: 'quota' | 'used_quota'): number {
  return users.reduce((sum, user) => sum + user[field], 0)
}

t.test('the sums are those of the users, and the book is in balance', async (t) => {
  await relayed()
  await relayed()
  const users = await usersShown()
  const shown = await boss.must('GET', '/api/ledger')
  t.match(shown, {
    accounts: users.length,
    balance: sumOf(users, 'quota'),
    held: 0,
    debt: { accounts: 0, quota: 0 },
    open_holds: 0,
    oldest_hold: null,
    blocked_accounts: 0,
    blocked: [],
  })
  const system = new Map<string, number>(
    shown.system_accounts.map(({ name, quota }: { name: string; quota: number }) => [name, quota]),
  )
  t.equal(system.get('revenue'), 360)
  t.equal(system.get('revenue'), sumOf(users, 'used_quota'))
  const sum = [...system.values()].reduce((all, quota) => all + quota, 0)
  t.equal(sum + shown.posted, 0, 'accounts of users and of the gateway together are 0')
  for (const [name, quota] of system) {
    const { rows } = await knex.raw(
      `SELECT coalesce(sum(CASE WHEN credit_account = a.id THEN amount ELSE -amount END), 0)::bigint
         AS quota
       FROM accounts a LEFT JOIN transfers ON a.id IN (credit_account, debit_account)
       WHERE a.kind = 'system' AND a.period_key = ?`,
      [name],
    )
    t.equal(BigInt(quota), rows[0].quota, `${name}, as its transfers say`)
  }
})

t.test('debt is distinguished from what others have', async (t) => {
  const users = await usersShown()
  await knex('accounts').where('owner_id', ada.id).decrement('posted', 60_000)
  const shown = await boss.must('GET', '/api/ledger')
  t.equal(shown.balance, sumOf(users, 'quota') - 60_000)
  const { quota } = users.find(({ id }) => id === ada.id)!
  t.strictSame(shown.debt, { accounts: 1, quota: 60_000 - quota })
  await knex('accounts').where('owner_id', ada.id).increment('posted', 60_000)
})

t.test('what a request under way has set aside is listed, and gone when it ends', async (t) => {
  await underWay(async (requestId) => {
    const { total, items, page, page_size } = await boss.must('GET', '/api/ledger/holds')
    t.strictSame({ total, page, page_size }, { total: 1, page: 1, page_size: 10 })
    t.match(items[0], {
      request_id: requestId,
      kind: 'sync',
      state: 'reserved',
      user_id: ada.id,
      username: 'ada',
      token_id: tokenId,
      token_name: 'laptop',
      model,
      instance: 'test',
    })
    t.ok(items[0].held >= 4000, 'the output limit at 4 each at least')
    t.ok(items[0].age_seconds >= 0 && items[0].age_seconds < 60)
    const shown = await boss.must('GET', '/api/ledger')
    t.equal(shown.held, items[0].held)
    t.equal(shown.balance, sumOf(await usersShown(), 'quota'))
    t.match(shown, {
      open_holds: 1,
      oldest_hold: { request_id: requestId, user_id: ada.id, username: 'ada' },
    })
    t.strictSame((await boss.must('GET', '/api/ledger/holds?p=2')).items, [])
  })
  t.match(await boss.must('GET', '/api/ledger/holds'), { total: 0, items: [] })
})

t.test('the entries of a request and of a user say why a balance is what it is', async (t) => {
  const requestId = await relayed()
  const wallet = { kind: 'wallet', user_id: ada.id, name: 'ada' }
  const one = await boss.must('GET', `/api/ledger/entries?request_id=${requestId}`)
  t.equal(one.total, 1)
  t.match(one.items, [
    {
      kind: 'settle',
      amount: 180,
      request_id: requestId,
      debit: wallet,
      credit: { account_id: -1, kind: 'system', user_id: 0, name: 'revenue' },
    },
  ])
  const all = await boss.must('GET', `/api/ledger/entries?user_id=${ada.id}&page_size=100`)
  t.equal(all.total, all.items.length)
  const credited = all.items.at(-1)
  t.match(credited, {
    kind: 'admin',
    amount: 50_000,
    debit: { name: 'adjustment' },
    credit: wallet,
    note: 'credit of a test',
  })
  const balance = all.items.reduce(
    (sum: number, { amount, credit }: { amount: number; credit: { user_id: number } }) =>
      credit.user_id === ada.id ? sum + amount : sum - amount,
    0,
  )
  t.equal(BigInt(balance), await ada.balance(), 'they add up to the balance')
  const byItsOwn = await boss.must(
    'GET',
    `/api/ledger/entries?request_id=${credited.request_id}&user_id=0`,
  )
  t.strictSame(byItsOwn.items, [credited], 'a credit is found by its request too')
})

t.test('the whole book, newest first, a page at a time', async (t) => {
  const whole = await boss.must('GET', '/api/ledger/entries?page_size=100')
  const ids: readonly number[] = whole.items.map(({ id }: { id: number }) => id)
  t.strictSame(
    [...ids].sort((a, b) => b - a),
    ids,
  )
  t.equal(whole.total, ids.length)
  const second = await boss.must('GET', '/api/ledger/entries?page_size=2&p=2')
  t.strictSame(second.items, whole.items.slice(2, 4))
  t.strictSame((await boss.must('GET', '/api/ledger/entries?p=999')).items, [])
  const both = await boss.call('GET', '/api/ledger/entries?request_id=a&user_id=1')
  t.equal(both.status, 400)
  t.match(await boss.must('GET', '/api/ledger/entries?user_id=999999'), { total: 0, items: [] })
})

interface Checked {
  readonly breaches: number
  readonly invariants: readonly { readonly id: string; readonly breaches: readonly string[] }[]
}

const broken = ({ invariants }: Checked) =>
  invariants.filter(({ breaches }) => breaches.length > 0).map(({ id }) => id)

t.test('a check names every invariant, and what breaks it', async (t) => {
  const well = await admin.must('POST', '/api/ledger/check', {})
  t.equal(well.breaches, 0)
  t.ok(well.invariants.length >= 9)
  for (const { id, name, rule, breaches, has_more } of well.invariants) {
    t.match({ id, name, rule }, { id: /^I\d+$/, name: /^[A-Z].{8,}$/, rule: /^[A-Z].{20,}\.$/ })
    t.strictSame({ breaches, has_more }, { breaches: [], has_more: false })
  }

  await knex('accounts').where('owner_id', ada.id).increment('posted', 7)
  const { rows } = await knex.raw('SELECT id, posted FROM accounts WHERE owner_id = ?', [ada.id])
  const [{ id, posted }] = rows
  const cooked = await admin.must('POST', '/api/ledger/check', {})
  t.strictSame(broken(cooked), ['I1', 'I3'])
  t.strictSame(cooked.invariants[0].breaches, [
    `account ${id}: posted ${posted}, transfers say ${posted - 7n}`,
  ])
  const shown = await boss.must('GET', '/api/ledger')
  t.match(shown, {
    blocked_accounts: 1,
    blocked: [{ account_id: id, user_id: ada.id, username: 'ada' }],
    check: { running: false, last: { breaches: 2, scope: 'whole' }, failure: null },
  })
  t.strictSame(broken(shown.check.last), ['I1', 'I3'])
  t.equal(
    (await gateway.chat(ask(), { authorization })).ok,
    false,
    'a blocked account pays nothing',
  )

  await knex('accounts').where('owner_id', ada.id).decrement('posted', 7)
  t.strictSame(broken(await admin.must('POST', '/api/ledger/check', {})), [])
  t.match(await boss.must('GET', '/api/ledger'), { blocked_accounts: 0, blocked: [] })
  await relayed()
})

t.test('who asks for a check while one runs shares it', async (t) => {
  const { inspection } = gateway.gateway.service('ledger')
  const first = inspection.run()
  t.equal((await inspection.state()).running, true)
  t.equal(await inspection.run(), await first, 'the same run')
  t.equal((await inspection.state()).running, false)
})

t.test('admins read, root alone checks', async (t) => {
  t.equal((await boss.call('POST', '/api/ledger/check', {})).status, 403)
  for (const path of ['', '/holds', '/entries']) {
    t.equal((await ada.call('GET', `/api/ledger${path}`)).status, 403)
  }
  const audited = await admin.must('GET', '/api/audit/?action=ledger.check&page_size=1')
  t.match(audited.items, [{ object: 'ledger', detail: '0 breaches' }])
})

t.test('amounts beyond what a number is exact for are reported to the last unit', (t) => {
  const much = 9_007_199_254_740_993n
  const overview: Overview = {
    ...{ accounts: 1, posted: much, held: 2n, indebted: 0, debt: 0n, openHolds: 0 },
    system: [{ id: -1, name: 'revenue', balance: -much }],
    ...{ blocked: 0, blockedAccounts: [] },
  }
  const record = overviewRecord(overview, { running: false, last: undefined })
  t.match(JSON.parse(toJson(record)), {
    posted: '9007199254740993',
    balance: 9_007_199_254_740_991,
    held: 2,
    system_accounts: [{ quota: '-9007199254740993' }],
  })
  t.end()
})
