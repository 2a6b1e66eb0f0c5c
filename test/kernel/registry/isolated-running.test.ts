/** Plugins in threads of their own in a running gateway: used, looked at, loaded again, and stopped by nobody but themselves. */
import t, { type Test } from 'tap'
import { ask, model, scriptedGateway } from '../../kit/scripted-gateway.js'
import { chat, events, json } from '../../kit/upstream.js'
import { acmeManifest, acmeProvider, shelf } from './outside-kit.js'

/** Spins for ever with the upstream model "loop"; leaves the process with "exit". */
const hostile = acmeProvider('one')
  .replace(
    'address(_wire, channel, { key }, { model }) {',
    `address(_wire, channel, { key }, { model }) {
    if (model === 'loop') for (;;);
    if (model === 'exit') process.exit(1)`,
  )
  .replace(
    "format: 'chat',",
    "format: 'chat', unframe: () => ({ push: (bytes) => [bytes], flush: () => [] }),",
  )

async function running(t: Test, isolated: 'all' | readonly string[] = 'all') {
  const outside = shelf(t)
  outside.plugin('acme', 'provider.acme', hostile, {
    ...acmeManifest,
    settings: [{ name: 'word', type: 'string', title: 'Word', default: '' }],
  })
  outside.put({ 'acme/mark.js': "export const mark = 'first'" })
  outside.plugin('strict', 'guard.strict', 'export default () => ({ check() {} })', {
    guards: { stage: 'auth', where: 'after' },
  })
  const plugins = { names: ['./acme', './strict'], from: [outside.folder], isolated }
  const here = await scriptedGateway(t, { environment: { plugins } })
  here.upstream.script(json(200, chat.whole('fine', 1, 1)))
  const { admin } = here
  return {
    ...{ ...here, outside },
    async statusOf(id: string) {
      const { plugins } = await admin.must('GET', '/api/plugins')
      return plugins.find((one: { manifest: { id: string } }) => one.manifest.id === id)
    },
    async acmeChannel(): Promise<void> {
      const fields = { type: 'acme/acme', key: 'k', base_url: here.upstream.url, group: 'default' }
      // A channel that failed rests for a while.
      await admin.channel({ ...fields, name: 'acme', models: 'acme,refused' })
      await admin.channel({ ...fields, name: 'bad', models: 'loop,exit' })
      const priced = ['acme', 'refused', 'loop', 'exit', model]
      await admin.option('ModelRatio', Object.fromEntries(priced.map((one) => [one, 1])))
    },
    acmeHeader: () => here.upstream.requests.at(-1)?.headers['x-acme'],
  }
}

t.test('it serves as any other, and refuses as any other', async (t) => {
  const here = await running(t)
  await here.acmeChannel()
  const fine = await here.chat(ask({ model: 'acme' }))
  t.equal(fine.status, 200)
  t.equal(here.acmeHeader(), 'one first')
  const refused = await here.chat(ask({ model: 'refused' }))
  t.equal(refused.status, 400)
  t.match(await refused.json(), { error: { message: /Not this one\./, param: 'model' } })
  t.match(await here.statusOf('provider.acme'), { state: 'ready', origin: { isolated: true } })
})

t.test('a stream passes it', async (t) => {
  const here = await running(t)
  await here.acmeChannel()
  here.upstream.script(
    events(chat.delta('one '), chat.delta('two'), chat.stop(), chat.usage(1, 1), chat.done),
  )
  const stream = await here.chat(ask({ model: 'acme', stream: true }))
  t.match(await stream.text(), /one [\s\S]*two[\s\S]*\[DONE\]/)
})

for (const bad of ['loop', 'exit']) {
  t.test(
    `"${bad}": that request fails, others are served meanwhile, and the plugin serves again`,
    async (t) => {
      const here = await running(t)
      await here.acmeChannel()
      await here.chat(ask({ model: 'acme' }))
      const failed = await here.chat(ask({ model: bad }))
      t.equal(failed.status, 500)
      t.equal((await here.chat(ask())).status, 200, 'another channel serves')
      while ((await here.chat(ask({ model: 'acme' }))).status !== 200);
      t.match(await here.statusOf('provider.acme'), {
        state: 'ready',
        health: { lastFault: { verb: 'address' } },
      })
    },
  )
}

t.test('loaded again it has its new code', async (t) => {
  const here = await running(t)
  await here.acmeChannel()
  await here.chat(ask({ model: 'acme' }))
  here.outside.put({ 'acme/mark.js': "export const mark = 'second'" })
  await here.admin.must('POST', '/api/plugins/reload', { id: 'provider.acme' })
  t.equal((await here.chat(ask({ model: 'acme' }))).status, 200)
  t.equal(here.acmeHeader(), 'one second')
})

t.test('what PLUGINS_ISOLATED names and cannot be is stated, and runs', async (t) => {
  const here = await running(t, ['guard.strict', 'provider.nobody'])
  const { problems } = await here.admin.must('GET', '/api/plugins')
  t.match(problems, [
    /"guard\.strict"; only providers, task types/,
    /"provider\.nobody", and no plugin/,
  ])
  t.notOk((await here.statusOf('provider.acme')).origin.isolated)
  t.equal((await here.statusOf('guard.strict')).state, 'ready')
})
