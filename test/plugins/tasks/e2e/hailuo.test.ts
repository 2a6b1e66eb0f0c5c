/** Clips of Hailuo on a channel of MiniMax through a whole gateway: a task first, then its file. */
import t from 'tap'
import { strictHailuo } from '../../../kit/tasks/hailuo.js'
import { platformGateway } from '../../../kit/tasks/platform-gateway.js'

const model = 'MiniMax-Hailuo-02'
/** 1,000 quota a second at 768p, 3,000 at 1080p. */
const cards = {
  [model]: {
    unit: 'second',
    rates: [
      { when: { resolution: '768p' }, price: '0.002' },
      { when: { resolution: '1080p' }, price: '0.006' },
    ],
  },
}
const path = '/v1/video/generations'
const first = '106916112212032'

t.test(
  '[BILL-4] a clip is charged once, and its address is found by a second question',
  async (t) => {
    const upstream = strictHailuo()
    const gateway = await platformGateway(t, { upstream, cards, channel: { type: 35, key: 'key' } })
    const before = await gateway.balance()
    const { body } = await gateway.call('POST', path, { model, prompt: 'a cat', seconds: 10 })
    t.equal(before - (await gateway.balance()), 10_000n)
    upstream.change(first, { status: 'Processing' })
    await gateway.round()
    const one = `${path}/${body.task_id}`
    t.match((await gateway.call('GET', one)).body.data, {
      status: 'IN_PROGRESS',
      data: { task_id: body.task_id },
    })
    upstream.finish(first)
    await gateway.round()
    await gateway.round()
    t.match((await gateway.call('GET', one)).body.data, {
      status: 'SUCCESS',
      result_url: /^https:\/\/cdn\.example\//,
    })
    t.equal(before - (await gateway.balance()), 10_000n)
    t.match(await gateway.row(), { billing: 'final', charged: 10_000n, cost: 10_000n })
    t.match(await gateway.logs(), [{ quota: 10_000, model_name: model }])
    t.match(gateway.calls.at(-1), /^GET \/v1\/files\/retrieve/)
  },
)

t.test(
  '[BILL-4] a clip that fails is paid back whole, and what is refused is never charged',
  async (t) => {
    const upstream = strictHailuo()
    const gateway = await platformGateway(t, { upstream, cards, channel: { type: 35, key: 'key' } })
    const before = await gateway.balance()
    const { body } = await gateway.call('POST', path, {
      ...{ model, prompt: 'a cat', seconds: 6, resolution: '1080p' },
    })
    t.equal(before - (await gateway.balance()), 18_000n)
    upstream.fail(first, 1027, `The task ${first} holds what is not allowed.`)
    await Promise.all([gateway.round(), gateway.round()])
    t.equal(await gateway.balance(), before)
    t.match((await gateway.call('GET', `${path}/${body.task_id}`)).body.data, {
      status: 'FAILURE',
      fail_reason: `The task ${body.task_id} holds what is not allowed.`,
    })
    const refused = await gateway.call('POST', path, {
      ...{ model, prompt: 'a cat', seconds: 10, resolution: '1080p' },
    })
    t.ok(refused.status >= 400)
    t.equal(await gateway.balance(), before)
    t.notMatch(gateway.replies.join('\n'), new RegExp(first))
  },
)
