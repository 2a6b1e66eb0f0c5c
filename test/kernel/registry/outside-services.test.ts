/** A package with a service and a management area that requires it, as the guide of services prints it, in a whole gateway. */
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { printedPackage } from '../../guides/loaded.js'
import { management } from '../../kit/management.js'
import { ask, scriptedGateway } from '../../kit/scripted-gateway.js'
import { chat, json } from '../../kit/upstream.js'
import { shelf } from './outside-kit.js'

const path = '/api/acme-budget'
/** What the package depends on, as npm installs it beside. */
const joi = fileURLToPath(new URL('../../../../node_modules/joi', import.meta.url))

async function running(t: Test, over: Readonly<Record<string, string>> = {}) {
  const outside = shelf(t)
  outside.put({ ...printedPackage('plugins/services/README.md', 'acme-budget'), ...over })
  const modules = join(outside.folder, 'node_modules')
  mkdirSync(modules)
  symlinkSync(joi, join(modules, 'joi'))
  const plugins = { names: ['./acme-budget'], from: [outside.folder] }
  const here = await scriptedGateway(t, { environment: { plugins } })
  here.upstream.script(json(200, chat.whole('fine', 10, 5)))
  const statusOf = async (id: string) => {
    const { plugins } = await here.admin.must('GET', '/api/plugins')
    return plugins.find((one: { manifest: { id: string } }) => one.manifest.id === id)
  }
  return { ...here, outside, statusOf }
}

t.test('a service from outside counts, and an area of the same package shows it', async (t) => {
  const here = await running(t)
  t.strictSame(await here.admin.must('GET', path), {})
  for (const team of ['red', 'red', 'blue']) await here.chat(ask(), { 'x-team': team })
  await here.chat(ask())
  await here.balance()
  t.strictSame(await here.admin.must('GET', path), { red: '60', blue: '30' })
  for (const part of ['service', 'management']) {
    t.match(await here.statusOf(`${part}.acme-budget`), {
      state: 'ready',
      origin: {
        entry: './acme-budget',
        folder: join(here.outside.folder, 'acme-budget', part),
        package: { name: 'waybill-plugin-acme-budget', version: '1.0.0' },
      },
    })
  }
})

t.test('a route from outside is held to the credential its manifest declares', async (t) => {
  const here = await running(t)
  const anyone = management(here.url)
  t.equal((await anyone.call('GET', path)).status, 401)
  const user = { username: 'ada', password: 'a long word of passage' }
  await here.admin.must('POST', '/api/user/', user)
  await anyone.login(user.username, user.password)
  t.equal((await anyone.call('GET', path)).status, 403)
  t.equal((await here.admin.call('GET', path)).status, 200)
})

for (const [when, code] of [
  ['start', 'export default () => ({ spent() {}, start() { throw new Error("no luck") } })'],
  ['creation', 'export default () => { throw new Error("no luck") }'],
] as const) {
  t.test(
    `a service that throws at its ${when} fails with what requires it, and the rest serves`,
    async (t) => {
      const here = await running(t, { 'acme-budget/service/index.js': code })
      t.match(await here.statusOf('service.acme-budget'), { state: 'failed', reason: /no luck/ })
      t.match(await here.statusOf('management.acme-budget'), {
        state: 'failed',
        reason: /acme-budget/,
      })
      t.equal((await here.chat(ask())).status, 200)
      t.not((await here.admin.call('GET', path)).status, 200, 'its route is not served')
    },
  )
}
