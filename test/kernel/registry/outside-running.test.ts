/** Plugins from outside in a running gateway: used, switched off and on, loaded again, and what comes of channels of theirs. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { until } from '../../kit/outside.js'
import { ask, model, scriptedGateway } from '../../kit/scripted-gateway.js'
import { chat, json } from '../../kit/upstream.js'
import { acmeManifest, acmeProvider, type Shelf, shelf } from './outside-kit.js'
import { manifestOf } from './plugins.js'

const guard = (refusing: string) => `
import { Refusal } from 'waybill/toolkit/errors'
export default () => ({ check() { ${refusing} } })
`
const refuses = "throw new Refusal('access_denied')"

function wares(t: Pick<Test, 'teardown'>): Shelf {
  const outside = shelf(t)
  outside.plugin('acme', 'provider.acme', acmeProvider('one'), acmeManifest)
  outside.put({ 'acme/mark.js': "export const mark = 'first'" })
  outside.plugin('strict', 'guard.strict', guard(refuses), {
    guards: { stage: 'auth', where: 'after' },
  })
  outside.plugin('stage', 'stage.auth', 'export default () => ({ run: (state) => state })')
  outside.plugin('broken', 'provider.broken', 'throw new Error("no luck")', {
    channelTypes: [{ name: 'broken', baseUrl: '' }],
  })
  outside.plugin('openai', 'provider.rival', acmeProvider('rival'), {
    ...acmeManifest,
    channelTypes: [{ id: 1, name: 'rival', baseUrl: 'https://rival.example' }],
  })
  return outside
}

async function running(t: Test, names: readonly string[]) {
  const outside = wares(t)
  const plugins = { names, from: [outside.folder] }
  const here = await scriptedGateway(t, { environment: { plugins } })
  here.upstream.script(json(200, chat.whole('fine', 1, 1)))
  const { admin } = here
  const statusOf = async (id: string) => {
    const { plugins } = await admin.must('GET', '/api/plugins')
    return plugins.find((one: { manifest: { id: string } }) => one.manifest.id === id)
  }
  return {
    ...{ ...here, outside, statusOf },
    /** The only channel for the model is one of the plugin's. */
    async acmeChannel(): Promise<void> {
      await admin.must('PUT', '/api/channel/', { id: here.channelId, status: 2 })
      const fields = { type: 'acme/acme', name: 'acme', key: 'k', base_url: here.upstream.url }
      await admin.channel({ ...fields, models: `${model},refused`, group: 'default' })
      await admin.option('ModelRatio', { [model]: 1, refused: 1 })
    },
    switched: (id: string, on: boolean) => admin.must('PUT', '/api/plugins/state', { id, on }),
    acmeHeader: () => here.upstream.requests.at(-1)?.headers['x-acme'],
  }
}

t.test('a plugin from outside serves, with the error class of the gateway', async (t) => {
  const here = await running(t, ['./acme'])
  await here.acmeChannel()
  const fine = await here.chat(ask())
  t.equal(fine.status, 200)
  t.equal(here.acmeHeader(), 'one first')
  const refused = await here.chat(ask({ model: 'refused' }))
  t.equal(refused.status, 400, 'its refusal is one, and no fault of the plugin')
  t.match(await refused.json(), { error: { message: /Not this one\./ } })
  t.match(await here.statusOf('provider.acme'), {
    state: 'ready',
    origin: { entry: './acme', folder: join(here.outside.folder, 'acme') },
  })
})

t.test('stages, and what the gateway has already, are refused with a sentence', async (t) => {
  const here = await running(t, ['./stage', './openai', './acme'])
  const { problems } = await here.admin.must('GET', '/api/plugins')
  t.match(problems, [/its id "stage\.auth" is that of a plugin that comes with the gateway/])
  t.match(await here.statusOf('provider.rival'), {
    state: 'failed',
    reason: /claims the channel type 1, which provider\.\w+ has/,
  })
  t.equal((await here.chat(ask())).status, 200, 'the rest serves')
})

t.test('a plugin that is switched off serves nobody, until it is on again', async (t) => {
  const here = await running(t, ['./acme', './strict'])
  await here.switched('guard.strict', false)
  await here.acmeChannel()
  t.equal((await here.chat(ask())).status, 200)
  await here.switched('provider.acme', false)
  t.match(await here.statusOf('provider.acme'), { state: 'off' })
  const none = await here.chat(ask())
  t.equal(none.status, 503)
  await here.switched('provider.acme', true)
  t.equal((await here.chat(ask())).status, 200)
  await here.switched('guard.strict', true)
  t.equal((await here.chat(ask())).status, 403)
})

t.test('requests under way end with what they began with', async (t) => {
  const here = await running(t, ['./acme'])
  await here.acmeChannel()
  let finish = () => {}
  here.upstream.script(async (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(chat.delta('begun'))
    await new Promise<void>((resolve) => {
      finish = resolve
    })
    response.end(chat.delta(' and done') + chat.stop() + chat.usage(1, 1) + chat.done)
  })
  const stream = await here.chat(ask({ stream: true }))
  await here.switched('provider.acme', false)
  finish()
  const text = await stream.text()
  t.match(text, / and done/)
  t.match(text, /\[DONE\]/)
})

t.test('channels of a plugin that is off are shown as such, and others serve', async (t) => {
  const here = await running(t, ['./acme'])
  const fields = { type: 'acme/acme', name: 'acme', key: 'k', base_url: here.upstream.url }
  const models = `${model},only-there`
  const id = await here.admin.channel({ ...fields, models, group: 'default', priority: 10 })
  await here.admin.option('ModelRatio', { [model]: 1, 'only-there': 1 })
  await here.chat(ask())
  t.equal(here.acmeHeader(), 'one first')
  await here.switched('provider.acme', false)
  t.equal((await here.chat(ask())).status, 200)
  t.equal(here.acmeHeader(), undefined, 'the other channel was called')
  t.match(await (await here.chat(ask({ model: 'only-there' }))).json(), {
    error: { code: 'model_not_found' },
  })
  t.equal((await here.admin.must('GET', `/api/channel/${id}`)).plugin_missing, true)
  await here.switched('provider.acme', true)
  t.equal((await here.admin.must('GET', `/api/channel/${id}`)).plugin_missing, false)
  t.equal((await here.chat(ask({ model: 'only-there' }))).status, 200)
})

t.test('a plugin whose module does not load fails by itself', async (t) => {
  const here = await running(t, ['./broken'])
  // It is loaded behind the start, before anybody uses it.
  await until(async () => (await here.statusOf('provider.broken')).state === 'failed')
  t.match(await here.statusOf('provider.broken'), { reason: /no luck/ })
  const fields = { type: 'broken/broken', name: 'broken', key: 'k', base_url: here.upstream.url }
  const more = { models: model, group: 'default', priority: 10 }
  const refused = await here.admin.call('POST', '/api/channel/', { ...fields, ...more })
  t.match(refused, { status: 400, body: { field: 'type' } })
  t.equal((await here.chat(ask())).status, 200, 'the other channel serves')
})

t.test('what is switched off stays off for the next start', async (t) => {
  const here = await running(t, ['./acme'])
  await here.switched('provider.acme', false)
  const { data } = (await here.admin.call('GET', '/api/option/')).body
  const off = data.find(({ key }: { key: string }) => key === 'PluginsOff')
  t.equal(off.value, '["provider.acme"]')
})

t.test('who may not be switched is refused by name of the field', async (t) => {
  const here = await running(t, ['./acme'])
  const rows: readonly (readonly [id: string, reason: RegExp])[] = [
    ['provider.openai', /comes with the gateway and stays on/],
    ['provider.none', /There is no plugin "provider\.none"\./],
  ]
  for (const [id, reason] of rows) {
    const answer = await here.admin.call('PUT', '/api/plugins/state', { id, on: false })
    t.match(answer, { status: 400 }, id)
    t.match(answer.body, { field: 'id', message: reason }, id)
  }
})

t.test('code that was changed is loaded again, with what it imports', async (t) => {
  const here = await running(t, ['./acme'])
  await here.acmeChannel()
  await here.chat(ask())
  const folder = join(here.outside.folder, 'acme')
  writeFileSync(join(folder, 'index.js'), acmeProvider('two'))
  writeFileSync(join(folder, 'mark.js'), "export const mark = 'second'")
  const manifest = manifestOf('provider.acme', { ...acmeManifest, version: '1.1.0' })
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest))
  await here.chat(ask())
  t.equal(here.acmeHeader(), 'one first', 'nothing changes by itself')
  await here.admin.must('POST', '/api/plugins/reload', { id: 'provider.acme' })
  await here.chat(ask())
  t.equal(here.acmeHeader(), 'two second')
  t.match(await here.statusOf('provider.acme'), { state: 'ready', manifest: { version: '1.1.0' } })
})

t.test('what cannot take its place is refused, and the plugin stays as it was', async (t) => {
  const here = await running(t, ['./acme'])
  await here.acmeChannel()
  await here.chat(ask())
  const folder = join(here.outside.folder, 'acme')
  const reload = async () =>
    JSON.stringify(await here.admin.call('POST', '/api/plugins/reload', { id: 'provider.acme' }))
  writeFileSync(join(folder, 'index.js'), 'export default () => ({ operations: 7 })')
  t.match(await reload(), /operations/)
  writeFileSync(join(folder, 'index.js'), 'this is no code')
  t.match(await reload(), /SyntaxError|Unexpected/)
  const channelTypes = [{ name: 'other', baseUrl: '' }]
  const manifest = manifestOf('provider.acme', { ...acmeManifest, channelTypes })
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest))
  t.match(await reload(), /channelTypes.* is not what it was, which takes a new start/)
  await here.chat(ask())
  t.equal(here.acmeHeader(), 'one first')
})
