/** OpenAI's clips through a whole gateway, by the SDK of OpenAI and by the family's paths. */
import OpenAI from 'openai'
import t, { type Test } from 'tap'
import { type PlatformGateway, platformGateway } from '../../../kit/tasks/platform-gateway.js'
import { type StrictSora, strictSora } from '../../../kit/tasks/sora.js'

const model = 'sora-2'
/** 1,000 quota a second, 2,500 at the larger size. */
const cards = {
  [model]: {
    unit: 'second',
    rates: [
      { when: { size: '1280x720' }, price: '0.002' },
      { when: { size: '1024x1792' }, price: '0.005' },
    ],
  },
}
const clip = { model, prompt: 'a cat', seconds: '8', size: '1280x720' } as const

const refusedWith = (status: number) => ({ status }) as object as Error

interface Parts {
  readonly gateway: PlatformGateway
  readonly upstream: StrictSora
  readonly openai: OpenAI
}

async function started(t: Test, keys = 'sk-test'): Promise<Parts> {
  const upstream = strictSora()
  const channel = { type: 55, key: keys }
  const gateway = await platformGateway(t, { upstream, cards, channel })
  const openai = new OpenAI({ apiKey: gateway.key, baseURL: `${gateway.url}/v1`, maxRetries: 0 })
  return { gateway, upstream, openai }
}

t.test('[BILL-4] a clip is made by the SDK of OpenAI, and charged to the unit', async (t) => {
  const { gateway, upstream, openai } = await started(t)
  const before = await gateway.balance()
  const created = await openai.videos.create({ ...clip })
  t.match(created, { object: 'video', status: 'queued', model, seconds: '8', size: '1280x720' })
  t.match(created.id, /^task_[0-9A-Z]{26}$/)
  t.equal(before - (await gateway.balance()), 8_000n)
  upstream.change('video_1', { status: 'in_progress', progress: 40 })
  await gateway.round()
  t.match(await openai.videos.retrieve(created.id), { status: 'in_progress', progress: 40 })
  upstream.finish('video_1')
  await Promise.all([gateway.round(), gateway.round()])
  const done = await openai.videos.retrieve(created.id)
  t.match(done, { status: 'completed', progress: 100, error: null })
  t.equal(before - (await gateway.balance()), 8_000n, 'what was made is what was requested')
  const [row] = await gateway.logs()
  t.match(row, { quota: 8_000, model_name: model, channel: gateway.channelId, type: 2 })
  t.match(await gateway.row(), { billing: 'final', charged: 8_000n, cost: 8_000n })
  const content = await openai.videos.downloadContent(created.id)
  t.equal(content.headers.get('content-type'), 'video/mp4')
  t.equal(await content.text(), 'mp4')
})

t.test(
  "a result is read by key and by its signed address, and the upstream's id by nobody",
  async (t) => {
    const { gateway, upstream } = await started(t)
    const { body: created } = await gateway.call('POST', '/v1/videos', clip)
    upstream.finish('video_1')
    await gateway.round()
    const { body } = await gateway.call('GET', `/v1/videos/${created.id}`)
    const { body: family } = await gateway.call('GET', `/v1/video/generations/${created.id}`)
    t.match(family.data, { status: 'SUCCESS', data: { id: created.id, status: 'completed' } })
    const signed = body.metadata.url
    t.match(signed, new RegExp(`^/v1/tasks/${created.id}/results/0\\?uid=`))
    const byAddress = await gateway.call('GET', signed, undefined, { authorization: '' })
    t.match(byAddress, { status: 200, bytes: Buffer.from('mp4') })
    const range = { range: 'bytes=1-1' }
    const part = await gateway.call('GET', `/v1/videos/${created.id}/content`, undefined, range)
    t.match(part, { status: 206, bytes: Buffer.from('p') })
    t.equal(part.headers.get('content-range'), 'bytes 1-1/3')
    const byKey = `/v1/tasks/${created.id}/results/0`
    t.equal((await gateway.call('GET', byKey)).status, 200)
    t.equal((await gateway.call('GET', byKey, undefined, { authorization: '' })).status, 401)
    const forged = signed.replace(/.$/, (last: string) => (last === '0' ? '1' : '0'))
    t.equal((await gateway.call('GET', forged, undefined, { authorization: '' })).status, 403)
    const page = await gateway.call('GET', '/v1/videos?limit=5')
    t.equal(page.body.data[0].id, created.id)
    t.notMatch(gateway.replies.join('\n'), /video_1|127\.0\.0\.1/)
  },
)

t.test(
  '[BILL-4] a clip that fails is paid back whole, and its reason names nothing of ours',
  async (t) => {
    const { gateway, upstream, openai } = await started(t)
    const before = await gateway.balance()
    const created = await openai.videos.create({ ...clip, size: '1024x1792' })
    t.equal(before - (await gateway.balance()), 20_000n, 'the larger size has its own price')
    upstream.fail('video_1', 'video_1 was blocked, see https://platform.openai.com/org-1234567890')
    await Promise.all([gateway.round(), gateway.round()])
    t.equal(await gateway.balance(), before)
    const failed = await openai.videos.retrieve(created.id)
    t.match(failed, { status: 'failed', error: { code: 'video_generation_failed' } })
    t.equal(failed.error?.message, `${created.id} was blocked, see ***`)
    t.match(await gateway.row(), { billing: 'final', charged: 20_000n, cost: 0n })
    await t.rejects(openai.videos.downloadContent(created.id), refusedWith(404))
    const log = await gateway.admin.must('GET', '/api/log/?page_size=100')
    t.notMatch(JSON.stringify(log), /video_1/)
  },
)

t.test('a clip is made anew at the channel and with the key that made it', async (t) => {
  const { gateway, upstream, openai } = await started(t)
  const before = await gateway.balance()
  const first = await openai.videos.create({ ...clip })
  await t.rejects(openai.videos.remix(first.id, { prompt: 'a dog' }), refusedWith(409))
  upstream.finish('video_1')
  await gateway.round()
  await gateway.admin.channel({
    ...{ type: 55, name: 'elsewhere', key: 'sk-other', base_url: gateway.upstreamUrl },
    ...{ models: model, group: 'default', priority: 100 },
  })
  const second = await openai.videos.remix(first.id, { prompt: 'a dog' })
  t.match(second, { status: 'queued', remixed_from_video_id: first.id })
  t.match(upstream.last, { path: '/v1/videos/video_1/remix', body: { prompt: 'a dog' } })
  t.equal(before - (await gateway.balance()), 16_000n, 'as long as the first')
  upstream.finish('video_2')
  await gateway.round()
  const remade = { status: 'completed', remixed_from_video_id: first.id }
  t.match(await openai.videos.retrieve(second.id), remade)
  t.match((await openai.videos.list()).data[0], remade)
  t.equal(before - (await gateway.balance()), 16_000n)
})

t.test('clips are listed page by page, and one that is deleted is gone', async (t) => {
  const { gateway, upstream, openai } = await started(t)
  const made: string[] = []
  for (const prompt of ['first', 'second', 'third']) {
    const { id } = await openai.videos.create({ ...clip, prompt })
    made.push(id)
  }
  const seen: string[] = []
  for await (const one of openai.videos.list({ limit: 2, order: 'asc' })) seen.push(one.id)
  t.same(seen, made)
  const newest = await openai.videos.list({ limit: 2 })
  t.same(
    newest.data.map(({ id }) => id),
    [made[2], made[1]],
  )
  for (const id of ['video_1', 'video_2', 'video_3']) upstream.finish(id)
  await gateway.round()
  t.match(await openai.videos.delete(made[1]!), { id: made[1], deleted: true })
  await t.rejects(openai.videos.retrieve(made[1]!), refusedWith(404))
  const left = await openai.videos.list()
  t.same(
    left.data.map(({ id }) => id),
    [made[2], made[0]],
  )
})

t.test(
  'what the service refuses costs nothing, and a price that lacks a size is refused first',
  async (t) => {
    const { gateway, openai } = await started(t)
    const before = await gateway.balance()
    await t.rejects(openai.videos.create({ ...clip, seconds: '7' as '8' }), refusedWith(400))
    await t.rejects(openai.videos.create({ ...clip, size: '1792x1024' }), {
      code: 'model_price_error',
    })
    t.same(gateway.calls, [])
    t.equal(await gateway.balance(), before)
  },
)
