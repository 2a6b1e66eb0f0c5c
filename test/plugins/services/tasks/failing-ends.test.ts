/**
 * A database that fails behind a submission: in a poll, at the end of a task, while it is cancelled, in the sweep and under a report
 * of the upstream. Each task ends once and by itself, and is charged or paid back once.
 */
import t, { type Test } from 'tap'
import type { Fault, Place } from '../../../kit/failing-database.js'
import { charge, type FaultyGateway, faultyGateway } from './faults.js'

const skip = process.env.DATABASE_URL === undefined && 'needs PostgreSQL'

const statements = {
  claim: /^\s*UPDATE tasks SET poll_at/,
  charge: /billing_task_charge/,
  end: /update "tasks" set .*"finished_at" = /,
  final: /billing_task_final/,
  running: /update "tasks" set "state"/,
  later: /update "tasks" set "poll_at" = .*"poll_failures"/,
  cancel: /update "tasks" set "cancel_at"/,
} as const

type Struck = Place & { readonly stays?: boolean }

/** How an end can fail, and whether it is one all the same. */
const ends: readonly (readonly [name: string, fault: Fault, place: Struck, isEnded: boolean])[] = [
  ['the charge, read-only', 'readOnly', { at: statements.charge }, false],
  ['the charge, lost', 'lost', { at: statements.charge }, false],
  ['the charge, not acknowledged', 'unacknowledged', { at: statements.charge }, false],
  ['the row, read-only', 'readOnly', { at: statements.end }, false],
  ['the row, lost', 'lost', { at: statements.end }, false],
  ['the row, late', 'late', { at: statements.end }, false],
  ['the posting, lost', 'lost', { at: statements.final }, false],
  ['the posting, read-only', 'readOnly', { at: statements.final }, false],
  ['the posting, away', 'lost', { at: statements.final, stays: true }, false],
  ['the posting, read-only for long', 'readOnly', { at: statements.final, stays: true }, false],
  ['the commit, lost', 'lost', { at: statements.final, commit: true }, false],
  ['the commit, away', 'lost', { at: statements.final, commit: true, stays: true }, false],
  ['the commit, not acknowledged', 'unacknowledged', { at: statements.final, commit: true }, true],
  [
    'the commit, not acknowledged, then away',
    'unacknowledged',
    { at: statements.final, commit: true, stays: true },
    true,
  ],
]

const outcomes = {
  done: { report: { status: 'done', seconds: 3 }, state: 'succeeded', cost: 3_000n },
  failed: { report: { status: 'failed', reason: 'It is not allowed.' }, state: 'failed', cost: 0n },
} as const

type Outcome = (typeof outcomes)[keyof typeof outcomes]

const open = { state: 'queued', billing: 'charged', charged: charge, cost: null }

function ended({ state, cost }: Pick<Outcome, 'state' | 'cost'>) {
  return { state, billing: 'final', charged: charge, cost }
}

async function start(t: Test) {
  const gateway = await faultyGateway(t)
  await gateway.admin.option('ServerAddress', gateway.url)
  const { knex, service, database } = gateway
  let spent = 0n
  return {
    ...gateway,
    async submitted(prompt: string) {
      const { status } = await gateway.submit(prompt)
      if (status !== 200) throw new Error(`${prompt} was refused with ${status}`)
      await gateway.gateway.idle()
      spent += charge
    },
    /** Its next poll alone is due. */
    async polled(prompt: string) {
      await knex('tasks')
        .whereRaw(`request ->> 'prompt' = ?`, [prompt])
        .update({ poll_at: new Date(0) })
      await service.round().catch(() => {})
    },
    /** Struck, and nothing passes any more until it is mended. */
    struck: (fault: Fault, place: Struck) => database.strike(fault, place),
    /** Behind every fault, and once its time has passed: each ended once and by itself. */
    async settle(t: Test, outcomeOf: ReadonlyMap<string, Pick<Outcome, 'state' | 'cost'>>) {
      await gateway.allEnd()
      for (const [prompt, outcome] of outcomeOf) {
        t.strictSame(await gateway.standing(prompt), ended(outcome), `${prompt}: the end`)
        spent += outcome.cost - charge
        t.equal(await gateway.finals(prompt), 1, `${prompt}: one correction`)
        const last = (await gateway.states(prompt)).filter((one) => /succeeded|failed/.test(one))
        t.strictSame(last, [outcome.state], `${prompt}: one end`)
        t.equal(gateway.sent(prompt), 1, `${prompt}: sent once`)
      }
      t.strictSame(await gateway.money(), { spent, held: 0n })
      t.strictSame(await gateway.breaches(), [])
      t.strictSame(await gateway.knex('billing_requests').where({ state: 'reserved' }), [])
    },
  }
}

const world = (skip === false ? await start(t as Test) : undefined)!

t.test(
  '[BILL-4] a database that fails at any step of an end leaves one end, and one refund or correction',
  { skip },
  async (t) => {
    const expected = new Map<string, Pick<Outcome, 'state' | 'cost'>>()
    for (const [how, outcome] of Object.entries(outcomes)) {
      for (const [name, fault, place, isEnded] of ends) {
        const prompt = `${how}: ${name}`
        await world.submitted(prompt)
        world.report(prompt, outcome.report)
        const struck = world.struck(fault, place)
        await world.polled(prompt)
        await struck
        world.database.mend()
        t.strictSame(await world.standing(prompt), isEnded ? ended(outcome) : open, prompt)
        expected.set(prompt, outcome)
      }
    }
    await world.settle(t, expected)
  },
)

t.test(
  '[BILL-10] a database that fails in a poll costs the task time, and nothing else',
  { skip },
  async (t) => {
    const expected = new Map<string, Pick<Outcome, 'state' | 'cost'>>()
    const faults: readonly (readonly [Fault, boolean])[] = [
      ['lost', false],
      ['unacknowledged', false],
      ['readOnly', false],
      ['late', false],
      ['lost', true],
    ]
    for (const step of ['claim', 'running', 'later'] as const) {
      for (const [fault, stays] of faults) {
        const prompt = `${step}: ${fault}${stays ? ' and away' : ''}`
        await world.submitted(prompt)
        if (step === 'running') world.report(prompt, { status: 'running', percent: 10 })
        if (step === 'later') world.upstream.pollWith(() => ({ status: 503, body: {} }))
        const asked = world.upstream.polls.length
        const commit = step === 'running' && fault === 'unacknowledged'
        const struck = world.struck(fault, { at: statements[step], stays, commit })
        await world.polled(prompt)
        await struck
        world.database.mend()
        world.upstream.pollWith(undefined)
        t.equal(world.upstream.polls.length - asked, step === 'claim' ? 0 : 1, `${prompt}: asked`)
        const { state } = commit ? { state: 'running' } : open
        t.strictSame(await world.standing(prompt), { ...open, state }, prompt)
        world.report(prompt, outcomes.done.report)
        expected.set(prompt, outcomes.done)
        await world.allEnd()
      }
    }
    await world.settle(t, expected)
  },
)

t.test(
  '[BILL-4] a database that fails while a task is cancelled leaves it under way, or ended and paid back once',
  { skip },
  async (t) => {
    const expected = new Map<string, Pick<Outcome, 'state' | 'cost'>>()
    const cancelling = async (prompt: string, fault: Fault, place: Struck) => {
      await world.submitted(prompt)
      const { task_id } = await world.row(prompt)
      const struck = world.struck(fault, place)
      const reply = world.service.cancel(task_id).then(
        ({ state }) => state,
        () => 'an error',
      )
      const found = place.at === statements.cancel ? await world.passing(reply) : await reply
      await struck
      world.database.mend()
      return found
    }
    const isCancelled = (prompt: string) =>
      world.upstream.byPrompt(prompt).report.reason === 'It was cancelled.'

    for (const fault of ['lost', 'unacknowledged', 'readOnly', 'late'] as const) {
      const prompt = `the mark: ${fault}`
      t.equal(await cancelling(prompt, fault, { at: statements.cancel }), 'failed', prompt)
      expected.set(prompt, outcomes.failed)
    }
    for (const fault of ['lost', 'readOnly'] as const) {
      const prompt = `the mark: ${fault} for long`
      const place = { at: statements.cancel, stays: true }
      t.equal(await cancelling(prompt, fault, place), 'an error', prompt)
      t.notOk(isCancelled(prompt), `${prompt}: its upstream was not called`)
      t.equal((await world.row(prompt)).cancel_at, null, prompt)
      world.report(prompt, outcomes.done.report)
      expected.set(prompt, outcomes.done)
    }
    await world.allEnd()
    for (const [name, fault, place, isEnded] of ends) {
      const prompt = `cancelled: ${name}`
      const found = await cancelling(prompt, fault, place)
      t.match(found, place.stays ? 'an error' : isEnded ? 'failed' : 'queued', prompt)
      t.ok(isCancelled(prompt), `${prompt}: its upstream was called`)
      t.strictSame(await world.standing(prompt), isEnded ? ended(outcomes.failed) : open, prompt)
      expected.set(prompt, outcomes.failed)
    }
    await world.settle(t, expected)
  },
)

t.test(
  '[BILL-10] a report of the upstream that the database did not take is refused, and taken when it comes again',
  { skip },
  async (t) => {
    const expected = new Map<string, Pick<Outcome, 'state' | 'cost'>>()
    for (const [how, outcome] of Object.entries(outcomes)) {
      for (const [name, fault, place, isEnded] of ends) {
        const prompt = `reported ${how}: ${name}`
        await world.submitted(prompt)
        world.report(prompt, outcome.report)
        const struck = world.struck(fault, place)
        t.equal(await world.notice(prompt), 503, `${prompt}: refused`)
        await struck
        world.database.mend()
        t.strictSame(await world.standing(prompt), isEnded ? ended(outcome) : open, prompt)
        t.equal(await world.notice(prompt), 200, `${prompt}: taken`)
        t.strictSame(await world.standing(prompt), ended(outcome), prompt)
        expected.set(prompt, outcome)
      }
    }
    await world.settle(t, expected)
  },
)

t.test(
  'what the database did not take of a cancelled task that is gone is no fault of its upstream',
  { skip },
  async (t) => {
    const expected = new Map<string, Pick<Outcome, 'state' | 'cost'>>()
    await world.submitted('cancelled')
    await world.submitted('another')
    const { task_id } = await world.row('cancelled')
    // What it was requested to cancel it has no longer.
    const { id, report } = world.upstream.byPrompt('cancelled')
    world.upstream.pollWith(() => {
      const isGone = world.upstream.byPrompt('cancelled').report !== report
      return isGone && world.upstream.polls.at(-1)?.join() === id
        ? { status: 404, body: {} }
        : undefined
    })
    const struck = world.struck('lost', { at: statements.end })
    t.match(await world.service.cancel(task_id), { state: 'queued' })
    await struck
    world.report('another', outcomes.done.report)
    const again = world.struck('lost', { at: statements.end })
    await world
      .knex('tasks')
      .where({ task_id })
      .update({ poll_at: new Date(-1) })
    await world.polled('another')
    await again
    t.match(await world.row('cancelled'), { ...open, poll_failures: 2 })
    t.strictSame(await world.standing('another'), ended(outcomes.done), 'its lane is not paused')
    expected.set('another', outcomes.done)
    await world.allEnd()
    world.upstream.pollWith(undefined)
    t.strictSame(await world.standing('cancelled'), { ...ended(outcomes.failed), cost: charge })
    await world.settle(t, expected)
  },
)

t.test(
  '[BILL-4] a database that is slow at an end lets nobody else end the task, nor pay it back again',
  { skip },
  async (t) => {
    const expected = new Map<string, Pick<Outcome, 'state' | 'cost'>>()
    for (const unsent of [true, false]) {
      for (const commit of [true, false]) {
        const prompt = `${unsent ? 'before' : 'behind'} the ${commit ? 'commit' : 'posting'}`
        await world.submitted(prompt)
        world.report(prompt, outcomes.done.report)
        const { reached, letGo } = world.database.slow({ at: statements.final, commit, unsent })
        const polled = world.polled(prompt)
        await reached
        world.report(prompt, outcomes.failed.report)
        const noticed = world.notice(prompt)
        const isOver = unsent || !commit
        // The report stands before the row that the poll has.
        while (isOver && (await waiting(world)) === 0) await world.knex.raw('SELECT pg_sleep(0.01)')
        letGo()
        t.equal(await noticed, 200)
        await polled
        t.strictSame(await world.standing(prompt), ended(outcomes.done), prompt)
        expected.set(prompt, outcomes.done)
      }
    }
    await world.settle(t, expected)
  },
)

async function waiting({ knex }: FaultyGateway): Promise<number> {
  const { rows } = await knex.raw(
    `SELECT count(*)::int AS waiting FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  )
  return rows[0].waiting
}

t.test(
  '[BILL-4] a database that fails in the sweep leaves what ran out of time to the next one',
  { skip },
  async (t) => {
    const expected = new Map<string, Pick<Outcome, 'state' | 'cost'>>()
    for (const [name, fault, place, isEnded] of ends) {
      const prompt = `out of time: ${name}`
      await world.submitted(prompt)
      await world
        .knex('tasks')
        .whereRaw(`request ->> 'prompt' = ?`, [prompt])
        .update({ deadline_at: new Date(0), poll_at: null })
      const struck = world.struck(fault, place)
      await world.service.round().catch(() => {})
      await struck
      world.database.mend()
      t.strictSame(await world.standing(prompt), isEnded ? ended(outcomes.failed) : open, prompt)
      expected.set(prompt, outcomes.failed)
      await world.allEnd()
      t.match((await world.row(prompt)).reason, /did not end within 1440 minutes/)
    }
    await world.settle(t, expected)
  },
)
