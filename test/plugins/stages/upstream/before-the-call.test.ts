/** Requests nobody waits for any more when their turn comes: nothing is sent for them. */
import t from 'tap'
import type { Reserved } from '../../../../kernel/contract/line/record.js'
import type { Kit } from '../../../../kernel/contract/service-kit.js'
import { createDisconnectPolicy } from '../../../../kernel/pipeline/disconnect-policy.js'
import { limits } from '../../../../kernel/toolkit/limits/index.js'
import createUpstream from '../../../../plugins/stages/upstream/index.js'
import { FakeClock } from '../../../kit/clock.js'
import { FakeSink, quietLog } from '../../../kit/fakes.js'
import { channel, opened } from '../../../kit/line-fakes.js'

type UpstreamKit = Parameters<typeof createUpstream>[0]

const turn = () => new Promise((resolve) => setImmediate(resolve))

/** @param found credentials of the call */
function setup(found: unknown = {}) {
  const clock = new FakeClock()
  const disconnects = createDisconnectPolicy(clock)
  const sent: string[] = []
  const services = {
    disconnects,
    system: { environment: { relayTimeoutMs: 0 } },
    options: { check() {} },
    credentials: {
      of() {
        sent.push('credentials')
        return found
      },
    },
    egress: {
      open() {
        sent.push('call')
        return new Promise(() => {})
      },
    },
    providers: { hosts: () => [] },
  } as unknown as UpstreamKit['services']
  const settings = {
    number: () => 30,
    string: () => '500-599',
  } as unknown as Kit<'options'>['settings']
  const stage = createUpstream({ clock, log: quietLog, settings, services })
  return { clock, disconnects, sent, stage }
}

const reserved = (over: Partial<Reserved>): Reserved => ({ ...opened(), ...over })

t.test('a client that left before the call costs nobody anything (M10)', async (t) => {
  for (const onClientGone of ['drain', 'abort'] as const) {
    const { clock, sent, stage } = setup()
    const sink = new FakeSink()
    sink.gone = true
    const end = await stage.run(reserved({ sink, channel: channel(1, { onClientGone }) }))
    t.match(end, { failure: { code: 'client_gone' }, retry: false }, onClientGone)
    t.same(sent, [], onClientGone)
    t.equal(clock.pending, 0, 'no timer is left')
  }
})

t.test('a gateway that stops sends nothing more, and tries nobody else (P9)', async (t) => {
  const { disconnects, sent, stage } = setup()
  disconnects.endAll()
  const end = await stage.run(reserved({ sink: new FakeSink() }))
  t.match(end, { failure: { code: 'shutting_down', status: 503 }, retry: false })
  t.same(sent, [])
})

t.test('[S6] a count of tokens goes on no longer than anybody waits for it', async (t) => {
  for (const [operation, left] of [
    ['count', 0],
    ['chat', 1],
  ] as const) {
    const { clock, stage } = setup(new Promise(() => {}))
    const end = Promise.resolve(stage.run(reserved({ sink: new FakeSink(), operation })))
    const first = Promise.race([end, turn().then(() => 'open')])
    clock.advance(limits.countMs)
    const outcome = await first
    if (left > 0) t.equal(outcome, 'open')
    else t.match(outcome, { failure: { code: 'upstream_timeout' } })
  }
})
