/**
 * Gateways are killed at every step of a task. Whoever comes after them knows of each what became of it: what was never sent has
 * failed, what may have been accepted is in doubt, what was accepted is charged, and ends once.
 */
import t from 'tap'
import { openDatabase } from '../../../../kernel/store/database.js'
import { freshDatabaseUrl, silentLog } from '../../../kit/database.js'
import { taskUpstream } from '../../../kit/task-upstream.js'
import { gates } from './gates.js'
import { furnished, type TasksChild, tasksChild } from './tasks-child.js'

const hourMs = 3_600_000
const models = ['clip-1', 'clip-2', 'clip-3'] as const

t.test(
  '[BILL-10] of gateways killed at every step of a task nothing is lost and nothing is paid twice',
  { timeout: 440_000, skip: !process.env.DATABASE_URL && 'needs PostgreSQL' },
  async (t) => {
    const databaseUrl = (await freshDatabaseUrl(t))!
    const upstream = await taskUpstream(t)
    const gate = await gates(t, databaseUrl)
    const database = await openDatabase({ databaseUrl, dataDir: '', log: silentLog })
    t.teardown(() => database.close())
    const { knex } = database
    const row = (prompt: string) =>
      knex('tasks').whereRaw(`request ->> 'prompt' = ?`, [prompt]).first()
    const until = async (isThere: () => Promise<unknown>) => {
      while (!(await isThere())) await knex.raw('SELECT pg_sleep(0.01)')
    }
    const posted = async (): Promise<bigint> =>
      (await knex('accounts').where({ kind: 'wallet', owner_id: 1 }).first('posted')).posted

    let lives = 0
    const next = () => tasksChild(t, databaseUrl, 'test', lives++ * 2 * hourMs)
    let child: TasksChild = await next()
    const { key } = await furnished(child.url, upstream.url, models)
    const before = await posted()
    const submit = (prompt: string, model: string = models[0]) =>
      child.submit(key, { model, prompt })
    const reborn = async () => {
      child = await next()
      await child.run({ kind: 'round' })
    }

    // Of one process, all at once.
    await gate.close('before the row', 'row')
    await gate.close('before it was sent', 'sending')
    await gate.close('about to be sent', 'sending')
    await gate.close('not yet kept', 'accepted')
    upstream.submitWith(() => (upstream.submissions.at(-1) === 'no reply yet' ? 'hang' : undefined))
    const accepted = await submit('accepted')
    t.equal(accepted.status, 200)
    const gated = ['before it was sent', 'about to be sent', 'not yet kept']
    const first = [...gated, 'no reply yet'].map((prompt) => submit(prompt))
    await Promise.all(gated.map((prompt) => gate.reached(prompt)))
    await until(async () => upstream.submissions.includes('no reply yet'))
    // Rows of one user are made one after the other, so this one comes last.
    first.push(submit('before the row'))
    await gate.reached('before the row')
    await child.kill()
    for (const { status } of await Promise.all(first)) t.equal(status, 0)
    await gate.cut('before the row')
    await gate.cut('before it was sent')
    await gate.cut('not yet kept')
    await gate.open()
    t.match(await row('about to be sent'), { sent_at: Date })
    await reborn()
    t.equal(await row('before the row'), undefined)
    const never = { billing: 'final', cost: 0n, charged: 0n, state: 'failed' }
    t.match(await row('before it was sent'), { ...never, reason: /before the task was sent/ })
    const doubtful = {
      ...never,
      state: 'unknown',
      reason: /Whether it accepted the task is not known/,
    }
    for (const prompt of ['about to be sent', 'no reply yet', 'not yet kept']) {
      t.match(await row(prompt), doubtful, prompt)
    }
    const alerts = await knex('outbox').where({ type: 'task_in_doubt' })
    t.match(await row('accepted'), { billing: 'charged' })
    t.equal(before - (await posted()), 5_000n, 'only the accepted one is charged')

    // Where money is moved the others wait, until one of them gives up: a process for each.
    const moved = [
      ['before its money', 'hold', { ...never, reason: /before the task was sent/ }],
      ['behind its money', 'hold', { ...never, reason: /before the task was sent/ }],
      ['before the charge', 'closed', { billing: 'charged', charged: 5_000n }],
      ['behind the charge', 'closed', { billing: 'charged', charged: 5_000n }],
    ] as const
    for (const [prompt, step, expected] of moved) {
      await gate.close(prompt, step)
      void submit(prompt)
      await gate.reached(prompt)
      await child.kill()
      if (prompt.startsWith('before')) await gate.cut(prompt)
      await gate.open()
      await reborn()
      t.match(await row(prompt), expected, prompt)
    }
    t.equal(before - (await posted()), 15_000n)

    // Their ends: read and not begun, within the transaction, behind it.
    const ends = ['read', 'within', 'behind'] as const
    for (const [at, prompt] of ends.entries()) {
      t.equal((await submit(prompt, models[at])).status, 200)
      const { id } = upstream.byPrompt(prompt)
      upstream.byPrompt(prompt).report = { id, status: 'done', seconds: 2 }
    }
    await child.run({ kind: 'idle' })
    await gate.close('read', 'ending')
    await gate.close('within', 'final')
    await knex('tasks')
      .whereNotNull('poll_at')
      .update({ poll_at: new Date(0) })
    void child.run({ kind: 'round' })
    await gate.reached('read')
    await gate.reached('within')
    await until(async () => (await row('behind')).billing === 'final')
    await child.kill()
    await gate.cut('read')
    await gate.cut('within')
    await gate.open()
    t.match(await row('read'), { billing: 'charged', cost: null })
    t.match(await row('within'), { billing: 'charged', cost: null })

    for (const prompt of ['accepted', 'before the charge', 'behind the charge']) {
      const task = upstream.byPrompt(prompt)
      const state = prompt === 'behind the charge' ? 'failed' : 'done'
      task.report = { id: task.id, status: state, seconds: 3 }
    }
    child = await next()
    for (let round = 0; round < 2; round += 1) {
      await knex('tasks')
        .whereNotNull('poll_at')
        .update({ poll_at: new Date(0) })
      await child.run({ kind: 'round' })
    }
    const ended = { accepted: 3_000n, 'before the charge': 3_000n, 'behind the charge': 0n }
    for (const [prompt, cost] of Object.entries({
      ...ended,
      read: 2_000n,
      within: 2_000n,
      behind: 2_000n,
    })) {
      t.match(await row(prompt), { billing: 'final', cost }, prompt)
    }
    const finals = await knex('transfers').where('idem_key', 'like', 'task_final:%')
    t.equal(finals.length, 6, 'each ended once')
    t.equal(before - (await posted()), 12_000n)
    t.strictSame(
      await knex('billing_requests').where({ state: 'reserved' }),
      [],
      'nothing is set aside',
    )
    t.equal(
      upstream.submissions.length,
      new Set(upstream.submissions).size,
      'nothing was sent twice',
    )
    t.equal(alerts.length, 3)
    t.strictSame(await child.run({ kind: 'check' }), [])
  },
)
