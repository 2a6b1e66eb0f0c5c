/** The life of plugins at a gateway that was installed from its package: written, installed, used, updated, and taken away. */
import t, { type Test } from 'tap'
import { scaffoldKinds } from '../../config/cli/plugin-new.js'
import { consoleOf, hearComplaints, launch, noBrowser } from '../console/kit/browser.js'
import type { TestGateway } from '../kit/gateway.js'
import { until } from '../kit/outside.js'
import { linesMax } from '../scaffold/lines-max.js'
import { homeOf, statusOf } from './installation.js'
import { idOf, install, names, nextVersion, packageOf, uninstall, writeSamples } from './samples.js'
import { unpackedPackage } from './tarball.js'
import {
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
const nova = await startNova()
t.teardown(() => nova.close())
const home = await homeOf(t, unpacked)
install(unpacked, home.prefix, samples)
let gateway = await home.start(scaffoldKinds.map(packageOf))
const channels = await furnish(gateway, nova)
const lastPath = (end: string) => nova.requests.findLast(({ path }) => path.endsWith(end))?.path
/** What stays of plugins that go. */
const left = { clip: '', openClip: '', paid: '', open: '', cookie: '' }

/** The console of the gateway that runs now. */
async function browse(t: Test) {
  hearComplaints(t)
  const browser = await launch()
  t.teardown(() => browser.close())
  return consoleOf(t, browser, { url: gateway.process.url } as TestGateway)
}

const root = async (path: string) => gateway.admin.must('GET', path)

t.test('each kind is written in few lines', async (t) => {
  for (const { kind, lines } of samples) t.ok(lines <= linesMax[kind], `${kind}: ${lines} lines`)
})

t.test('packages that npm installed are ready, with version and origin', async (t) => {
  t.strictSame((await root('/api/plugins')).problems, [])
  for (const kind of scaffoldKinds) {
    t.match(await statusOf(gateway.admin, idOf(kind)), {
      state: /ready|checked/,
      manifest: { version: '0.1.0' },
      origin: { entry: packageOf(kind), package: { name: packageOf(kind), version: '0.1.0' } },
    })
  }
})

t.test(
  'root sees in the console what each may do, and switches it',
  { skip: noBrowser },
  async (t) => {
    const { page, open } = await browse(t)
    for (const kind of scaffoldKinds) {
      await open(`/plugins?plugin=${idOf(kind)}`)
      await page
        .getByTestId('outside')
        .getByText(`${packageOf(kind)} 0.1.0`)
        .waitFor()
      if (kind !== 'guard')
        await page.getByTestId('permissions').getByText('call the').first().waitFor()
      await page.getByTestId('switch-off').click()
      await page.getByRole('button', { name: 'Switch off' }).last().click()
      await page.getByTestId('switch-on').waitFor()
      t.equal((await statusOf(gateway.admin, idOf(kind))).state, 'off', kind)
      await page.getByTestId('switch-on').click()
      await page.getByRole('dialog').getByRole('button', { name: 'Switch on' }).last().click()
      await page.getByTestId('switch-off').waitFor()
      t.equal((await statusOf(gateway.admin, idOf(kind))).state, 'ready', kind)
    }
  },
)

t.test('a chat goes through the provider, and is charged', async (t) => {
  const before = await gateway.admin.balance()
  t.equal((await chat(gateway, 'nova-1')).status, 200)
  t.equal(lastPath('/chat'), '/v2/chat')
  await until(async () => (await gateway.admin.balance()) < before)
})

t.test('a guard refuses what it is set to refuse', async (t) => {
  const refused = await chat(gateway, 'nova-1', 'I am a teapot')
  t.equal(refused.status, 400)
  t.match(await refused.text(), /The request holds a word/)
})

t.test('a media task is submitted, polled and done', async (t) => {
  left.clip = await submitClip(gateway)
  await gateway.admin.must('POST', `/api/task/${left.clip}/poll`, {})
  t.equal((await root(`/api/task/${left.clip}`)).state, 'succeeded')
  t.equal(lastPath('/clips'), '/v1/clips')
})

t.test('a notice is delivered', async (t) => {
  t.ok(await notify(gateway))
  t.equal(lastPath('/messages'), '/messages')
})

t.test('an order is paid by a callback, once', async (t) => {
  left.paid = await order(gateway, nova)
  t.equal(lastPath('/checkouts'), '/v1/checkouts')
  const before = await gateway.admin.balance()
  for (let delivery = 0; delivery < 2; delivery += 1) {
    t.equal((await callBack(gateway, left.paid)).status, 200)
  }
  t.equal((await gateway.admin.balance()) - before, 5_000_000n)
})

t.test('a person signs in', async (t) => {
  const { success, message, authorizeUrl } = await signInByNova(gateway)
  t.ok(success, message)
  t.match(authorizeUrl, /scope=profile(\+|%20)email(&|$)/)
})

t.test('an update is loaded from the console, and does what it does otherwise', async (t) => {
  for (const sample of samples) nextVersion(sample)
  install(unpacked, home.prefix, samples)
  if (noBrowser === false) {
    const { page, open } = await browse(t)
    await open(`/plugins?plugin=${idOf('provider')}`)
    await page.getByTestId('reload').click()
    await page
      .getByTestId('outside')
      .getByText(`${packageOf('provider')} 0.2.0`)
      .waitFor()
  }
  for (const kind of scaffoldKinds.filter((one) => one !== 'guard')) {
    await gateway.admin.must('POST', '/api/plugins/reload', { id: idOf(kind) })
  }
  await chat(gateway, 'nova-1')
  t.equal(lastPath('/chat'), '/v3/chat')
  left.openClip = await submitClip(gateway)
  t.equal(lastPath('/clips'), '/v2/clips')
  t.ok(await notify(gateway))
  t.equal(lastPath('/messages'), '/v2/messages')
  left.open = await order(gateway, nova)
  t.equal(lastPath('/checkouts'), '/v2/checkouts')
  const { authorizeUrl, success, cookie } = await signInByNova(gateway)
  t.ok(success, 'the same person is known again')
  left.cookie = cookie
  t.match(authorizeUrl, /phone/)
})

t.test(
  'the next start has the new versions, and the guard does what its new one does',
  async (t) => {
    t.match(await home.end(gateway), { code: 0, books: /all invariants hold/ })

    gateway = await home.start(scaffoldKinds.map(packageOf))
    for (const kind of scaffoldKinds) {
      t.match(await statusOf(gateway.admin, idOf(kind)), {
        state: /ready|checked/,
        manifest: { version: '0.2.0' },
      })
    }
    t.match(await (await chat(gateway, 'nova-1', 'A teapot')).text(), /Your request holds a word/)
  },
)

t.test('packages that were removed are named in a sentence, and the gateway serves', async (t) => {
  t.equal((await home.end(gateway)).code, 0)
  uninstall(unpacked, home.prefix, scaffoldKinds)
  gateway = await home.start(scaffoldKinds.map(packageOf))
  const { problems } = await root('/api/plugins')
  t.equal(problems.length, scaffoldKinds.length)
  for (const problem of problems) t.match(problem, /there is no such package/)
  t.equal((await chat(gateway, 'plain-1', 'A teapot')).status, 200)
})

t.test('channels of theirs serve nobody and keep their settings', async (t) => {
  t.equal((await home.end(gateway)).code, 0)
  gateway = await home.start([])
  t.match(await root(`/api/channel/${channels.chat}`), {
    plugin_missing: true,
    base_url: nova.url,
    models: 'nova-1',
    settings: '{"region":"us"}',
  })
  t.match(await root(`/api/channel/${channels.clips}`), { plugin_missing: true })
  const none = await chat(gateway, 'nova-1')
  t.match(await none.json(), { error: { code: 'model_not_found' } })
  t.equal((await chat(gateway, 'plain-1')).status, 200)
})

t.test(
  'tasks of theirs are kept, and those that are not done are shown as out of reach',
  async (t) => {
    t.match(await root(`/api/task/${left.clip}`), { state: 'succeeded', cost: 4000 })
    const polled = await gateway.admin.call('POST', `/api/task/${left.openClip}/poll`, {})
    t.notMatch(polled.status, 500, polled.body.message)
    t.match(await root(`/api/task/${left.openClip}`), {
      ...{ state: /queued|running/, reachable: false },
    })
  },
)

t.test('orders of theirs are kept, and callbacks are refused in a sentence', async (t) => {
  const { items } = await root('/api/user/topup')
  t.match(
    items.map((one: { payment_provider: string; status: string }) => [
      one.payment_provider,
      one.status,
    ]),
    [
      [names.payment, 'pending'],
      [names.payment, 'success'],
    ],
  )
  const refused = await callBack(gateway, left.open)
  t.equal(refused.status, 404, 'Nova sends it again')
  t.match(await refused.json(), { message: 'There is no such payment gateway.' })
})

t.test('people keep their binding, and nobody signs in by it', async (t) => {
  const headers = { cookie: left.cookie }
  const own = await fetch(`${gateway.process.url}/api/user/oauth/bindings`, { headers })
  t.match(await own.json(), { data: [{ provider: names.oauth, name: 'ada' }] })
  t.match(await signInByNova(gateway), {
    success: false,
    message: `There is no sign-in provider "${names.oauth}", or it is switched off.`,
  })
})

t.test('a notice to what is gone is not delivered, for a reason', async (t) => {
  t.match(await root('/api/user/setting'), { notify_type: names.notifier })
  t.match(await gateway.admin.must('POST', '/api/user/setting/test', {}), {
    delivered: false,
    reason: `There is no way "${names.notifier}" to send notices.`,
  })
})

t.test(
  'the pages of the console that showed them open without them',
  { skip: noBrowser },
  async (t) => {
    const { page, open, expectError } = await browse(t)
    // What a task made stands at a host that does not exist.
    expectError(/502 .*\/results\/0/)
    for (const path of ['/plugins', '/orders', '/wallet', '/profile', '/outbox', '/options']) {
      await open(path)
    }
    await open('/channels')
    await page.getByText('Plugin missing').first().waitFor()
    await open('/tasks')
    await page.getByText(names.task).first().waitFor()
    await page.locator('[data-test=no-preview]').first().waitFor()
  },
)

t.test('the last process ends in order, and the books add up', async (t) => {
  t.match(await home.end(gateway), { code: 0, books: /all invariants hold/ })
})
