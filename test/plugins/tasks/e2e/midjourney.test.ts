/** Pictures of Midjourney through a whole gateway, at the paths of its proxy. */
import t, { type Test } from 'tap'
import { taskPlatform } from '../../../kit/task-platform.js'
import { strictMidjourney } from '../../../kit/tasks/midjourney.js'

const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk', 'base64')
const button = 'MJ::JOB::upsample::2::5e0b5ad2'

/** A picture costs 50,000 quota, at the speed `fast` twice that; another size of it 20,000, everything else 1,000. */
async function midjourney(t: Test) {
  const platform = await taskPlatform(t, {
    upstream: strictMidjourney('mj-key'),
    channel: {
      ...{ type: 2, key: 'mj-key' },
      models: 'mj_imagine,mj_upscale,mj_variation,mj_inpaint,mj_modal,mj_describe,swap_face',
    },
    options: {
      ModelPrice: {
        ...{ mj_upscale: 0.04, mj_variation: 0.04, mj_inpaint: 0.06, mj_modal: 0.05 },
        ...{ mj_describe: 0.002, swap_face: 0.02 },
      },
      TaskRateCards: {
        mj_imagine: {
          unit: 'piece',
          rates: [
            { when: { mode: 'relax' }, price: '0.1' },
            { when: { mode: 'fast' }, price: '0.2' },
          ],
        },
      },
    },
  })
  const submit = async (path: string, body: object) => {
    const answer = await platform.call('POST', path, { body })
    return { ...answer, id: String(answer.body.result) }
  }
  const read = async (id: string) => (await platform.call('GET', `/mj/task/${id}/fetch`)).body
  return {
    ...platform,
    ...{ submit, read },
    async succeed(id: string) {
      platform.server.files.set('/made.png', { type: 'image/png', bytes: png })
      platform.upstream.change(await platform.ref(id), {
        ...{ status: 'SUCCESS', progress: '100%', imageUrl: `${platform.server.url}/made.png` },
        buttons: [{ customId: button, label: 'U2' }],
      })
      await platform.round()
    },
  }
}

t.test(
  '[BILL-4] a picture is charged at the speed of its path, and is there when it ends',
  async (t) => {
    const { upstream, submit, read, succeed, round, ref, books, spent } = await midjourney(t)
    const { status, body, id } = await submit('/mj-relax/mj/submit/imagine', { prompt: 'a cat' })
    t.equal(status, 200)
    t.match(body, { code: 1, description: 'Submit success', properties: {} })
    t.match(id, /^task_/)
    t.equal(upstream.last.path, '/mj-relax/mj/submit/imagine')
    t.equal(await spent(), 50_000n)
    const fast = await submit('/mj-fast/mj/submit/imagine', { prompt: 'a dog' })
    t.equal(upstream.last.path, '/mj-fast/mj/submit/imagine')
    t.equal(await spent(), 150_000n)
    upstream.change(await ref(id), { status: 'IN_PROGRESS', progress: '40%' })
    await round()
    t.match(await read(id), { id, status: 'IN_PROGRESS', progress: '40%', prompt: 'a cat' })
    await succeed(id)
    t.match(await read(id), {
      id,
      status: 'SUCCESS',
      progress: '100%',
      buttons: [{ customId: button }],
    })
    t.strictSame(await books(id), {
      ...{ settle: 50_000n, final: undefined, logs: [[2, 50_000n]] },
      ...{ state: 'succeeded', billing: 'final', charged: 50_000n, cost: 50_000n },
    })
    t.match(await books(fast.id), { settle: 100_000n, billing: 'charged' })
    t.equal(await spent(), 150_000n)
  },
)

t.test(
  '[BILL-4] a picture that fails is paid back whole, however often it is reported',
  async (t) => {
    const { upstream, submit, read, round, ref, books, spent } = await midjourney(t)
    const { id } = await submit('/mj/submit/imagine', { prompt: 'a cat' })
    t.equal(await spent(), 100_000n, 'fast is the usual speed')
    const known = await ref(id)
    upstream.change(known, { status: 'FAILURE', failReason: `The job ${known} was banned.` })
    await Promise.all([round(), round()])
    await round()
    t.match(await read(id), { status: 'FAILURE', failReason: `The job ${id} was banned.` })
    t.match(await books(id), {
      ...{ settle: 100_000n, final: -100_000n, cost: 0n },
      logs: [
        [2, 100_000n],
        [6, 100_000n],
      ],
    })
    t.equal(await spent(), 0n)
  },
)

t.test('[API-6] the picture has a signed address that works without a key', async (t) => {
  const { submit, read, call, succeed, url } = await midjourney(t)
  const { id } = await submit('/mj/submit/imagine', { prompt: 'a cat' })
  t.equal((await read(id)).imageUrl, '')
  await succeed(id)
  const { imageUrl } = await read(id)
  t.ok(imageUrl.startsWith(`${url}/mj/image/${id}?`), imageUrl)
  const picture = await fetch(imageUrl)
  t.equal(picture.status, 200)
  t.equal(picture.headers.get('content-type'), 'image/png')
  t.strictSame(Buffer.from(await picture.arrayBuffer()), png)
  const part = await fetch(imageUrl, { headers: { range: 'bytes=0-3' } })
  t.ok(part.status === 206 || part.status === 200)
  await part.body?.cancel()
  const other = new URL(imageUrl)
  other.searchParams.set('uid', '2')
  for (const address of [other.href, `${url}/mj/image/${id}`, imageUrl.replace(/.$/, 'x')]) {
    t.match(await call('GET', address, { key: null }), { status: 403, body: { code: 4 } })
  }
  const seed = await call('GET', `/mj/task/${id}/image-seed`)
  t.match(seed.body, { code: 1, result: '42' })
})

t.test('[BILL-4] a button of a picture is pressed where the picture was made', async (t) => {
  const { upstream, admin, server, submit, read, succeed, ref, knex, spent } = await midjourney(t)
  const first = await submit('/mj/submit/imagine', { prompt: 'a cat' })
  const press = { taskId: first.id, customId: button }
  const early = await submit('/mj/submit/action', press)
  t.match([early.status, early.body.error], [409, { code: 'task_not_finished' }])
  await succeed(first.id)
  // A channel every other request would take.
  await admin.channel({
    ...{ type: 2, name: 'other', key: 'other-key', base_url: server.url, group: 'default' },
    ...{ models: 'mj_upscale,mj_variation', priority: 10 },
  })
  const pressed = await submit('/mj/submit/action', press)
  t.match(pressed.body, { code: 1 })
  t.match(upstream.last.body, { taskId: await ref(first.id), customId: button })
  const changed = await submit('/mj/submit/change', {
    ...{ taskId: first.id, action: 'VARIATION', index: 3 },
  })
  t.match(upstream.last.body, { taskId: await ref(first.id), action: 'VARIATION', index: 3 })
  const simple = await submit('/mj/submit/simple-change', { content: `${first.id} U1` })
  t.equal(upstream.last.body.content, `${await ref(first.id)} U1`)
  const asked = server.calls.filter((call) => call.startsWith('POST /mj/submit/'))
  t.equal(asked.length, 4, 'no other channel was tried')
  for (const { id } of [pressed, changed, simple]) t.match(id, /^task_/)
  t.equal(await spent(), 160_000n, 'the picture, and three of 20,000')
  const rows = await knex('tasks').whereNotNull('upstream_ref').orderBy('id')
  t.strictSame([...new Set(rows.map((row) => `${row.channel_id} ${row.key_id}`))].length, 1)
  t.match(await read(pressed.id), { status: 'SUBMITTED', customId: button })
})

t.test(
  'a dialog that opens is charged nothing, and what is filled in is charged once',
  async (t) => {
    const { submit, read, round, succeed, books, spent } = await midjourney(t)
    const first = await submit('/mj/submit/imagine', { prompt: 'a cat' })
    await succeed(first.id)
    const dialog = await submit('/mj/submit/action', {
      ...{ taskId: first.id, customId: 'MJ::Inpaint::1::5e0b5ad2' },
    })
    t.match(dialog.body, { code: 21 })
    await round()
    t.match(await read(dialog.id), { status: 'MODAL' })
    const filled = await submit('/mj/submit/modal', { taskId: dialog.id, prompt: 'a hat' })
    t.match(filled.body, { code: 1 })
    t.not(filled.id, dialog.id)
    await succeed(filled.id)
    t.match(await read(filled.id), { status: 'SUCCESS' })
    t.match(await books(dialog.id), { state: 'succeeded', cost: 0n })
    t.match(await books(filled.id), { state: 'succeeded', settle: 25_000n, cost: 25_000n })
    t.equal(await spent(), 125_000n)
  },
)

t.test(
  'several tasks are read at once: those of the caller, under the ids of the gateway',
  async (t) => {
    const { upstream, submit, call, succeed, ref, spent } = await midjourney(t)
    const cat = await submit('/mj/submit/imagine', { prompt: 'a cat' })
    const text = await submit('/mj/submit/describe', {
      base64: 'data:image/png;base64,iVBORw0KGgo=',
    })
    const swap = await submit('/mj-fast/mj/insight-face/swap', {
      ...{ sourceBase64: 'data:image/png;base64,aa', targetBase64: 'data:image/png;base64,bb' },
    })
    t.equal(upstream.last.path, '/mj-fast/mj/insight-face/swap')
    t.equal(await spent(), 100_000n + 1_000n + 10_000n)
    await succeed(cat.id)
    const ids = [swap.id, cat.id, await ref(text.id), 'task_00000000000000000000000000']
    const listed = await call('POST', '/mj/task/list-by-condition', { body: { ids } })
    t.match(listed.body, [
      { id: swap.id, status: 'NOT_START' },
      { id: cat.id, status: 'SUCCESS' },
    ])
    t.equal(listed.body.length, 2)
  },
)

t.test('[ERR-1] refusals have the numbers of the protocol, and cost nothing', async (t) => {
  const { upstream, call, submit, spent } = await midjourney(t)
  const path = '/mj/submit/imagine'
  for (const [code, status] of [
    [23, 429],
    [24, 400],
  ] as const) {
    upstream.refuseNext(code)
    const refused = await submit(path, { prompt: 'a cat' })
    t.match([refused.status, refused.body], [status, { code, error: { code: /./ } }])
  }
  const empty = await submit(path, {})
  t.match([empty.status, empty.body], [400, { code: 4, error: { param: 'prompt' } }])
  const secret = { 'mj-api-secret': 'sk-nobody' }
  const stranger = await call('POST', path, { body: { prompt: 'x' }, key: null, headers: secret })
  t.match([stranger.status, stranger.body], [401, { code: 4, error: { code: 'invalid_api_key' } }])
  t.equal(upstream.tasks.size, 0)
  t.equal(await spent(), 0n)
})
