/** The guards their guide prints, loaded from a folder as their authors ship them, in a whole gateway. */
import t, { type Test } from 'tap'
import { printedPackage } from '../../guides/loaded.js'
import { keptLines } from '../../kit/kept-lines.js'
import { ask, model, scriptedGateway } from '../../kit/scripted-gateway.js'
import { chat, events, json, scriptedUpstream } from '../../kit/upstream.js'
import { listening, record } from '../../testing/upstream.js'
import { shelf } from './outside-kit.js'
import { manifestOf, type Part } from './plugins.js'

async function running(t: Test, name: string, manifest?: Part) {
  const outside = shelf(t)
  outside.put({
    ...printedPackage('plugins/guards/README.md', name),
    ...(manifest && { [`${name}/manifest.json`]: manifest }),
  })
  const lines = keptLines()
  const plugins = { names: [`./${name}`], from: [outside.folder] }
  const here = await scriptedGateway(t, { environment: { plugins }, log: lines.log })
  here.upstream.script(json(200, chat.whole('fine', 1, 1)))
  const { admin } = here
  return {
    ...{ ...here, lines },
    set: (field: string, value: unknown) => admin.option(`guard.${name}.${field}`, value),
    switched: (on: boolean) => admin.must('PUT', '/api/plugins/state', { id: `guard.${name}`, on }),
  }
}

const say = (content: string) => ask({ messages: [{ role: 'user', content }] })

t.test(
  'a guard before the upstream refuses by the field, and nothing is called or paid',
  async (t) => {
    const here = await running(t, 'private-data')
    const before = await here.balance()
    const refused = await here.chat(say('It is 4111 1111 1111 1111.'))
    t.equal(refused.status, 400)
    t.match(await refused.json(), {
      error: {
        code: 'invalid_field',
        message: /messages\[0\]\.content holds the number of a payment card/,
      },
    })
    t.equal(here.upstream.requests.length, 0)
    t.equal(await here.balance(), before)
    t.equal((await here.chat(say('Nothing of the kind.'))).status, 200)
  },
)

t.test('settings of a guard from outside hold from the next request on', async (t) => {
  const here = await running(t, 'private-data')
  const status = async (content: string) => (await here.chat(say(content))).status
  t.equal(await status('I am ada@mail.example.'), 200)
  await here.set('mails', true)
  await here.set('cards', false)
  t.equal(await status('I am ada@mail.example.'), 400)
  t.equal(await status('It is 4111 1111 1111 1111.'), 200)
  await here.switched(false)
  t.equal(await status('I am ada@mail.example.'), 200)
  await here.switched(true)
  t.equal(await status('I am ada@mail.example.'), 400)
})

t.test(
  'a guard behind the upstream refuses a reply, which costs nothing and is tried nowhere else',
  async (t) => {
    const here = await running(t, 'safe-reply')
    await here.set('words', 'secret plan')
    const other = await scriptedUpstream(t)
    other.script(json(200, chat.whole('fine', 1, 1)))
    const fields = { type: 1, name: 'other', key: 'k', base_url: other.url, models: model }
    await here.admin.channel({ ...fields, group: 'default', priority: -1 })
    here.upstream.script(json(200, chat.whole('This is the Secret Plan.', 3, 5)))
    const before = await here.balance()
    const refused = await here.chat(ask())
    t.equal(refused.status, 400)
    const text = await refused.text()
    t.match(text, /not passed on for what it holds/)
    t.notMatch(text, /Secret Plan/)
    t.equal(here.upstream.requests.length, 1)
    t.equal(other.requests.length, 0)
    t.equal(await here.balance(), before, 'the hold is released')
  },
)

t.test('a guard behind the upstream meets a stream unread, and may refuse it', async (t) => {
  const here = await running(t, 'safe-reply')
  await here.set('words', 'secret plan')
  const stream = chat.delta('the secret plan') + chat.stop() + chat.usage(1, 1) + chat.done
  here.upstream.script(events(stream))
  const through = await here.chat(ask({ stream: true }))
  t.match(await through.text(), /secret plan/, 'what a stream holds is not seen')
  const before = await here.balance()
  await here.set('streams', false)
  const refused = await here.chat(ask({ stream: true }))
  t.equal(refused.status, 400)
  t.match(await refused.text(), /not streamed here/)
  t.equal(await here.balance(), before)
})

t.test(
  'a guard asks a service of its hosts, and one that is down lets nothing through',
  async (t) => {
    const service = await listening(async (request, response) => {
      const recorded = await record(request, response)
      const flagged = recorded.text.includes('forbidden')
      json(recorded.text.includes('outage') ? 503 : 200, { flagged })(recorded, response)
    })
    t.teardown(service.close)
    const manifest = manifestOf('guard.moderated', {
      guards: { stage: 'auth', where: 'after' },
      hosts: ['settings.address'],
      settings: [{ name: 'address', type: 'string', default: '', title: 'Address' }],
    })
    const here = await running(t, 'moderated', manifest)
    await here.set('address', service.url)
    const status = async (content: string) => (await here.chat(say(content))).status
    t.equal(await status('hello'), 200)
    t.equal(await status('a forbidden word'), 400)
    t.equal(here.upstream.requests.length, 1)
    t.equal(await status('an outage'), 500)
    await here.set('address', 'http://127.0.0.1:9/')
    t.equal(await status('hello'), 500)
    t.equal(here.upstream.requests.length, 1, 'nothing goes on without a verdict')
    const logged = here.lines.fields('a stage before the hold failed')
    t.equal(logged.length, 2)
    for (const fields of logged) t.match(fields, { plugin: 'guard.moderated' })
  },
)

const stages = [
  'auth',
  'route-plan',
  'channel-pick',
  'mapping',
  'override',
  'pre-consume',
  'upstream',
  'settle',
]
const places = stages.flatMap((stage) => ['before', 'after'].map((where) => ({ stage, where })))
const nameOf = ({ stage, where }: (typeof places)[number]) => `${where}-${stage}`

t.test(
  'a guard from outside is called once at each side of each stage, in the order of the line',
  async (t) => {
    const outside = shelf(t)
    for (const place of places) {
      const code = `export default ({ log }) => ({ check() { log.warn({ place: '${nameOf(place)}' }, 'met') } })`
      outside.plugin(nameOf(place), `guard.${nameOf(place)}`, code, { guards: place })
    }
    const lines = keptLines()
    const names = places.map((place) => `./${nameOf(place)}`)
    const plugins = { names, from: [outside.folder] }
    const here = await scriptedGateway(t, { environment: { plugins }, log: lines.log })
    here.upstream.script(json(200, chat.whole('fine', 1, 1)))
    t.equal((await here.chat(ask())).status, 200)
    await here.balance()
    t.strictSame(
      lines.fields('met').map(({ place }) => place),
      places.map(nameOf),
    )
  },
)
