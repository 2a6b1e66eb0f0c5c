/** Processes with a gateway that tests kill, and what a test sets up in the first of them. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { knowSetupCode, type Management, management } from '../../../kit/management.js'
import type { FromChild, FromParent } from './children/tasks-process.js'

const program = fileURLToPath(new URL('./children/tasks-process.js', import.meta.url))

export interface TasksChild {
  readonly url: string
  /** Resolves with what the process makes of it: of a check the breaches. */
  run(message: FromParent): Promise<readonly unknown[]>
  submit(key: string, body: Record<string, unknown>): Promise<Submitted>
  kill(): Promise<void>
}

interface Submitted {
  /** 0: the process was killed meanwhile. */
  readonly status: number
  readonly taskId: string
}

export async function tasksChild(
  t: Pick<Test, 'teardown'>,
  ...args: readonly [databaseUrl: string, nodeName: string, aheadMs: number]
): Promise<TasksChild> {
  // It starts sooner without maps of its sources, which nobody reads.
  const child: ChildProcess = fork(program, args.map(String), { execArgv: [] })
  const ended = once(child, 'exit')
  const waiting: ((breaches: readonly unknown[]) => void)[] = []
  let ready: (message: FromChild & { kind: 'ready' }) => void = () => {}
  const isReady = new Promise<FromChild & { kind: 'ready' }>((resolve) => {
    ready = resolve
  })
  child.on('message', (message: FromChild) => {
    if (message.kind === 'ready') ready(message)
    else waiting.shift()?.(message.breaches)
  })
  async function kill(): Promise<void> {
    child.kill('SIGKILL')
    await ended
  }
  t.teardown(kill)
  const early = ended.then(() => {
    throw new Error('the process ended before it was ready')
  })
  const { url, code } = await Promise.race([isReady, early])
  early.catch(() => {})
  knowSetupCode(url, code)
  return {
    ...{ url, kill },
    run(message) {
      child.send(message, () => {})
      return new Promise((resolve) => waiting.push(resolve))
    },
    async submit(key, body) {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      const init = { method: 'POST', headers, body: JSON.stringify({ seconds: 5, ...body }) }
      try {
        const response = await fetch(`${url}/v1/video/generations`, init)
        const reply = (await response.json()) as { readonly task_id?: string }
        return { status: response.status, taskId: reply.task_id ?? '' }
      } catch {
        return { status: 0, taskId: '' }
      }
    },
  }
}

/** Root with funds, and a channel for each model: a second costs 1,000. */
export async function furnished(
  url: string,
  upstreamUrl: string,
  models: readonly string[],
): Promise<{ readonly key: string; readonly admin: Management }> {
  const admin = management(url)
  await admin.setUp()
  await admin.credit(1, 100_000_000)
  const card = { unit: 'second', rates: [{ when: { resolution: '*' }, price: '0.002' }] }
  await admin.option('TaskRateCards', Object.fromEntries(models.map((model) => [model, card])))
  await admin.option('TasksUnderWayPerUser', 0)
  for (const model of models) {
    await admin.channel({
      ...{ type: 993, name: model, key: `key of ${model}`, base_url: upstreamUrl },
      ...{ models: model, group: 'default' },
    })
  }
  const { key } = await admin.token()
  return { key, admin }
}
