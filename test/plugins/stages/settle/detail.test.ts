/** What a row of the usage log tells beside the price. */
import t from 'tap'
import type { Opened } from '../../../../kernel/contract/line/record.js'
import type { Kit } from '../../../../kernel/contract/service-kit.js'
import createSettle from '../../../../plugins/stages/settle/index.js'
import { FakeClock } from '../../../kit/clock.js'
import { FakeHold, quietLog } from '../../../kit/fakes.js'
import { opened } from '../../../kit/line-fakes.js'

async function detailOf(headers: Readonly<Record<string, string>>) {
  const services = {
    affinity: {},
    health: {},
    throttle: { succeeded() {} },
  } as unknown as Kit<'affinity' | 'health' | 'throttle' | 'tasks'>['services']
  const settings = {} as Kit<'affinity'>['settings']
  const hold = new FakeHold(1_000n)
  const record = opened({ hold })
  const state = { ...record, reply: { ...record.reply, headers } } as Opened
  const usage = { input: 10, output: 2 }
  await createSettle({ clock: new FakeClock(), log: quietLog, settings, services }).run({
    kind: 'delivered',
    state,
    delivery: { end: 'complete', usage, estimated: [], anomaly: false, delivered: true },
    attempts: [],
  })
  return hold.closing?.detail
}

t.test('the id the upstream gave the request is kept, within bounds', async (t) => {
  t.match(await detailOf({ 'x-request-id': 'up-1' }), { upstream_request_id: 'up-1' })
  t.match(await detailOf({ 'request-id': 'up-2' }), { upstream_request_id: 'up-2' })
  const long = await detailOf({ 'x-request-id': 'x'.repeat(1_000) })
  t.equal(String(long?.upstream_request_id).length, 128)
  t.notOk('upstream_request_id' in ((await detailOf({ server: 'nginx' })) ?? {}))
})
