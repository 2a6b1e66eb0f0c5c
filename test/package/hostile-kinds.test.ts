/**
 * Plugins of every kind at a gateway that was installed from its package, each function of which goes wrong in each way: what was
 * requested of it comes to nothing, and everybody else is served.
 */
import { join } from 'node:path'
import t from 'tap'
import { until } from '../kit/outside.js'
import { infect, type Way } from './infected.js'
import { homeOf, type Operated } from './installation.js'
import { idOf, writeSamples } from './samples.js'
import { unpackedPackage } from './tarball.js'
import {
  addChannel,
  callBack,
  chat,
  furnish,
  notify,
  order,
  signInByNova,
  startNova,
  submitClip,
} from './uses.js'

const unpacked = unpackedPackage(t)
const samples = writeSamples(unpacked)
const infection = infect(
  unpacked.folder,
  samples.map(({ folder }) => join(folder, 'dist/src')),
)
const nova = await startNova()
t.teardown(() => nova.close())
const home = await homeOf(t, unpacked)
const isolated = [idOf('provider'), idOf('task')]
const gateway = await home.start(
  samples.map(({ folder }) => folder),
  { PLUGINS_ISOLATED: isolated.join(',') },
)
const channels = await furnish(gateway, nova)

/** What people do with a plugin of each kind. Resolves with whether it came to what they wanted. */
const uses: Readonly<Record<string, (here: Operated) => Promise<boolean>>> = {
  provider: async (here) => (await chat(here, 'nova-1')).status === 200,
  guard: async (here) => (await chat(here, 'plain-1')).status === 200,
  async task(here) {
    const clip = await submitClip(here)
    if (clip === undefined) return false
    await here.admin.call('POST', `/api/task/${clip}/poll`, {})
    return (await here.admin.must('GET', `/api/task/${clip}`)).state === 'succeeded'
  },
  notifier: notify,
  async payment(here) {
    const before = await here.admin.balance()
    const placed = await order(here, nova).catch(() => undefined)
    if (placed === undefined) return false
    await callBack(here, placed)
    // What chats cost may be settled meanwhile.
    return (await here.admin.balance()) - before > 4_000_000n
  },
  oauth: async (here) => (await signInByNova(here)).success,
}

/** A channel that failed rests for a while, so another one takes its place. */
async function renewChannel(kind: string): Promise<void> {
  const which = kind === 'provider' ? 'chat' : 'clips'
  if (kind !== 'provider' && kind !== 'task') return
  await gateway.admin.must('DELETE', `/api/channel/${channels[which]}`)
  channels[which] = await addChannel(gateway.admin, nova.url, which)
}

const kindOf = (id: string) => id.slice(0, id.indexOf('.'))

/** Whether each kind works, and the functions its use reaches, as `payment.acme checkout`. */
const works = new Map<string, boolean>()
for (const [kind, use] of Object.entries(uses)) works.set(kind, await use(gateway))
const reached = [...infection.called()]

t.test('every kind works, and its functions are reached', async (t) => {
  for (const [kind, isFine] of works) t.ok(isFine, kind)
  t.ok(reached.length > 15, `${reached.length} functions: ${reached.join(', ')}`)
  t.strictSame(new Set(reached.map(kindOf)), new Set(Object.keys(uses)))
})

const atOnce: readonly Way[] = [
  ...['throws', 'throws nothing', 'rejects', 'returns a number'],
  ...['returns a trap', 'returns a gibibyte'],
] as Way[]

for (const name of reached) {
  const kind = kindOf(name)
  const use = uses[kind]!
  t.test(`${name} goes wrong`, async (t) => {
    for (const way of atOnce) {
      infection.trouble({ [name]: way })
      infection.called()
      await use(gateway)
      t.ok(infection.called().has(`${name} ${way}`), `it ${way}`)
      infection.trouble({})
      t.equal((await chat(gateway, 'plain-1')).status, 200, 'others are served')
      await renewChannel(kind)
      await until(() => use(gateway))
    }
  })
}

/** The limits are 30 and 60 s, so all wait at once. */
const hanging = {
  guard: 'guard.novawords check',
  notifier: 'notifier.nova-bell deliver',
  payment: 'payment.novapay checkout',
  oauth: 'oauth.novaid identify',
}

t.test('what never returns is given up, and others are served meanwhile', async (t) => {
  infection.called()
  infection.trouble(Object.fromEntries(Object.values(hanging).map((name) => [name, 'hangs'])))
  const waiting = Object.entries(hanging).map(async ([kind, name]) => {
    t.notOk(await uses[kind]!(gateway), `${name} came to nothing`)
  })
  const left = new Set(Object.values(hanging).map((name) => `${name} hangs`))
  await until(async () => {
    for (const name of infection.called()) left.delete(name)
    return left.size === 0
  })
  infection.trouble({})
  t.equal((await chat(gateway, 'plain-1')).status, 200)
  await Promise.all(waiting)
})

for (const name of [
  'provider.nova operations.chat.address',
  'task.novaclips operations.video.shape',
]) {
  t.test(`${name} loops`, async (t) => {
    const kind = kindOf(name)
    infection.trouble({ [name]: 'loops' })
    t.notOk(await uses[kind]!(gateway))
    infection.trouble({})
    t.equal((await chat(gateway, 'plain-1')).status, 200)
    await renewChannel(kind)
    await until(() => uses[kind]!(gateway))
  })
}

t.test('afterwards all is as it was', async (t) => {
  for (const [kind, use] of Object.entries(uses)) {
    await renewChannel(kind)
    await until(() => use(gateway))
    t.pass(kind)
  }
})

t.test('the process ends in order, and the books add up', async (t) => {
  t.match(await home.end(gateway), { code: 0, books: /all invariants hold/ })
})
