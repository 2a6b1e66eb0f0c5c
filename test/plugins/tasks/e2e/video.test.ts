/** Clips of an upstream whose protocol the settings of its channel state, through a whole gateway. */
import t from 'tap'
import type { JsonObject } from '../../../../kernel/contract/json.js'
import { type Platform, platformGateway } from '../../../kit/tasks/platform-gateway.js'
import { typeNamed } from '../../../kit/tasks/type-named.js'
import { jsonIn, replied } from '../../../kit/tasks/upstream.js'
import { strictVideo } from '../../../kit/tasks/video.js'

const model = 'clip-1'
/** 1,000 quota a second at 720p, 3,000 at 1080p with sound. */
const cards = {
  [model]: {
    unit: 'second',
    rates: [
      { when: { resolution: '720p', audio: '*' }, price: '0.002' },
      { when: { resolution: '1080p', audio: 'true' }, price: '0.006' },
    ],
  },
  'clip-tokens': { unit: 'token', rates: [{ when: { size: '*' }, price: '0.000002' }] },
}
const clip = { model, prompt: 'a cat', seconds: 6, size: '1280x720', audio: false } as const
const path = '/v1/video/generations'

t.test(
  '[CHAN-4] an upstream in the form of the family makes clips that are charged to the unit',
  async (t) => {
    const upstream = strictVideo()
    const channel = { type: typeNamed('video'), key: 'sk-test' }
    const gateway = await platformGateway(t, { upstream, cards, channel })
    const before = await gateway.balance()
    const { status, body } = await gateway.call('POST', path, clip)
    t.equal(status, 200)
    t.equal(before - (await gateway.balance()), 6_000n)
    t.match(upstream.last, { model, prompt: 'a cat', duration: 6, width: 1280, height: 720 })
    upstream.change('task_1', { status: 'IN_PROGRESS', progress: '55%' })
    await gateway.round()
    t.match((await gateway.call('GET', `${path}/${body.task_id}`)).body.data, {
      status: 'IN_PROGRESS',
      progress: '55%',
    })
    upstream.finish('task_1', 'https://cdn.example/a.mp4')
    await Promise.all([gateway.round(), gateway.round()])
    t.match((await gateway.call('GET', `${path}/${body.task_id}`)).body.data, {
      status: 'SUCCESS',
      result_url: 'https://cdn.example/a.mp4',
      data: { data: { task_id: body.task_id } },
    })
    t.equal(before - (await gateway.balance()), 6_000n, 'the tokens it reports are no seconds')
    t.notMatch(gateway.replies.join('\n'), /"task_1"/)
    t.match(await gateway.logs(), [{ quota: 6_000, model_name: model }])
  },
)

t.test('[CHAN-4] usage.completion_tokens settles what a clip cost', async (t) => {
  const upstream = strictVideo()
  const channel = { type: typeNamed('video'), key: 'sk-test' }
  const gateway = await platformGateway(t, { upstream, cards, channel })
  const before = await gateway.balance()
  const priced = { ...clip, model: 'clip-tokens', seconds: 5 }
  const { body } = await gateway.call('POST', path, priced)
  t.equal(before - (await gateway.balance()), 108_000n, 'five seconds at 720p are 108,000 tokens')
  upstream.finish('task_1', 'https://cdn.example/a.mp4')
  await gateway.round()
  t.equal(before - (await gateway.balance()), 108_900n, 'so many were reported')
  t.match(await gateway.row(body.task_id), { charged: 108_000n, cost: 108_900n })
  await gateway.call('POST', path, priced)
  upstream.fail('task_2', 'No.')
  await gateway.round()
  t.equal(before - (await gateway.balance()), 108_900n)
})

t.test(
  '[CHAN-4] paths, words and the header of the key are as the channel states them',
  async (t) => {
    const { upstream, tasks, sent } = jobs()
    const settings = {
      ...{ submit_path: '/jobs', poll_path: '/jobs/{task_id}/state', id_path: 'job.no' },
      ...{ auth_header: 'X-Key', auth_prefix: '', metadata: 'merged' },
      ...{ state_path: 'job.phase', url_path: 'job.files', error_path: 'job.why' },
      ...{ progress_path: 'job.part', seconds_path: 'job.length' },
      ...{ queued_words: ['w'], running_words: ['r'], succeeded_words: ['s'], failed_words: ['f'] },
      video_task: { created_at_path: 'job.times.0', updated_at_path: 'job.times.1' },
      vendor_extension: { kept: [1, null, { deep: '' }] },
    }
    const channel = { type: typeNamed('video'), key: 'sk-test', settings }
    const gateway = await platformGateway(t, { upstream, cards, channel })
    const kept = await gateway.admin.must('GET', `/api/channel/${gateway.channelId}`)
    t.match(settingsOf(kept), { vendor_extension: settings.vendor_extension })
    const before = await gateway.balance()
    const loud = { ...clip, size: '1920x1080', audio: true, metadata: { style: 'film' } }
    const { body } = await gateway.call('POST', path, loud)
    t.equal(before - (await gateway.balance()), 18_000n)
    t.match(sent.at(-1), { style: 'film', duration: 6 })
    tasks.set('4711000001', { no: 4711000001, phase: 'r', part: 30 })
    await gateway.round()
    tasks.set('4711000001', {
      ...{ no: 4711000001, phase: 's', length: 4.5, files: ['https://x.example/a.mp4'] },
      times: [1_764_064_000, 1_764_064_090],
    })
    await gateway.round()
    const { data } = (await gateway.call('GET', `${path}/${body.task_id}`)).body
    t.match(data, { status: 'SUCCESS', result_url: 'https://x.example/a.mp4' })
    t.equal(data.data.job.no, body.task_id, 'a number as well')
    t.equal(before - (await gateway.balance()), 13_500n, 'four and a half seconds were made')
    const { body: second } = await gateway.call('POST', path, clip)
    tasks.set('4711000002', {
      no: 4711000002,
      phase: 'f',
      why: 'job 4711000002 at https://up.example/x',
    })
    await gateway.round()
    const failed = (await gateway.call('GET', `${path}/${second.task_id}`)).body.data
    t.match(failed, { status: 'FAILURE', fail_reason: `job ${second.task_id} at ***` })
    t.equal(before - (await gateway.balance()), 13_500n, 'paid back whole')
    t.notMatch(gateway.replies.join('\n'), /471100000/)
    t.same(new Set(gateway.calls), new Set(jobCalls))
  },
)

const jobCalls = ['POST /jobs', 'GET /jobs/4711000001/state', 'GET /jobs/4711000002/state']

/** An upstream nobody else is like. */
function jobs() {
  const tasks = new Map<string, JsonObject>()
  const sent: JsonObject[] = []
  const upstream: Platform = {
    handle(method, path, headers, body) {
      if (headers['x-key'] !== 'sk-test' || headers.authorization !== undefined) {
        return replied({ job: { why: 'no key' } }, 401)
      }
      if (method === 'POST' && path === '/jobs') {
        sent.push(jsonIn(body))
        const no = 4_711_000_001 + tasks.size
        tasks.set(String(no), { no, phase: 'w' })
        return replied({ job: { no } })
      }
      const job = tasks.get(/^\/jobs\/(\d+)\/state$/.exec(path)?.[1] ?? '')
      return method === 'GET' && job ? replied({ job }) : replied({ job: {} }, 404)
    },
  }
  return { upstream, tasks, sent }
}

function settingsOf({ settings }: { settings: unknown }): unknown {
  return typeof settings === 'string' ? JSON.parse(settings) : settings
}
