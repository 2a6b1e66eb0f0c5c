/** Clips of Wan on a channel of DashScope through a whole gateway. */
import t from 'tap'
import { platformGateway } from '../../../kit/tasks/platform-gateway.js'
import { strictWan } from '../../../kit/tasks/wan.js'

const model = 'wan2.5-t2v-preview'
/** 1,000 quota a second at 720p, 2,000 at 1080p. */
const cards = {
  [model]: {
    unit: 'second',
    rates: [
      { when: { resolution: '720p' }, price: '0.002' },
      { when: { resolution: '1080p' }, price: '0.004' },
    ],
  },
}
const path = '/v1/video/generations'
const clip = { model, prompt: 'a cat', seconds: 10, size: '1280x720' } as const

t.test('[BILL-4] a clip costs what was made of it, by length and resolution', async (t) => {
  const upstream = strictWan()
  const gateway = await platformGateway(t, { upstream, cards, channel: { type: 17, key: 'key' } })
  const before = await gateway.balance()
  const { body } = await gateway.call('POST', path, clip)
  t.equal(before - (await gateway.balance()), 10_000n)
  t.match(upstream.last.body, { parameters: { size: '1280*720', duration: 10 } })
  upstream.run('0385dc79-1')
  await gateway.round()
  const running = await gateway.call('GET', `${path}/${body.task_id}`)
  t.match(running.body.data, { status: 'IN_PROGRESS' })
  upstream.finish('0385dc79-1', { duration: 5, video_count: 1, SR: 1080 })
  await Promise.all([gateway.round(), gateway.round()])
  t.equal(before - (await gateway.balance()), 10_000n, 'five seconds at 1080p')
  t.match(await gateway.row(), { billing: 'final', charged: 10_000n, cost: 10_000n })
  const { data } = (await gateway.call('GET', `${path}/${body.task_id}`)).body
  t.match(data, { status: 'SUCCESS', data: { output: { task_id: body.task_id } } })
  t.match(await gateway.logs(), [{ quota: 10_000, model_name: model }])
})

t.test('[BILL-4] what failed or was cancelled is paid back whole, once', async (t) => {
  const upstream = strictWan()
  const gateway = await platformGateway(t, { upstream, cards, channel: { type: 17, key: 'key' } })
  const before = await gateway.balance()
  const { body: failed } = await gateway.call('POST', path, clip)
  const { body: ended } = await gateway.call('POST', path, { ...clip, prompt: 'a dog' })
  t.equal(before - (await gateway.balance()), 20_000n)
  upstream.fail('0385dc79-1', 'The task 0385dc79-1 at https://dashscope.aliyuncs.com failed.')
  await Promise.all([gateway.round(), gateway.round()])
  t.equal(before - (await gateway.balance()), 10_000n)
  await gateway.gateway.service('tasks').cancel(ended.task_id)
  t.equal(await gateway.balance(), before)
  t.match((await gateway.call('GET', `${path}/${failed.task_id}`)).body.data, {
    status: 'FAILURE',
    fail_reason: `The task ${failed.task_id} at *** failed.`,
  })
  t.match((await gateway.call('GET', `${path}/${ended.task_id}`)).body.data, { status: 'FAILURE' })
  t.notMatch(gateway.replies.join('\n'), /0385dc79/)
})
