/** The first start: one root, by whoever holds the code the gateway printed. */
import t, { type Test } from 'tap'
import type { Database } from '../../../kernel/contract/services/database.js'
import type { System } from '../../../kernel/contract/services/system.js'
import createSetupArea from '../../../plugins/management/setup/index.js'
import type { Options } from '../../../plugins/services/options/index.js'
import type { Setup } from '../../../plugins/services/setup/index.js'
import { FakeClock } from '../../kit/clock.js'
import { quietLog } from '../../kit/fakes.js'
import {
  call,
  data,
  managementFixture,
  password,
  passwordSignIn,
  type RequestOptions,
  settingsOf,
} from './management-fixture.js'

const formWithCode = { username: 'root', password, confirmPassword: password, code: 'CODE' }
const form = formWithCode
const local: RequestOptions = { address: '127.0.0.1', headers: { host: 'localhost:3000' } }

type Place = Partial<Pick<System['environment'], 'host' | 'allowPrivateUpstreams'>>

function areaOver(database: Database, setup: Setup, stored: object[] = [], place: Place = {}) {
  const system = { environment: { host: '127.0.0.1', ...place } } as System
  const put = async (values: object) => void stored.push(values)
  const options = { put } as unknown as Options
  const life = { settings: settingsOf({}), clock: new FakeClock(), log: quietLog }
  return createSetupArea({ ...life, services: { database, setup, options, system } })
}

t.test('[API-2] of many at once one makes the root, and the public state states so', async (t) => {
  const { database, setup, ledger, identity, log } = await managementFixture(t)
  const stored: object[] = []
  const area = areaOver(database, setup, stored)
  const database_type = database.kind === 'postgresql' ? 'postgres' : 'pglite'
  const suggested = { RegisterEnabled: true, PrivateUpstreamsEnabled: true }
  const fresh = { status: false, root_init: false, database_type, suggested }
  t.same(await data(area, 'read', local), fresh)
  const code = String(setup.code())
  t.match(code, /^([A-HJKMNP-Z0-9]{4}-){2}[A-HJKMNP-Z0-9]{4}$/)
  t.match(log.lines.join('\n'), code, 'the code is printed')

  const racers = Array.from({ length: 20 }, (_, n) =>
    call(area, 'complete', {
      ...local,
      body: {
        ...form,
        code,
        username: `root${n}`,
        root_balance: 700,
        SelfUseModeEnabled: n % 2 === 0,
        DemoSiteEnabled: false,
      },
    }),
  )
  const results = await Promise.allSettled(racers)
  const lost = results.filter((result) => result.status === 'rejected')
  t.equal(lost.length, 19)
  for (const result of lost) t.match(result, { reason: { code: 'setup_done' } })
  const roots = await database.knex('users').where('role', 100)
  t.equal(roots.length, 1)
  const number = Number(roots[0].username.slice('root'.length))
  const modes = { SelfUseModeEnabled: number % 2 === 0, DemoSiteEnabled: false }
  t.strictSame(stored, [modes], 'of the forms only what the winner chose is stored')
  const [won] = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  const actor = { userId: roots[0].id, username: roots[0].username, role: 100 }
  t.match(won.audit, { actor, object: `user ${actor.username}` })
  t.notMatch(JSON.stringify(won), password)

  t.same(await data(area, 'read', local), { status: true, root_init: true, database_type })
  t.equal(setup.code(), undefined)
  await t.rejects(call(area, 'complete', { ...local, body: form }), { code: 'setup_done' })
  const { username, id } = roots[0]
  const attempt = { username, password, address: '', userAgent: '', secure: false }
  t.match((await passwordSignIn(identity, attempt)).principal, { role: 100, group: 'default' })
  t.match((await ledger.wallets([id])).get(id), { posted: 700n, active: true })
})

t.test('a root made by another process ends the setup here', async (t) => {
  const { setup, person } = await managementFixture(t)
  t.notOk(setup.done())
  await person('root', 100)
  t.ok(setup.done())
})

/** A setup that never ends, with the code `CODE`. */
function endless(made: string[] = []): Setup {
  return {
    done: () => false,
    code: () => 'CODE',
    isCode: (text) => text === 'CODE',
    async complete({ username }) {
      made.push(username)
    },
  }
}

/** Knows one user, who is root. */
const rows = {
  select: () => rows,
  where: () => rows,
  first: async () => ({ id: 1, username: 'root' }),
}
const nowhere = { kind: 'pglite', knex: () => rows } as unknown as Database

t.test('[AUTH-11] from wherever it is queried, setup needs the code', async (t: Test) => {
  const made: string[] = []
  const area = areaOver(nowhere, endless(made))
  const { code: _, ...form } = formWithCode
  const far: RequestOptions = { address: '203.0.113.9', headers: { host: 'gateway.example' } }
  const rows: [RequestOptions, boolean][] = [
    [{ ...far, body: form }, false],
    [{ ...far, body: { ...form, code: 'EDOC' } }, false],
    [{ ...far, headers: { host: 'localhost' }, body: form }, false],
    [{ address: '127.0.0.1', headers: { host: 'gateway.example' }, body: form }, false],
    [{ address: '127.0.0.1', headers: {}, body: form }, false],
    [{ ...far, body: { ...form, code: 'CODE' } }, true],
    [{ ...far, headers: { 'x-setup-code': 'CODE' }, body: form }, true],
    // A proxy on this machine, which passes nothing on of who asks, looks just the same.
    [{ ...local, body: form }, false],
    [{ address: '::1', headers: { host: '[::1]:3000' }, body: form }, false],
    [{ address: '::ffff:127.0.0.1', headers: { host: '127.0.0.1:3000' }, body: form }, false],
    [{ ...local, body: { ...form, code: 'code' } }, false],
    [{ ...local, body: { ...form, code: 'CODE' } }, true],
  ]
  for (const [at, [request, admitted]] of rows.entries()) {
    const outcome = await call(area, 'complete', request).then(
      () => 'admitted',
      (error) => error.code,
    )
    t.equal(outcome, admitted ? 'admitted' : 'setup_code_required', `row ${at}`)
  }
  t.equal(made.length, rows.filter(([, admitted]) => admitted).length)
})

t.test('a form with a fault names the field', async (t) => {
  const made: string[] = []
  const stored: object[] = []
  const area = areaOver(nowhere, endless(made), stored)
  const rows = [
    [{ username: '' }, 'username'],
    [{ username: 'a b' }, 'username'],
    [{ username: 'x'.repeat(33) }, 'username'],
    [{ password: 'short', confirmPassword: 'short' }, 'password'],
    [{ password: 'x'.repeat(129), confirmPassword: 'x'.repeat(129) }, 'password'],
    [{ confirmPassword: 'another one' }, 'confirmPassword'],
    [{ SelfUseModeEnabled: 'perhaps' }, 'SelfUseModeEnabled'],
    [{ DemoSiteEnabled: 7 }, 'DemoSiteEnabled'],
  ] as const
  for (const [over, field] of rows) {
    const refused = call(area, 'complete', { ...local, body: { ...form, ...over } })
    await t.rejects(refused, { code: 'invalid_field', param: field })
  }
  t.same(made, [])
  await call(area, 'complete', { ...local, body: { ...form, username: ' Zoe\u0308 ' } })
  t.same(made, ['Zo\u00eb'], 'a name is kept trimmed and composed')
  t.same(stored, [], 'what a form does not say stays as it is')
})

const far: RequestOptions = { address: '203.0.113.9', headers: { host: 'gateway.example' } }

t.test('[API-2] what setup suggests hangs on where the gateway stands', async (t) => {
  const suggestedTo = async (requested: RequestOptions, place: Place = {}) =>
    (await data(areaOver(nowhere, endless(), [], place), 'read', requested)).suggested
  const both = (isOn: boolean) => ({ RegisterEnabled: isOn, PrivateUpstreamsEnabled: isOn })
  t.strictSame(await suggestedTo(local), both(true))
  t.strictSame(await suggestedTo({ ...local, headers: { host: '[::1]:3000' } }), both(true))
  t.strictSame(await suggestedTo(local, { host: 'localhost' }), both(true))
  t.strictSame(await suggestedTo(local, { host: '0.0.0.0' }), both(false))
  t.strictSame(await suggestedTo(far), both(false))
  t.strictSame(await suggestedTo({ ...local, headers: { host: 'gateway.example' } }), both(false))
  for (const name of ['forwarded', 'via', 'x-real-ip', 'x-forwarded-for', 'cf-connecting-ip']) {
    const headers = { ...local.headers, [name]: '127.0.0.1' }
    t.strictSame(await suggestedTo({ ...local, headers }), both(false), name)
  }
  const decided = { allowPrivateUpstreams: true }
  t.strictSame(await suggestedTo(local, decided), { RegisterEnabled: true }, 'no question then')
})

t.test('[API-2] on a public address nobody may join unless the form states so', async (t) => {
  const storedBy = async (requested: RequestOptions, place: Place = {}) => {
    const stored: object[] = []
    const order: string[] = []
    const setup = endless(order)
    const area = areaOver(nowhere, setup, stored, place)
    await call(area, 'complete', requested)
    return stored
  }
  const closed = { RegisterEnabled: false, PrivateUpstreamsEnabled: false }
  t.strictSame(await storedBy({ ...far, body: form }), [closed, closed])
  t.strictSame(await storedBy({ ...local, body: form }, { host: '0.0.0.0' }), [closed, closed])
  const chosen = { ...form, RegisterEnabled: true }
  const joining = { RegisterEnabled: true, PrivateUpstreamsEnabled: false }
  t.strictSame(await storedBy({ ...far, body: chosen }), [
    { PrivateUpstreamsEnabled: false },
    joining,
  ])
  t.strictSame(await storedBy({ ...local, body: form }), [], 'at home all stays as it is')
})

t.test('[API-2] what closes is stored before there is a root who could be joined', async (t) => {
  const done: string[] = []
  const options = { put: async (values: object) => void done.push(JSON.stringify(values)) }
  const setup = { ...endless(), complete: async () => void done.push('root') }
  const life = { settings: settingsOf({}), clock: new FakeClock(), log: quietLog }
  const system = { environment: { host: '0.0.0.0' } } as System
  const services = { database: nowhere, setup, options: options as unknown as Options, system }
  await call(createSetupArea({ ...life, services }), 'complete', {
    ...far,
    body: { ...form, RegisterEnabled: false, PrivateUpstreamsEnabled: true },
  })
  t.strictSame(done, [
    '{"RegisterEnabled":false}',
    'root',
    '{"RegisterEnabled":false,"PrivateUpstreamsEnabled":true}',
  ])
})
