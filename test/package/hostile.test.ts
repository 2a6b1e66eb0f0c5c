/** Hostile plugins at a gateway that was installed from its package: it shows what is wrong with each, and serves. */
import { once } from 'node:events'
import { join } from 'node:path'
import t from 'tap'
import { until } from '../kit/outside.js'
import { json, chat as replies, type Script, scriptedUpstream } from '../kit/upstream.js'
import { faulty, type Hostile, hostileAtStart, hostileInCalls } from './hostile.js'
import { homeOf, statusOf } from './installation.js'
import { unpackedPackage } from './tarball.js'

const unpacked = unpackedPackage(t)
const all: Readonly<Record<string, Hostile>> = { ...hostileAtStart, ...hostileInCalls }
for (const [name, { files }] of Object.entries(all)) {
  for (const [file, content] of Object.entries(files)) {
    unpacked.put({ [`hostile/${name}/${file}`]: content })
  }
}
const home = await homeOf(t, unpacked)
const folders = Object.keys(all).map((name) => join(unpacked.folder, 'hostile', name))
const gateway = await home.start([...folders, './none', '..', '__proto__', 'a b'])
const { admin } = gateway

const upstream = await scriptedUpstream(t)
const fine = json(200, replies.whole('fine', 1, 1))
/** A gibibyte, as far as anybody takes it. */
const giant: Script = async (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  const piece = Buffer.alloc(2 ** 20, ' ')
  for (let count = 0; count < 1024 && !response.destroyed; count += 1) {
    if (!response.write(piece))
      await Promise.race([once(response, 'drain'), once(response, 'close')])
  }
  response.end()
}
const scripts: Readonly<Record<string, Script>> = { '/none': json(500, {}), '/giant': giant }
upstream.script((request, response) => (scripts[request.path] ?? fine)(request, response))
const models = ['plain', ...Object.keys(hostileInCalls)]
await admin.option('ModelRatio', Object.fromEntries(models.map((model) => [model, 1])))
const shared = { key: 'k', base_url: upstream.url, group: 'default' }
await admin.channel({ ...shared, name: 'plain', type: 1, models: models.join(',') })
for (const name of Object.keys(hostileInCalls)) {
  await admin.channel({ ...shared, name, type: `${name}/${name}`, models: name, priority: 10 })
}

async function chat(model: string): Promise<number> {
  const messages = [{ role: 'user', content: 'Hello' }]
  const response = await gateway.send('POST', '/v1/chat/completions', { model, messages })
  await response.text()
  return response.status
}

t.test(
  'what is wrong with each is shown in a sentence, at its first use at the latest',
  async (t) => {
    for (const name of Object.keys(hostileAtStart)) {
      const fields = { ...shared, name, type: `${name}/${name}`, models: 'plain', priority: 10 }
      await admin.call('POST', '/api/channel/', fields)
      t.equal(await chat('plain'), 200, name)
    }
    const { problems } = await admin.must('GET', '/api/plugins')
    for (const [name, { id, shown }] of Object.entries(hostileAtStart)) {
      if (shown === 'ready') continue
      if ('problem' in shown) {
        const own = problems.filter((one: string) => one.includes(`/hostile/${name}`))
        t.match(own.join('\n'), shown.problem, name)
        continue
      }
      await until(async () => (await statusOf(admin, id)).state !== 'checked')
      t.match(await statusOf(admin, id), { state: 'failed', reason: shown.reason }, name)
    }
    t.match(problems.join('\n'), /a b: it is neither the name of a package nor a folder/)
  },
)

for (const name of Object.keys(hostileInCalls)) {
  t.test(`a request that meets "${name}" is served all the same`, async (t) => {
    for (let call = 0; call < 4; call += 1) t.equal(await chat(name), 200)
    t.equal(await chat('plain'), 200)
  })
}

t.test('their faults are counted with the function and the reason', async (t) => {
  for (const name of faulty) {
    const { health } = await statusOf(admin, `provider.${name}`)
    t.match(health, { faults: Number, lastFault: { verb: String, message: String } }, name)
  }
})

t.test('no header of a request holds another one', async (t) => {
  t.notOk(upstream.requests.some(({ headers }) => 'b' in headers || 'a' in headers))
})

t.test('what nobody could catch is logged with the plugin', async (t) => {
  t.match(gateway.process.output(), /"plugin":"provider\.timers"/)
  t.match(gateway.process.output(), /"plugin":"provider\.promises"/)
})

t.test('the process ends in order, and the books add up', async (t) => {
  t.match(await home.end(gateway), { code: 0, books: /all invariants hold/ })
})
