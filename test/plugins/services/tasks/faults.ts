/** A gateway over a database that fails, whose hours pass when a test lets them, and what is seen of its tasks and its money. */
import type { Test } from 'tap'
import type { Log } from '../../../../kernel/contract/kit.js'
import type { OpenDatabase } from '../../../../kernel/store/database.js'
import { FakeClock } from '../../../kit/clock.js'
import { failingDatabase } from '../../../kit/failing-database.js'
import { quietLog } from '../../../kit/fakes.js'
import { taskGateway, taskModel } from '../../../kit/task-gateway.js'

export const charge = 5_000n
export const hourMs = 3_600_000
/** A task that is not done after so many steps of its time never will be. */
const stepsMax = 40
const stepMs = 15_000

export type FaultyGateway = Awaited<ReturnType<typeof faultyGateway>>

export async function faultyGateway(t: Test, options: Parameters<typeof taskGateway>[1] = {}) {
  const database = failingDatabase()
  const clock = new FakeClock(Date.now())
  const errors: object[] = []
  const log: Log = {
    ...quietLog,
    error: (fields, message) => void errors.push({ ...(fields as object), message }),
  }
  let opened: OpenDatabase | undefined
  const wrap = (own: OpenDatabase) => {
    opened = own
    return database.wrap(own)
  }
  const gateway = await taskGateway(t, { clock, log, wrap, ...options })
  const { knex, upstream } = gateway
  const service = gateway.gateway.service('tasks')
  const wallet = () => knex('accounts').where({ kind: 'wallet', owner_id: 1 }).first()
  const funds: bigint = (await wallet()).posted

  const row = (prompt: string) =>
    knex('tasks').whereRaw(`request ->> 'prompt' = ?`, [prompt]).first()

  /** What it states of a task. Undefined: there is none. */
  async function standing(prompt: string) {
    const found = await row(prompt)
    if (found === undefined) return undefined
    const { state, billing, charged, cost } = found
    return { state, billing, charged, cost }
  }

  /** Their time passes, and nothing else, until all of them have ended. */
  async function allEnd(): Promise<void> {
    const open = () => knex('tasks').whereNull('finished_at')
    for (let step = 0; step < stepsMax; step += 1) {
      if ((await open()).length === 0) return
      clock.advance(stepMs)
      await service.round()
    }
    const [left] = await open()
    throw new Error(`the task of ${left.request.prompt} does not end: it is ${left.state}`)
  }

  return {
    ...gateway,
    ...{ database, clock, errors, service, row, standing },
    /** What another process would find. */
    opened: () => opened!,
    submit: (prompt: string, fields: Record<string, unknown> = {}) =>
      gateway.submit({ model: taskModel, prompt, seconds: 5, ...fields }),
    /** What waits for the clock goes on, until the work is over. */
    async passing<T>(work: Promise<T>): Promise<T> {
      let isOver = false
      const watched = work.finally(() => {
        isOver = true
      })
      watched.catch(() => {})
      while (!isOver) {
        await new Promise<void>((resolve) => setImmediate(resolve))
        clock.advance(5)
      }
      return watched
    },
    ended: async (prompt: string) => {
      await allEnd()
      return standing(prompt)
    },
    allEnd,
    report(prompt: string, report: Record<string, unknown>): void {
      const task = upstream.byPrompt(prompt)
      task.report = { id: task.id, ...report }
    },
    /** Posted since the beginning, and held now. */
    async money() {
      const { posted, held } = await wallet()
      return { spent: funds - posted, held }
    },
    sent: (prompt: string) => upstream.submissions.filter((one) => one === prompt).length,
    /** Notices to root that nobody knows of this task whether it was accepted. */
    doubts: async (prompt: string): Promise<number> => {
      const task = (await row(prompt))?.task_id
      return (await knex('outbox').where({ unique_key: `1:task in doubt:${task}` })).length
    },
    finals: async (prompt: string): Promise<number> => {
      const { task_id } = await row(prompt)
      return (await knex('transfers').where({ idem_key: `task_final:${task_id}` })).length
    },
    states: async (prompt: string): Promise<readonly string[]> => {
      const { id } = await row(prompt)
      return knex('task_states').where({ task: id }).orderBy('id').pluck('state')
    },
    /** How often it was kept that its upstream accepted it. */
    acceptances: async (prompt: string): Promise<number> => {
      const { id } = await row(prompt)
      return (await knex('task_states').where({ task: id, state: 'queued', word: '' })).length
    },
    breaches: () => gateway.gateway.service('ledger').check(),
    /** At the address its upstream was given; resolves with the status. */
    async notice(prompt: string): Promise<number> {
      const { report, body } = upstream.byPrompt(prompt)
      const { pathname } = new URL(String(body.notify))
      const init = { method: 'POST', body: JSON.stringify(report) }
      return (await fetch(`${gateway.url}${pathname}`, init)).status
    },
  }
}
