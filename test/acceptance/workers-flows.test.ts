/**
 * What takes more than one request, or lasts, with several workers at one address: passkeys, forms on disk and sockets
 * (decision 0088). Each request goes to the next worker.
 */
import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import t, { type Test } from 'tap'
import { WebSocket } from 'ws'
import { databaseKind } from '../kit/database.js'
import { type Management, management, root } from '../kit/management.js'
import { Passkey } from '../kit/passkey.js'
import { answer, closeOf, eventsOf, socketUpstream } from '../kit/socket-upstream.js'
import { json, scriptedUpstream } from '../kit/upstream.js'
import { Visitor } from './kit/pair.js'
import { noLimits, startWorkers, until, type Workers, withoutKeepAlive } from './kit/workers.js'

t.setTimeout(240_000)

const skip = databaseKind === 'pglite' && 'the embedded database serves one process only'

withoutKeepAlive()

async function started(t: Test): Promise<{ gateway: Workers; admin: Management }> {
  const gateway = await startWorkers(t, noLimits)
  const admin = management(gateway.url)
  await admin.setUp()
  await admin.credit(1, 1_000_000_000)
  return { gateway, admin }
}

t.test(
  '[AUTH-4] a ceremony of a passkey begins at one worker and ends at the next',
  { skip },
  async (t) => {
    const { gateway, admin } = await started(t)
    const origin = 'https://gateway.example'
    await admin.option('ServerAddress', origin)
    await admin.must('POST', '/api/user/', { username: 'ada', password: root.password, role: 1 })
    const ada = new Visitor()
    t.equal((await ada.signIn(gateway, 'ada')).status, 200)
    const path = '/api/user/passkey'
    const proof = await ada.prove(gateway, 'passkey_register')
    const creation = await ada.must(gateway, 'POST', `${path}/register/begin`, {}, proof)
    const passkey = new Passkey(origin)
    const made = { ...passkey.create(creation), name: 'Laptop' }
    t.equal((await ada.call(gateway, 'POST', `${path}/register/finish`, made)).status, 200)
    t.not((await ada.call(gateway, 'POST', `${path}/register/finish`, made)).status, 200, 'once')
    for (let turn = 0; turn < 4; turn++) {
      const visitor = new Visitor()
      const options = await visitor.must(gateway, 'POST', `${path}/login/begin`, {})
      const signed = passkey.get(options)
      t.equal((await visitor.call(gateway, 'POST', `${path}/login/finish`, signed)).status, 200)
      t.match(await visitor.must(gateway, 'GET', '/api/user/self'), { username: 'ada' })
      const again = await new Visitor().call(gateway, 'POST', `${path}/login/finish`, signed)
      t.not(again.status, 200, 'a challenge serves once, whichever worker is asked')
    }
    t.equal((await gateway.end('SIGTERM')).code, 0)
  },
)

t.test(
  '[OPS-2] large forms of both workers lie in one folder, and none of them stays',
  { skip },
  async (t) => {
    const { gateway, admin } = await started(t)
    const upstream = await scriptedUpstream(t)
    upstream.script(json(200, { text: 'Hello.' }))
    await admin.option('ModelRatio', { 'whisper-1': 1 })
    await admin.channel({
      ...{ type: 1, name: 'audio', key: 'k', base_url: upstream.url },
      ...{ models: 'whisper-1', group: 'default' },
    })
    const { key } = await admin.token()
    const folder = String(gateway.place.UPLOAD_SPOOL_DIR)
    const before = await readdir(folder)
    const sound = randomBytes(600_000)
    const transcribed = async () => {
      const form = new FormData()
      form.set('model', 'whisper-1')
      form.set('file', new Blob([sound]), 'speech.mp3')
      const headers = { authorization: `Bearer ${key}` }
      const to = `${gateway.url}/v1/audio/transcriptions`
      const response = await fetch(to, { method: 'POST', headers, body: form })
      return { status: response.status, text: await response.text() }
    }
    const answers = await Promise.all(Array.from({ length: 8 }, transcribed))
    t.same(new Set(answers.map(({ status }) => status)), new Set([200]), `${answers[0]?.text}`)
    t.ok(
      upstream.requests.every(({ bytes }) => bytes.includes(sound)),
      'each arrived whole',
    )
    const serving = () =>
      new Set(
        gateway
          .lines()
          .flatMap(({ path, pid }) => (path === '/v1/audio/transcriptions' ? pid : [])),
      )
    await until(() => serving().size === 2)
    t.same(await readdir(folder), before)
    t.equal((await gateway.end('SIGTERM')).code, 0)
  },
)

t.test('[API-1] a socket stays with its worker, and is charged once', { skip }, async (t) => {
  const { gateway, admin } = await started(t)
  const upstream = await socketUpstream(t)
  const model = 'gpt-realtime'
  await admin.option('ModelRatio', { [model]: 1 })
  await admin.option('CompletionRatio', { [model]: 4 })
  await admin.channel({
    ...{ type: 1, name: 'realtime', key: 'k', base_url: upstream.url },
    ...{ models: model, group: 'default' },
  })
  const { key } = await admin.token()
  const open = async () => {
    const address = `${gateway.url.replace(/^http/, 'ws')}/v1/realtime?model=${model}`
    const socket = new WebSocket(address, { headers: { authorization: `Bearer ${key}` } })
    const events = eventsOf(socket)
    const closed = closeOf(socket)
    await events.next('session.created')
    return { socket, closed, ...events }
  }
  const clients = [await open(), await open(), await open(), await open()]
  for (const [at, client] of clients.entries()) {
    const session = await upstream.session(at)
    client.socket.send(JSON.stringify({ type: 'response.create' }))
    await session.next('response.create')
    session.send(answer.created('r'))
    session.send(answer.done('r', answer.usage(10, 2)))
    await client.next('response.done')
    client.socket.close(1000)
    await client.closed
  }
  const charges = () => gateway.rows('SELECT quota FROM usage_log WHERE type = 2')
  await until(async () => (await charges()).length === 4)
  t.same(
    (await charges()).map(({ quota }) => String(quota)),
    ['18', '18', '18', '18'],
  )
  const lasting = [await open(), await open()]
  const { code } = await gateway.end('SIGTERM')
  t.equal(code, 0)
  t.same(await Promise.all(lasting.map(({ closed }) => closed)), [1001, 1001], 'going away')
  t.same(await gateway.rows("SELECT request_id FROM billing_requests WHERE state = 'reserved'"), [])
})
