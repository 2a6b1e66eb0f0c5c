/**
 * Two processes poll for a thousand tasks over one database, while the upstream reports the same tasks to both of them, some of it
 * twice and late, and deadlines run out on the way. Each task ends once, and is paid for what it made.
 */
import t from 'tap'
import { openDatabase } from '../../../../kernel/store/database.js'
import { freshDatabaseUrl, silentLog } from '../../../kit/database.js'
import { taskUpstream, type UpstreamTask } from '../../../kit/task-upstream.js'
import { furnished, tasksChild } from './tasks-child.js'

const count = 1_000
const atOnce = 25
const charge = 5_000n
const models = ['clip-1', 'clip-2', 'clip-3', 'clip-4'] as const

t.test(
  '[BILL-10] of a thousand tasks that everybody ends at once each ends once, and pays what it made',
  { timeout: 460_000, skip: !process.env.DATABASE_URL && 'needs PostgreSQL' },
  async (t) => {
    const databaseUrl = (await freshDatabaseUrl(t))!
    const upstream = await taskUpstream(t)
    const database = await openDatabase({ databaseUrl, dataDir: '', log: silentLog })
    t.teardown(() => database.close())
    const { knex } = database
    const children = await Promise.all(
      ['one', 'other'].map((name) => tasksChild(t, databaseUrl, name, 0)),
    )
    const [one, other] = children as [(typeof children)[0], (typeof children)[0]]
    const { key, admin } = await furnished(one.url, upstream.url, models)
    await admin.option('ServerAddress', 'https://gateway.example')
    const posted = async (): Promise<bigint> =>
      (await knex('accounts').where({ kind: 'wallet', owner_id: 1 }).first('posted')).posted
    const before = await posted()

    // The other process knows of the channels once it looks for them.
    while ((await other.submit(key, { model: models.at(-1), prompt: 'warm' })).status !== 200)
      await knex.raw('SELECT pg_sleep(0.1)')
    const numbers = Array.from({ length: count - 1 }, (_, at) => at)
    const begun = performance.now()
    const submitting = Array.from({ length: atOnce }, async () => {
      for (let at = numbers.pop(); at !== undefined; at = numbers.pop()) {
        const model = models[at % models.length]
        const { status } = await children[at % 2]!.submit(key, { model, prompt: `clip ${at}` })
        if (status !== 200) throw new Error(`clip ${at} was refused with ${status}`)
      }
    })
    await Promise.all(submitting)
    const submittedMs = performance.now() - begun
    t.equal(upstream.tasks.size, count)
    const tasks = [...upstream.tasks.values()]
    for (const task of tasks) task.report = outcome(task)
    const taskIds = await knex('tasks').select('task_id', 'upstream_ref')
    const idOf = new Map(taskIds.map(({ task_id, upstream_ref }) => [upstream_ref, task_id]))
    const notice = (task: UpstreamTask) => {
      const child = Math.random() < 0.5 ? one : other
      const secret = String(task.body.notify).split('/').at(-1)!
      return child.run({
        kind: 'notice',
        taskId: idOf.get(task.id)!,
        secret,
        body: JSON.stringify(task.report),
      })
    }

    const racedAt = performance.now()
    const shuffled = [...tasks, ...tasks.slice(0, 300)].sort(() => Math.random() - 0.5)
    const notices: Promise<unknown>[] = []
    for (let round = 0; round < 60; round += 1) {
      await knex.raw(`UPDATE tasks SET deadline_at = 'epoch' WHERE id IN (
        SELECT id FROM tasks WHERE billing = 'charged' ORDER BY random() LIMIT 8)`)
      await knex('tasks')
        .whereNotNull('poll_at')
        .update({ poll_at: new Date(0) })
      notices.push(...shuffled.splice(0, 60).map(notice))
      await Promise.all(children.map((child) => child.run({ kind: 'round' })))
      const [open] = await knex('tasks').where({ billing: 'charged' }).count({ left: '*' })
      if (Number(open!.left) === 0 && shuffled.length === 0) break
    }
    await Promise.all(notices)
    const racedMs = performance.now() - racedAt

    const rows = await knex('tasks').select('*')
    t.equal(rows.length, count)
    t.same(
      rows.filter(({ billing }) => billing !== 'final'),
      [],
      'every task has ended',
    )
    const unpaid = rows.filter(({ charged }) => charged !== charge)
    t.same(unpaid, [])
    let spent = 0n
    let moved = 0
    let wrong = 0
    for (const row of rows) {
      const { seconds, status } = upstream.tasks.get(row.upstream_ref)!.report
      const cost = row.state === 'failed' ? 0n : BigInt(Number(seconds)) * 1_000n
      if (row.cost !== cost || (row.state === 'succeeded' && status !== 'done')) wrong += 1
      if (row.late_success && row.state !== 'failed') wrong += 1
      if (cost !== charge) moved += 1
      spent += cost
    }
    t.equal(wrong, 0, 'each costs what its end makes of it')
    const finals = await knex('transfers').where({ kind: 'task_final' })
    t.equal(finals.length, moved, 'one movement for each that did not cost what was charged')
    const ends = await knex('task_states').whereIn('state', ['succeeded', 'failed'])
    t.equal(ends.length, count, 'each ended once')
    const late = rows.filter(({ late_success }) => late_success).length
    const failed = rows.filter(({ state }) => state === 'failed').length
    t.ok(failed > 0 && failed < count)
    t.equal(before - (await posted()), spent)
    t.strictSame(await one.run({ kind: 'check' }), [])
    t.comment(
      `${count} submitted in ${Math.round(submittedMs)} ms, ended in ${Math.round(racedMs)} ms; ${failed} failed, ${late} of them succeeded late`,
    )
  },
)

function outcome({ id }: UpstreamTask): Record<string, unknown> {
  const seconds = 1 + Math.floor(Math.random() * 12)
  return Math.random() < 0.25 ? { id, status: 'failed', seconds } : { id, status: 'done', seconds }
}
