/** What people read of what happened to the ways into their accounts, and how an admin ends somebody's sessions. */
import t from 'tap'
import { FakeClock } from '../kit/clock.js'
import { startGateway } from '../kit/gateway.js'
import { type Management, management } from '../kit/management.js'

const password = 'correct horse battery'
const dayMs = 86_400_000
const minuteMs = 60_000
const clock = new FakeClock(Date.now())
const { url, admin, gateway } = await startGateway(t, {
  clock,
  environment: { trustedProxies: ['127.0.0.1'] },
})
const { knex } = gateway.service('database')
const path = '/api/user/self/security_events'
let people = 0

interface Event {
  readonly id: number
  readonly kind: string
  readonly at: number
  readonly address: string
  readonly detail: string
}

interface Person extends Management {
  readonly id: number
  readonly username: string
}

/** Has no mail address and no way to be sent a notice. */
async function person(role: 1 | 10 = 1): Promise<Person> {
  const username = `person${++people}`
  const { id } = await admin.must('POST', '/api/user/', { username, password, role })
  const client = management(url)
  await client.login(username, password)
  return { ...client, username, id }
}

async function kindsOf(client: Management): Promise<readonly string[]> {
  const { items } = await client.must('GET', `${path}?page_size=100`)
  return items.map(({ kind }: Event) => kind)
}

const fail = (username: string, address: string) =>
  management(url).call(
    'POST',
    '/api/user/login',
    { username, password: 'a guess' },
    { 'x-forwarded-for': address },
  )

/** Failures once the minute is over. */
async function failures(client: Management, detail: string): Promise<Event> {
  clock.advance(minuteMs)
  for (;;) {
    const { items } = await client.must('GET', path)
    const found = items.find((one: Event) => one.kind === 'failed_sign_ins')
    if (found?.detail === detail) return found
    await new Promise(setImmediate)
  }
}

t.test(
  '[API-9] what happened to an account is listed for its owner alone, also where no notice could be sent',
  async (t) => {
    const ada = await person()
    const bob = await person()
    await ada.token()
    await ada.must('POST', '/api/user/token', {}, await ada.prove('access_token', password))
    const next = 'seven red lanterns'
    await ada.must('PUT', '/api/user/self', { password: next, original_password: password })
    t.same(await kindsOf(ada), ['password_changed', 'access_token_made', 'api_key_made'])
    t.same(await knex('outbox').where('user_id', ada.id), [], 'nobody could be sent a notice')
    const page = await ada.must('GET', `${path}?page=2&page_size=2`)
    t.match(page, { page: 2, page_size: 2, total: 3 })
    t.match(page.items, [{ kind: 'api_key_made', address: '127.0.0.1', detail: '' }])
    t.equal(page.items[0].at, Math.floor(clock.now() / 1000))
    t.same(await kindsOf(bob), [])
    t.notMatch(
      JSON.stringify(await knex('security_events').select('kind', 'address', 'detail')),
      next,
    )
  },
)

t.test(
  '[API-9] failed sign-ins are one event an hour with their number, and push out nothing else',
  async (t) => {
    const ada = await person()
    await ada.token()
    for (let at = 0; at < 3; at++) await fail(ada.username, '198.51.100.7')
    t.match(await failures(ada, '3'), { address: '198.51.100.7' })
    await fail(ada.username, '203.0.113.9')
    t.match(await failures(ada, '4'), { address: '203.0.113.9' })
    t.same(await kindsOf(ada), ['failed_sign_ins', 'api_key_made'])
    const flood = Array.from({ length: 150 }, () => ({
      ...{ user_id: ada.id, kind: 'access_token_made', at: new Date(clock.now()) },
      ...{ address: '192.0.2.1', detail: '' },
    }))
    await knex('security_events').insert(flood)
    await ada.must('POST', '/api/user/token', {}, await ada.prove('access_token', password))
    const { total } = await ada.must('GET', path)
    t.equal(total, 102, 'a hundred of the kind that floods, and one of each other')
  },
)

t.test(
  '[API-9] a sign-in from a new place is listed though its notice is not wanted',
  async (t) => {
    const ada = await person()
    await ada.must('PUT', '/api/user/setting', { sign_in_notices: false })
    const from = { 'x-forwarded-for': '198.51.100.7' }
    const form = { username: ada.username, password }
    t.equal((await management(url).call('POST', '/api/user/login', form, from)).status, 200)
    t.same(await kindsOf(ada), ['new_sign_in'])
  },
)

t.test(
  '[API-9] events go after the days that the option names, and with the account',
  async (t) => {
    const ada = await person()
    await ada.token()
    const old = new Date(clock.now() - 31 * dayMs)
    await knex('security_events').where('user_id', ada.id).update('at', old)
    await ada.must('POST', '/api/user/token', {}, await ada.prove('access_token', password))
    await admin.option('SecurityEventDays', 30)
    clock.advance(3_600_000)
    while ((await kindsOf(ada)).length > 1) await new Promise(setImmediate)
    t.same(await kindsOf(ada), ['access_token_made'])
    await admin.must('DELETE', `/api/user/${ada.id}`)
    t.same(await knex('security_events').where('user_id', ada.id), [])
  },
)

t.test(
  '[AUTH-2] an admin ends every session of those below, is informed how many, and nobody of equal rank',
  async (t) => {
    const boss = await person(10)
    const peer = await person(10)
    const ada = await person()
    const second = management(url)
    await second.login(ada.username, password)
    const sessions = `/api/user/${ada.id}/sessions`
    t.equal((await ada.call('DELETE', sessions)).status, 403)
    t.equal((await boss.call('DELETE', `/api/user/${peer.id}/sessions`)).status, 403)
    t.equal((await boss.call('DELETE', `/api/user/${boss.id}/sessions`)).status, 403)
    t.equal((await boss.call('DELETE', '/api/user/1/sessions')).status, 403)
    t.same(await boss.must('DELETE', sessions), { ended: 2 })
    for (const client of [ada, second]) {
      t.equal((await client.call('GET', '/api/user/self')).status, 401)
    }
    t.same(await boss.must('DELETE', sessions), { ended: 0 })
    t.equal((await peer.call('GET', '/api/user/self')).status, 200)
    await ada.login(ada.username, password)
    const { items } = await ada.must('GET', path)
    t.match(items, [
      { kind: 'sessions_ended', detail: '0' },
      { kind: 'sessions_ended', detail: '2', address: '127.0.0.1' },
    ])
    const audited = await admin.must('GET', '/api/audit/?action=users.endSessions')
    t.match(audited.items[1], { actor_name: boss.username, object: `user ${ada.id}`, detail: '2' })
  },
)
