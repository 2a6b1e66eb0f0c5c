/** An upstream of the tests' task type (test/kit/task-type): it keeps tasks, and does with them what a test says. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The folder of the task type, for `roots` of a gateway. */
export const taskTypeRoot = new URL('./task-type/', import.meta.url)
/** Of the one that believes its upstream: channel type 994. */
export const taskLiarRoot = new URL('./task-liar/', import.meta.url)

export interface UpstreamTask {
  readonly id: string
  readonly body: Record<string, unknown>
  /** What it reports when it is asked. */
  report: Record<string, unknown>
}

export interface TaskUpstream {
  readonly url: string
  readonly tasks: Map<string, UpstreamTask>
  /** How often each task was submitted, by the prompt. */
  readonly submissions: string[]
  /** Calls that asked, each with the ids it named. */
  readonly polls: string[][]
  /** What happens instead of the next submissions. */
  submitWith(
    answer: (() => { status: number; body: unknown } | 'hang' | 'cut' | undefined) | undefined,
  ): void
  pollWith(answer: (() => { status: number; body: unknown } | 'hang' | undefined) | undefined): void
  byPrompt(prompt: string): UpstreamTask
  close(): Promise<void>
}

export async function taskUpstream(t: {
  teardown(run: () => Promise<void>): void
}): Promise<TaskUpstream> {
  const tasks = new Map<string, UpstreamTask>()
  const submissions: string[] = []
  const polls: string[][] = []
  let submit: Parameters<TaskUpstream['submitWith']>[0]
  let poll: Parameters<TaskUpstream['pollWith']>[0]

  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece)
    const text = Buffer.concat(pieces).toString('utf8')
    const body = text === '' ? {} : JSON.parse(text)
    const send = (status: number, value: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(value))
    }
    if (request.url === '/submit') {
      submissions.push(String(body.prompt))
      const instead = submit?.()
      if (instead === 'hang') return
      if (instead === 'cut') {
        response.socket?.destroy()
        return
      }
      if (instead !== undefined) return send(instead.status, instead.body)
      const id = `up-${tasks.size + 1}`
      tasks.set(id, { id, body, report: { id, status: 'queued' } })
      return send(200, { id })
    }
    if (request.url === '/poll') {
      polls.push(body.ids)
      const instead = poll?.()
      if (instead === 'hang') return
      if (instead !== undefined) return send(instead.status, instead.body)
      const found = body.ids.flatMap((id: string) => tasks.get(id)?.report ?? [])
      return send(200, { tasks: found })
    }
    const task = tasks.get(decodeURIComponent(request.url?.split('/').at(-1) ?? ''))
    if (request.method === 'DELETE' && task !== undefined) {
      task.report = { id: task.id, status: 'failed', reason: 'It was cancelled.' }
      return send(200, {})
    }
    send(404, { error: 'nothing here' })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections()
      server.close(() => resolve())
    })
  t.teardown(close)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ tasks, submissions, polls, close },
    submitWith(answer) {
      submit = answer
    },
    pollWith(answer) {
      poll = answer
    },
    byPrompt(prompt) {
      const found = [...tasks.values()].find(({ body }) => body.prompt === prompt)
      if (found === undefined) throw new Error(`no task was submitted for ${prompt}`)
      return found
    },
  }
}
