/** What is left of tasks whose time is over: nothing of them but what they cost, and everything of those under way. */
import { readdir } from 'node:fs/promises'
import t, { type Test } from 'tap'
import { root } from '../../../kit/management.js'
import { until } from '../../../kit/outside.js'
import { charge, faultyGateway } from './faults.js'

const dayMs = 86_400_000
const clip = `data:video/mp4;base64,${Buffer.alloc(3_000, 'clip of a cat ').toString('base64')}`
/** Ten minutes each: enough to let a file go, to delete it, and then its row. */
const turns = 4

async function start(t: Test) {
  const gateway = await faultyGateway(t)
  const { admin, knex, clock, service } = gateway
  const folder = t.testdir({})
  await admin.option('TaskStorageFolder', folder)
  await admin.option('TaskStorage', 'folder')
  await admin.option('TaskTimeoutMinutes', 43_200)
  await admin.option('TaskRetentionDays', 0)
  /** A round, and what the gateway's own job had taken before it. */
  async function round() {
    await service.round()
    await until(async () => (await knex('task_stored').whereNotNull('next_at')).length === 0)
  }
  return {
    ...gateway,
    async made(prompt: string, report: Record<string, unknown>) {
      const { status } = await gateway.submit(prompt)
      t.equal(status, 200, prompt)
      await gateway.gateway.idle()
      gateway.report(prompt, report)
      if (report.status === 'running') return
      const { task_id } = await gateway.row(prompt)
      await service.poll(task_id)
      await round()
    },
    /** As often as is enough for what is too old. */
    async forget() {
      for (let turn = 0; turn < turns; turn += 1) {
        clock.advance(600_000)
        await knex.raw('SELECT 1')
        await round()
      }
    },
    async left() {
      const prompts = await knex('tasks')
        .orderBy('id')
        .select(knex.raw(`request ->> 'prompt' AS prompt`))
      const count = async (table: string) => (await knex(table)).length
      return {
        tasks: prompts.map(({ prompt }: { readonly prompt: string }) => prompt),
        states: (await knex('task_states').distinct('task')).length,
        bytes: await count('task_bytes'),
        stored: await count('task_stored'),
        files: (await readdir(folder, { recursive: true, withFileTypes: true })).filter((one) =>
          one.isFile(),
        ).length,
      }
    },
  }
}

t.test(
  'tasks leave with their states, bytes and files once they ended long enough ago, and not before',
  async (t) => {
    const world = await start(t)
    const done = { status: 'done', seconds: 3, data: clip }
    await world.made('old', done)
    await world.made('old and failed', { status: 'failed' })
    await world.made('under way', { status: 'running' })
    world.clock.advance(2 * dayMs)
    await world.made('recent', done)
    const all = {
      tasks: ['old', 'old and failed', 'under way', 'recent'],
      ...{ states: 4, bytes: 2, stored: 2, files: 2 },
    }
    await world.forget()
    t.strictSame(await world.left(), all, 'with 0 they are kept for ever')
    const { spent } = await world.money()
    t.equal(spent, 3_000n + charge + 3_000n)

    await world.admin.login(root.username, root.password)
    await world.admin.option('TaskRetentionDays', 1)
    await world.forget()
    t.strictSame(await world.left(), {
      tasks: ['under way', 'recent'],
      ...{ states: 2, bytes: 1, stored: 1, files: 1 },
    })
    t.strictSame(await world.money(), { spent, held: 0n }, 'what they cost stays')
    t.equal((await world.knex('usage_log').where({ type: 2 })).length, 4)
    t.strictSame(await world.breaches(), [])

    world.report('under way', { status: 'done', seconds: 3 })
    await world.ended('under way')
    world.clock.advance(dayMs - 3_600_000)
    await world.forget()
    t.strictSame((await world.left()).tasks, ['under way'], 'its time begins with its end')
  },
)
