/** Guards around the stages of the line: they refuse or observe, and what a stage had taken is given back. */
import t from 'tap'
import type { Guard, GuardAt } from '../../../kernel/contract/guard.js'
import type { Failed } from '../../../kernel/contract/line/attempt.js'
import type { Opened, Picked, Received } from '../../../kernel/contract/line/record.js'
import type { Stages } from '../../../kernel/contract/line/stages.js'
import { attemptLoop } from '../../../kernel/pipeline/attempt.js'
import { bind, type GuardMap } from '../../../kernel/pipeline/bind.js'
import { Refusal } from '../../../kernel/toolkit/errors/refusal.js'
import { order } from '../../../plugins/stages/line.js'
import { FakeSource, quietLog } from '../../kit/fakes.js'
import { brokenUpstream, channel, FakeClaim, planned } from '../../kit/line-fakes.js'

const refusing: Guard = {
  check() {
    throw new Refusal('model_not_allowed', { model: 'm' })
  },
}

/** One try of a line whose upstream answers `opening`. */
async function tried(guards: GuardMap, opening?: object | Failed) {
  const claim = new FakeClaim()
  const source = new FakeSource()
  const reply = { kind: 'events', source }
  const picking = { channel: channel(1), keyId: 1, group: 'default', position: 0, claim }
  const nothing = { run: () => ({}) }
  const stages = {
    'channel-pick': { run: () => picking },
    mapping: nothing,
    override: nothing,
    'pre-consume': nothing,
    upstream: { run: () => opening ?? { reply } },
  } as unknown as Stages
  const run = await attemptLoop(
    order,
    bind(stages, guards, { settle: order.settle, log: quietLog }),
    { log: quietLog, clock: { now: () => 0 } },
  )(planned())
  return { run, claim, source }
}

t.test('a guard sees what the stage has added, and the answer goes on', async (t) => {
  const seen: (number | undefined)[] = []
  const guard: Guard = { check: (state) => void seen.push((state as Partial<Picked>).channel?.id) }
  const guards = { 'channel-pick': { before: [guard], after: [guard] } }
  const { run, claim } = await tried(guards)
  t.equal(run.kind, 'opened')
  t.same(seen, [undefined, 1])
  t.same(claim.ends, [undefined])
})

t.test('the claim of a channel hears of a guard that refuses right behind the pick', async (t) => {
  const { run, claim } = await tried({ 'channel-pick': { before: [], after: [refusing] } })
  t.match(run, { kind: 'failed', failure: { code: 'model_not_allowed' } })
  t.match(claim.ends, [{ code: 'model_not_allowed' }])
  t.equal(claim.ends.length, 1)
})

t.test('an answer a guard refuses is let go, not left open (S8)', async (t) => {
  const { run, claim, source } = await tried({ upstream: { before: [], after: [refusing] } })
  t.match(run, { kind: 'failed', failure: { code: 'model_not_allowed' } })
  t.equal(claim.ends.length, 1)
  t.equal(source.aborted, true)
})

t.test('what failed is not shown to the guards behind it', async (t) => {
  const seen: object[] = []
  const guard: Guard = { check: (state) => void seen.push((state as Opened).reply) }
  const failed: Failed = { failure: brokenUpstream, retry: false }
  const { run, claim } = await tried({ upstream: { before: [], after: [guard] } }, failed)
  t.match(run, { kind: 'failed', failure: { code: 'upstream_error' } })
  t.same(seen, [])
  t.same(claim.ends, [brokenUpstream])
})

t.test('a guard meets the record of the place it stands at', async (t) => {
  const seen: string[] = []
  const admitted: GuardAt<'auth', 'after'> = {
    check: ({ user }) => void seen.push(user.username),
  }
  const received: GuardAt<'auth', 'before'> = {
    // @ts-expect-error: nobody knows yet who calls.
    check: ({ user }) => void seen.push(String(user)),
  }
  const guards = { auth: { before: [received], after: [admitted] } }
  const auth = { run: () => ({ user: { username: 'ada' } }) }
  const { auth: bound } = bind({ auth } as unknown as Stages, guards, {
    settle: 'settle',
    log: quietLog,
  })
  await bound.run({} as Received)
  t.strictSame(seen, ['undefined', 'ada'])
})
