/**
 * A database that fails in the midst of a submission, at each of its steps and in each way: the client gets a clear error or its task,
 * nothing is sent twice, and what was charged is what the task cost in the end.
 */
import t, { type Test } from 'tap'
import type { Fault } from '../../../kit/failing-database.js'
import { charge, faultyGateway, hourMs } from './faults.js'

const steps = {
  begin: /task_begin/,
  hold: /^billing-apply .*\{reserve\}/,
  sending: /update "tasks" set .*"sent_at"/,
  accept: /update "tasks" set .*"upstream_ref"/,
  close: /^billing-apply .*\{close\}/,
} as const

/** Of the client: a task, nothing was relayed, or nobody knows. */
const replies = {
  task: { status: 200, code: undefined },
  refused: { status: 503, code: 'database_unavailable' },
  doubt: { status: 500, code: 'internal_error' },
} as const

/** Behind it, once the database is back: no row, accepted, failed and never sent, in doubt, or charged late. */
const standings = {
  none: undefined,
  accepted: { state: 'queued', billing: 'charged', charged: charge, cost: null },
  failed: { state: 'failed', billing: 'final', charged: 0n, cost: 0n },
  doubt: { state: 'unknown', billing: 'final', charged: 0n, cost: 0n },
  late: { state: 'queued', billing: 'charged', charged: charge, cost: null },
} as const

type Case = readonly [
  step: keyof typeof steps,
  fault: Fault,
  how: '' | 'commit' | 'stays' | 'commit stays',
  reply: keyof typeof replies,
  standing: keyof typeof standings,
]

const cases: readonly Case[] = [
  ['begin', 'readOnly', '', 'refused', 'none'],
  ['begin', 'lost', '', 'refused', 'none'],
  ['begin', 'late', '', 'refused', 'none'],
  ['begin', 'unacknowledged', '', 'refused', 'failed'],
  ['begin', 'readOnly', 'stays', 'refused', 'none'],
  ['begin', 'lost', 'stays', 'refused', 'none'],
  ['begin', 'unacknowledged', 'stays', 'refused', 'failed'],
  ['hold', 'readOnly', '', 'refused', 'failed'],
  ['hold', 'lost', '', 'task', 'accepted'],
  ['hold', 'unacknowledged', '', 'task', 'accepted'],
  ['hold', 'late', '', 'refused', 'failed'],
  ['hold', 'readOnly', 'stays', 'refused', 'failed'],
  ['hold', 'lost', 'stays', 'refused', 'failed'],
  ['hold', 'unacknowledged', 'stays', 'refused', 'failed'],
  ['sending', 'readOnly', '', 'refused', 'failed'],
  ['sending', 'lost', '', 'refused', 'failed'],
  ['sending', 'late', '', 'refused', 'failed'],
  ['sending', 'unacknowledged', '', 'refused', 'failed'],
  ['sending', 'readOnly', 'stays', 'refused', 'failed'],
  ['sending', 'lost', 'stays', 'refused', 'failed'],
  ['sending', 'unacknowledged', 'stays', 'refused', 'failed'],
  ['accept', 'readOnly', '', 'task', 'accepted'],
  ['accept', 'lost', '', 'task', 'accepted'],
  ['accept', 'late', '', 'task', 'accepted'],
  ['accept', 'unacknowledged', '', 'task', 'accepted'],
  ['accept', 'lost', 'commit', 'task', 'accepted'],
  ['accept', 'unacknowledged', 'commit', 'task', 'accepted'],
  ['accept', 'readOnly', 'stays', 'doubt', 'doubt'],
  ['accept', 'late', 'stays', 'doubt', 'doubt'],
  ['accept', 'lost', 'stays', 'doubt', 'doubt'],
  ['accept', 'lost', 'commit stays', 'doubt', 'doubt'],
  ['accept', 'unacknowledged', 'commit stays', 'doubt', 'late'],
  ['close', 'readOnly', '', 'task', 'accepted'],
  ['close', 'lost', '', 'task', 'accepted'],
  ['close', 'late', '', 'task', 'accepted'],
  ['close', 'unacknowledged', '', 'task', 'accepted'],
  ['close', 'readOnly', 'stays', 'task', 'accepted'],
  ['close', 'lost', 'stays', 'task', 'accepted'],
  ['close', 'unacknowledged', 'stays', 'task', 'accepted'],
]

const seconds = 3
const made = BigInt(seconds) * 1_000n

const skip = process.env.DATABASE_URL === undefined && 'needs PostgreSQL'
const gateway = (skip === false ? await faultyGateway(t as Test) : undefined)!
const { database, clock, service } = gateway ?? {}

t.test(
  '[BILL-10] a database that fails at any step of a submission leaves nothing sent twice and nothing charged twice',
  { skip },
  async (t) => {
    let { spent } = await gateway.money()
    const nameOf = ([step, fault, how]: Case) => `${step}: ${fault} ${how}`.trim()
    for (const each of cases) {
      const [step, fault, how, reply, standing] = each
      const prompt = nameOf(each)
      const struck = database.strike(fault, {
        at: steps[step],
        commit: how.includes('commit'),
        stays: how.includes('stays'),
      })
      const submitted = gateway.submit(prompt)
      // Nothing of it waits for the clock but what is tried again behind the reply.
      const { status, body } = await (step === 'begin' ? submitted : gateway.passing(submitted))
      await gateway.passing(struck)
      const { code } = (body.error ?? {}) as { readonly code?: string }
      t.strictSame({ status, code }, replies[reply], `${prompt}: the reply`)
      database.mend()
      await gateway.passing(gateway.gateway.idle())
      t.strictSame(await gateway.standing(prompt), standings[standing], `${prompt}: the row`)
      const isSent = step === 'accept' || reply === 'task'
      t.equal(gateway.sent(prompt), isSent ? 1 : 0, `${prompt}: sent`)
      t.equal(await gateway.doubts(prompt), standing === 'doubt' ? 1 : 0, `${prompt}: notices`)
      if (standing === 'accepted') spent += charge
      t.strictSame(await gateway.money(), { spent, held: 0n }, `${prompt}: the money`)
      if (standing !== 'accepted' && standing !== 'late') continue
      t.equal(await gateway.acceptances(prompt), 1, `${prompt}: accepted once`)
    }
    const lost = gateway.errors.filter((one) => 'upstreamTask' in one)
    t.equal(lost.length, 5, 'the log names what could not be kept')

    // By themselves, and each once.
    const isOpen = ({ 4: standing }: Case) => standing === 'accepted' || standing === 'late'
    for (const each of cases) {
      if (isOpen(each)) gateway.report(nameOf(each), { status: 'done', seconds })
    }
    clock.advance(hourMs)
    await gateway.allEnd()
    for (const each of cases) {
      const prompt = nameOf(each)
      const { 4: standing } = each
      if (standing === 'none') continue
      const charged = standing === 'late' ? 0n : charge
      const isDone = isOpen(each)
      t.strictSame(
        await gateway.standing(prompt),
        isDone ? { state: 'succeeded', billing: 'final', charged, cost: made } : standings.failed,
        `${prompt}: the end`,
      )
      t.equal(await gateway.finals(prompt), isDone ? 1 : 0, `${prompt}: corrections`)
      if (isDone) spent += made - charged
    }
    t.strictSame(await gateway.money(), { spent, held: 0n }, 'what they cost')
    t.strictSame(await gateway.breaches(), [])
  },
)

t.test(
  '[BILL-10] a database that is slow at any step of a submission delays it, and nothing else',
  { skip },
  async (t) => {
    let { spent } = await gateway.money()
    const submitted: string[] = []
    for (const [step, at] of Object.entries(steps)) {
      for (const unsent of [true, false]) {
        for (const commit of step === 'accept' ? [true, false] : [false]) {
          const prompt = `${unsent ? 'before' : 'behind'} ${commit ? 'the commit of ' : ''}${step}`
          submitted.push(prompt)
          const { reached, letGo } = database.slow({ at, unsent, commit })
          const reply = gateway.submit(prompt)
          await reached
          // Whoever sweeps and polls meanwhile finds nothing to do.
          clock.advance(5_000)
          await service.round()
          t.equal(gateway.sent(prompt), step === 'accept' || step === 'close' ? 1 : 0, prompt)
          letGo()
          t.equal((await reply).status, 200, prompt)
          await gateway.passing(gateway.gateway.idle())
          spent += charge
          t.strictSame(await gateway.standing(prompt), standings.accepted, prompt)
          t.strictSame(await gateway.money(), { spent, held: 0n }, prompt)
          t.equal(gateway.sent(prompt), 1, prompt)
          t.equal(await gateway.acceptances(prompt), 1, prompt)
        }
      }
    }
    for (const prompt of submitted) gateway.report(prompt, { status: 'failed' })
    await gateway.allEnd()
    spent -= charge * BigInt(submitted.length)
    t.strictSame(await gateway.money(), { spent, held: 0n })
    // Its end comes before the close of its hold: it charges the hold, and the close finds that done.
    const { reached, letGo } = database.slow({ at: steps.close, unsent: true })
    t.equal((await gateway.submit('ended first')).status, 200)
    await reached
    gateway.report('ended first', { status: 'done', seconds })
    await gateway.allEnd()
    spent += made
    t.strictSame(await gateway.money(), { spent, held: 0n })
    letGo()
    await gateway.gateway.idle()
    t.strictSame(await gateway.money(), { spent, held: 0n })
    t.match(await gateway.standing('ended first'), { charged: charge, cost: made })
    t.strictSame(await gateway.breaches(), [])
  },
)

t.test(
  '[BILL-4] what was accepted behind the back of its request is charged with its end, at what was agreed or made',
  { skip },
  async (t) => {
    let { spent } = await gateway.money()
    for (const [prompt, report, cost] of [
      ['as agreed', { status: 'done' }, charge],
      ['less', { status: 'done', seconds: 2 }, 2_000n],
      ['more', { status: 'done', seconds: 7 }, 7_000n],
      ['failed', { status: 'failed' }, 0n],
    ] as const) {
      void database.strike('unacknowledged', { at: steps.accept, commit: true, stays: true })
      t.equal((await gateway.passing(gateway.submit(prompt))).status, 500, prompt)
      database.mend()
      await gateway.passing(gateway.gateway.idle())
      t.strictSame(await gateway.money(), { spent, held: 0n }, `${prompt}: nothing yet`)
      gateway.report(prompt, report)
      const { state, charged, cost: paid } = (await gateway.ended(prompt))!
      t.strictSame([state, charged, paid], [cost === 0n ? 'failed' : 'succeeded', 0n, cost], prompt)
      spent += cost
      t.strictSame(await gateway.money(), { spent, held: 0n }, prompt)
      t.equal(await gateway.doubts(prompt), 0, `${prompt}: it is known`)
      t.equal(await gateway.finals(prompt), cost === 0n ? 0 : 1, prompt)
    }
    t.strictSame(await gateway.breaches(), [])
  },
)
