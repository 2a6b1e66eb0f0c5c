/** A task type of somebody else, as a package of its own: the guide's example, which knows this project by its public names alone. */
import { symlinkSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath, pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { startGateway } from '../../kit/gateway.js'
import { guideEntry, guideManifest } from './guide.js'

const project = fileURLToPath(new URL('../../../../', import.meta.url))

/** Packages as `npm install` leaves them, this project among them. */
function installed(t: Pick<Test, 'testdir'>, files: Readonly<Record<string, string>> = {}): URL {
  const folder = t.testdir({
    'package.json': '{ "name": "somebodys-gateway", "private": true, "type": "module" }',
    node_modules: {
      'waybill-task-acme': {
        'package.json': JSON.stringify({
          ...{ name: 'waybill-task-acme', version: '1.0.0', type: 'module' },
          peerDependencies: { waybill: '*' },
        }),
        'manifest.json': guideManifest,
        'index.js': guideEntry,
        ...files,
      },
    },
  })
  symlinkSync(project, `${folder}/node_modules/waybill`, 'dir')
  return pathToFileURL(`${folder}/node_modules/waybill-task-acme/`)
}

/** Acme: keeps clips, and does with them what a test states. */
async function acme(t: Pick<Test, 'teardown'>) {
  const clips = new Map<string, Record<string, unknown>>()
  const submissions: unknown[] = []
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece)
    const send = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    }
    if (request.headers.authorization !== 'Bearer acme-key-1') return send(401, {})
    if (request.method === 'POST' && request.url === '/v1/clips') {
      submissions.push(JSON.parse(Buffer.concat(pieces).toString('utf8')))
      const id = `clip-${clips.size + 1}`
      clips.set(id, { id, status: 'waiting' })
      return send(200, { id })
    }
    const clip = clips.get(String(request.url).replace('/v1/clips/', ''))
    return clip === undefined ? send(404, {}) : send(200, clip)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return { clips, submissions, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

t.test('the example of the guide imports public names alone', async (t) => {
  const names = [...guideEntry.matchAll(/ from '([^']+)'/g)].map(([, name]) => name)
  t.ok(names.length > 3)
  for (const name of names) t.match(name, /^waybill\/(?:contract|toolkit\/\w+)$/)
  t.ok(guideEntry.split('\n').length < 80)
})

t.test(
  '[BILL-4] a task type installed as a package is submitted to, polled, ended and charged exactly',
  async (t) => {
    const upstream = await acme(t)
    const { admin, gateway, url, key, balance } = await startGateway(t, {
      roots: [installed(t)],
    })
    await admin.option('TaskRateCards', {
      'acme-1': { unit: 'second', rates: [{ when: { resolution: '720p' }, price: '0.002' }] },
    })
    await admin.channel({
      ...{ type: 'acme/clips', name: 'clips', key: 'acme-key-1', base_url: upstream.url },
      ...{ models: 'acme-1', group: 'default' },
    })
    const call = async (path: string, init: RequestInit = {}) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      const response = await fetch(`${url}${path}`, { ...init, headers })
      return (await response.json()) as Record<string, unknown>
    }
    const submit = (body: object) =>
      call('/v1/video/generations', { method: 'POST', body: JSON.stringify(body) })
    const round = async () => {
      await gateway.idle()
      await gateway
        .service('database')
        .knex('tasks')
        .whereNotNull('poll_at')
        .update({ poll_at: new Date(0) })
      await gateway.service('tasks').round()
    }
    const before = await balance()
    t.match(await submit({ model: 'acme-1', prompt: 'A cat', n: 2 }), { error: { param: 'n' } })
    const first = await submit({ model: 'acme-1', prompt: 'A cat' })
    const second = await submit({ model: 'acme-1', prompt: 'A dog', seconds: 8 })
    t.strictSame(upstream.submissions, [
      { model: 'acme-1', prompt: 'A cat' },
      { model: 'acme-1', prompt: 'A dog', seconds: 8 },
    ])
    t.equal(
      before - (await balance()),
      13_000n,
      'five seconds, as many as are made by default, and eight',
    )
    upstream.clips.set('clip-1', { id: 'clip-1', status: 'pondering' })
    await round()
    t.match(await call(`/v1/video/generations/${first.task_id}`), { data: { status: 'UNKNOWN' } })
    const clip = 'https://cdn.acme.example/1.mp4'
    upstream.clips.set('clip-1', { id: 'clip-1', status: 'done', seconds: 4, url: clip })
    upstream.clips.set('clip-2', { id: 'clip-2', status: 'broken', reason: 'It was blocked.' })
    await Promise.all([round(), round()])
    t.match(await call(`/v1/video/generations/${first.task_id}`), {
      data: { status: 'SUCCESS', result_url: clip },
    })
    t.match(await call(`/v1/video/generations/${second.task_id}`), {
      data: { status: 'FAILURE', fail_reason: 'It was blocked.' },
    })
    t.equal(
      before - (await balance()),
      4_000n,
      'four seconds were made, and the other clip is paid back',
    )
  },
)

/** A test as its author would write it. */
const proof = `
import { readFileSync } from 'node:fs'
import { conformingTask } from 'waybill/conformance'
import create from './index.js'

export const failed = []
const test = (title, run) => {
  try {
    run()
  } catch (error) {
    failed.push(title + ': ' + error.message)
  }
}
const model = 'acme-1'
conformingTask(test, {
  manifest: readFileSync(new URL('manifest.json', import.meta.url), 'utf8'),
  create,
  requests: [
    {
      name: 'the least',
      body: { model, prompt: 'A cat' },
      url: '/v1/clips',
      sent: { model, prompt: 'A cat' },
      quantities: { counts: { second: 5, piece: 1 }, dimensions: { resolution: '720p' } },
    },
  ],
  refused: [{ body: { model, prompt: 'A cat', n: 2 }, param: 'n' }],
  submissions: [{ name: 'accepted', answer: { id: 'c1' }, expected: { ref: 'c1' } }],
  polls: [
    { name: 'done', task: { ref: 'c1' }, answer: { id: 'c1', status: 'done' }, expected: { state: 'succeeded' } },
    { name: 'broken', task: { ref: 'c1' }, answer: { id: 'c1', status: 'broken' }, expected: { state: 'failed' } },
  ],
})
`

t.test('the example of the guide conforms, by the kit as its author imports it', async (t) => {
  const { failed } = await import(new URL('proof.js', installed(t, { 'proof.js': proof })).href)
  t.strictSame(failed, [])
})
