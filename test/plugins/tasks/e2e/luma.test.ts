/** Clips of Luma through a whole gateway: polled, reported by the upstream itself, and gone on from. */
import t from 'tap'
import { strictLuma } from '../../../kit/tasks/luma.js'
import { platformGateway } from '../../../kit/tasks/platform-gateway.js'
import { typeNamed } from '../../../kit/tasks/type-named.js'

const model = 'ray-2'
/** 1,000 quota a second at 720p, 500 at 540p. */
const cards = {
  [model]: {
    unit: 'second',
    rates: [
      { when: { resolution: '720p', aspect_ratio: '*' }, price: '0.002' },
      { when: { resolution: '540p', aspect_ratio: '*' }, price: '0.001' },
    ],
  },
}
const path = '/v1/video/generations'
const ids = '123e4567-e89b-12d3-a456-42661417400'
const clip = { model, prompt: 'a cat', seconds: 5, resolution: '720p' } as const

t.test(
  '[BILL-10] a clip is settled once by a report of the upstream and the polls beside it',
  async (t) => {
    const upstream = strictLuma()
    const channel = { type: typeNamed('luma'), key: 'luma-key' }
    const gateway = await platformGateway(t, { upstream, cards, channel })
    await gateway.admin.option('ServerAddress', gateway.url)
    const before = await gateway.balance()
    const { body } = await gateway.call('POST', path, clip)
    t.equal(before - (await gateway.balance()), 5_000n)
    const [, secret = ''] = /\/([0-9a-f]{40})$/.exec(String(upstream.last.callback_url)) ?? []
    upstream.finish(`${ids}0`)
    const report = { method: 'POST', headers: {}, query: {}, body: upstream.report(`${ids}0`) }
    const tasks = gateway.gateway.service('tasks')
    await Promise.all([tasks.notice(body.task_id, secret, report), gateway.round()])
    const { data } = (await gateway.call('GET', `${path}/${body.task_id}`)).body
    t.match(data, { status: 'SUCCESS', data: { id: body.task_id, state: 'completed' } })
    t.match(await gateway.row(), { billing: 'final', charged: 5_000n, cost: 5_000n })

    const further = { ...clip, prompt: 'more', action: 'extend', origin_task_id: body.task_id }
    const { body: second } = await gateway.call('POST', path, further)
    t.match(upstream.last.keyframes, { frame0: { type: 'generation', id: `${ids}0` } })
    t.equal(before - (await gateway.balance()), 10_000n)
    upstream.change(`${ids}1`, { state: 'failed', failure_reason: `No clip for ${ids}1.` })
    await Promise.all([gateway.round(), gateway.round()])
    t.equal(before - (await gateway.balance()), 5_000n, 'paid back whole')
    t.match((await gateway.call('GET', `${path}/${second.task_id}`)).body.data, {
      status: 'FAILURE',
      fail_reason: `No clip for ${second.task_id}.`,
    })
  },
)
