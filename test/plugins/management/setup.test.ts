/** The first start: one root, by whoever sits at the machine or holds the code it printed. */
import t, { type Test } from 'tap'
import type { Database } from '../../../kernel/contract/service.js'
import createSetupArea from '../../../plugins/management/setup/index.js'
import type { Options } from '../../../plugins/services/options/index.js'
import type { Setup } from '../../../plugins/services/setup/index.js'
import { FakeClock } from '../../kit/clock.js'
import { quietLog } from '../../kit/fakes.js'
import { type Asked, call, data, desk, password, passwordSignIn, settingsOf } from './desk.js'

const form = { username: 'root', password, confirmPassword: password }
const local: Asked = { address: '127.0.0.1', headers: { host: 'localhost:3000' } }

function areaOver(database: Database, setup: Setup, stored: object[] = []) {
  const put = async (values: object) => void stored.push(values)
  const options = { put } as unknown as Options
  const life = { settings: settingsOf({}), clock: new FakeClock(), log: quietLog }
  return createSetupArea({ ...life, services: { database, setup, options } })
}

t.test('[API-2] of many at once one makes the root, and the public state says so', async (t) => {
  const { database, setup, ledger, identity, log } = await desk(t)
  const stored: object[] = []
  const area = areaOver(database, setup, stored)
  const database_type = database.kind === 'postgresql' ? 'postgres' : 'pglite'
  t.same(await data(area, 'read'), { status: false, root_init: false, database_type })
  const code = String(setup.code())
  t.match(code, /^([A-HJKMNP-Z0-9]{4}-){2}[A-HJKMNP-Z0-9]{4}$/)
  t.match(log.lines.join('\n'), code, 'the code is printed')

  const racers = Array.from({ length: 20 }, (_, n) =>
    call(area, 'complete', {
      ...local,
      body: {
        ...form,
        username: `root${n}`,
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

  t.same(await data(area, 'read'), { status: true, root_init: true, database_type })
  t.equal(setup.code(), undefined)
  await t.rejects(call(area, 'complete', { ...local, body: form }), { code: 'setup_done' })
  const { username, id } = roots[0]
  const attempt = { username, password, address: '', userAgent: '', secure: false }
  t.match((await passwordSignIn(identity, attempt)).principal, { role: 100, group: 'default' })
  t.match((await ledger.wallets([id])).get(id), { posted: 0n, active: true })
})

t.test('a root made by another process ends the setup here', async (t) => {
  const { setup, person } = await desk(t)
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

t.test('from another machine setup needs the code', async (t: Test) => {
  const made: string[] = []
  const area = areaOver(nowhere, endless(made))
  const far: Asked = { address: '203.0.113.9', headers: { host: 'gateway.example' } }
  const rows: [Asked, boolean][] = [
    [{ ...far, body: form }, false],
    [{ ...far, body: { ...form, code: 'EDOC' } }, false],
    [{ ...far, headers: { host: 'localhost' }, body: form }, false],
    [{ address: '127.0.0.1', headers: { host: 'gateway.example' }, body: form }, false],
    [{ address: '127.0.0.1', headers: {}, body: form }, false],
    [{ ...far, body: { ...form, code: 'CODE' } }, true],
    [{ ...far, headers: { 'x-setup-code': 'CODE' }, body: form }, true],
    [{ address: '::1', headers: { host: '[::1]:3000' }, body: form }, true],
    [{ address: '::ffff:127.0.0.1', headers: { host: '127.0.0.1:3000' }, body: form }, true],
  ]
  for (const [at, [asked, admitted]] of rows.entries()) {
    const outcome = await call(area, 'complete', asked).then(
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
