/** What a recording holds of secrets, and who may switch what off when (X3, decision 0097). */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import type { OpenDatabase } from '../../kernel/store/database.js'
import { openSecretBox } from '../../kernel/store/open-secret-box.js'
import { reseal } from '../../kernel/store/reseal.js'
import { readRecording } from '../../plugins/services/recordings/rows.js'
import { silentLog } from '../kit/database.js'
import { management } from '../kit/management.js'
import { ask, scriptedGateway } from '../kit/scripted-gateway.js'
import { chat, events, json } from '../kit/upstream.js'

let database!: OpenDatabase
const cryptoSecret = 'the first of the secrets'
const gateway = await scriptedGateway(t, {
  environment: { cryptoSecret },
  wrap: (opened) => {
    database = opened
    return opened
  },
})
const { admin, upstream, url, gateway: program } = gateway
const recordings = program.service('recordings')
const { knex } = program.service('database')
const everybody = '/api/recordings/everybody'
const switchOn = (level: string) => admin.must('PUT', everybody, { level, minutes: 5 })

async function settled(answer: Response): Promise<string> {
  await answer.text()
  await program.idle()
  await program.service('usage-log').flush()
  await recordings.flush()
  return answer.headers.get('x-request-id') ?? ''
}

const person = { username: 'ada', password: 'correct horse battery', role: 1 }
const { id: adasId } = await admin.must('POST', '/api/user/', person)
await admin.credit(adasId, 1_000_000)
const ada = management(url)
await ada.login(person.username, person.password)
const { key: adasKey } = await ada.token()

t.test('[X3] secrets in fields of a body stand nowhere, however they are nested', async (t) => {
  upstream.takes('fields of a tool that hold credentials')
  await switchOn('bodies')
  const names = ['api_key', 'apiKey', 'authorization_token', 'secret_access_key', 'private_key']
  const values = [...names, 'password', 'access_token', 'client_secret'].map(
    (name) => [name, `CANARY ${name} "value"`] as const,
  )
  const fields = Object.fromEntries(values)
  const call = { id: 'call_1', type: 'function' }
  const messages = [
    { role: 'user', content: 'find the weather' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ ...call, function: { name: 'look', arguments: JSON.stringify(fields) } }],
    },
    { role: 'tool', tool_call_id: 'call_1', content: 'https://a.example/?key=CANARY-query&page=2' },
  ]
  upstream.script(json(200, chat.whole(JSON.stringify(fields), 3, 2)))
  const body = ask({ messages, metadata: fields })
  const headers = {
    authorization: `Bearer ${adasKey}`,
    'proxy-authorization': 'Basic CANARYCANARY',
  }
  const id = await settled(await gateway.chat(body, headers))
  const shown = JSON.stringify(await admin.must('GET', `/api/log/trace/${id}/recording`))
  const own = JSON.stringify(await ada.must('GET', `/api/log/self/trace/${id}/recording`))
  const [row] = await knex('recordings').where({ request_id: id })
  for (const text of [shown, own, JSON.stringify(row)]) {
    t.equal(/.{40}CANARY.{20}/.exec(text)?.[0], undefined)
    t.notOk(text.includes(adasKey.replace(/^sk-/, '')))
    t.notOk(text.includes('upstream-key'))
  }
  t.match(shown, /find the weather/)
})

t.test('[X12] of another and of nobody alike: reading and deleting', async (t) => {
  upstream.script(json(200, chat.whole('Hello', 3, 2)))
  const id = await settled(await gateway.chat(ask()))
  for (const [method, end] of [
    ['GET', ''],
    ['GET', '/recording'],
    ['DELETE', '/recording'],
  ] as const) {
    const foreign = await ada.call(method, `/api/log/self/trace/${id}${end}`)
    const unknown = await ada.call(method, `/api/log/self/trace/req_none${end}`)
    t.equal(foreign.status, 404)
    t.same(foreign.body, unknown.body)
  }
  t.ok(await recordings.find(id), 'it is still there')
})

t.test('[X3] bodies are not written where meanwhile only headers are recorded', async (t) => {
  // The window of this process may still be open when another has ended it.
  const ended = () => knex('recording_window').update({ ends_at: new Date(Date.now() - 60_000) })
  const off = () => admin.must('DELETE', everybody)
  for (const change of [() => switchOn('headers'), ended, off]) {
    await switchOn('bodies')
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    upstream.script(events(chat.delta('one'), held, chat.stop(), chat.usage(3, 2), chat.done))
    const answer = await gateway.chat(ask({ stream: true }))
    await change()
    release()
    t.equal(await recordings.find(await settled(answer)), undefined)
  }
})

t.test('[X3] what is recorded outlives a change of the master key', async (t) => {
  await switchOn('bodies')
  upstream.script(json(200, chat.whole('Hello', 3, 2)))
  const id = await settled(await gateway.chat(ask()))
  const dataDir = await mkdtemp(join(tmpdir(), 'waybill-recordings-'))
  t.teardown(() => rm(dataDir, { recursive: true }))
  const next = { database, dataDir, cryptoSecret: 'the second of the secrets' }
  const { rotation } = await openSecretBox({ ...next, cryptoSecretPrevious: cryptoSecret })
  await reseal({ rotation: rotation!, database, log: silentLog }, () => false)
  const { secrets } = await openSecretBox(next)
  const { client, upstream: calls } = (await readRecording(knex, secrets, id))!
  t.match(client.reply?.body.text, /Hello/)
  t.equal(calls.calls.length, 1)
  await t.rejects(recordings.read(id), 'the key before opens it no more')
})
