/**
 * The load: takes one job at a time from its parent, runs it over undici and answers the figures. It runs in a process
 * of its own, away from the target's core.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { Agent } from 'undici'

export interface Job {
  readonly origin: string
  readonly key: string
  readonly connections: number
  /** Requests in all, or streams open at once where `stream`. */
  readonly requests: number
  readonly stream: boolean
  /** Beside those every target gets. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export interface Figures {
  readonly seconds: number
  readonly requestsPerSecond: number
  readonly p50: number
  readonly p99: number
  readonly failed: number
  readonly events: number
  readonly bytes: number
  /** Longest silence seen inside a stream, milliseconds. */
  readonly stallMs: number
}

interface Sample {
  readonly ms: number
  readonly failed: boolean
  readonly events: number
  readonly bytes: number
  readonly stallMs: number
}

/** Streams begin one after the other, so that each first token is timed on its own. */
const streamEveryMs = 4

const text =
  'Tell me how the relay keeps its accounts, in plain words and with one example. '.repeat(24)

process.on('message', async (job: Job) => process.send?.(await run(job)))
process.on('disconnect', () => process.exit(0))

async function run(job: Job): Promise<Figures> {
  const agent = new Agent({
    connections: job.connections,
    pipelining: 1,
    bodyTimeout: 120_000,
    headersTimeout: 120_000,
  })
  const body = JSON.stringify({
    model: 'gpt-4o-mini',
    messages: [{ role: 'user', content: text }],
    max_tokens: 256,
    ...(job.stream && { stream: true, stream_options: { include_usage: true } }),
  })
  const samples: Sample[] = []
  let left = job.requests
  const started = performance.now()
  await Promise.all(
    Array.from({ length: Math.min(job.connections, job.requests) }, async (_, index) => {
      if (job.stream) await pause(index * streamEveryMs)
      while (left-- > 0) samples.push(await one(agent, job, body))
    }),
  )
  const seconds = (performance.now() - started) / 1000
  await agent.close()
  return summary(samples, seconds)
}

function one(agent: Agent, { origin, key, stream, headers }: Job, body: string): Promise<Sample> {
  const started = performance.now()
  let first = 0
  let last = started
  let stallMs = 0
  let bytes = 0
  let events = 0
  let status = 0
  let ended = false
  return new Promise((resolve) => {
    const done = (failed: boolean) =>
      resolve({
        ms: (stream ? first : performance.now()) - started,
        failed: failed || status !== 200 || (stream && !ended),
        events,
        bytes,
        stallMs,
      })
    agent.dispatch(
      {
        origin,
        path: '/v1/chat/completions',
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${key}`,
          ...headers,
        },
        body,
      },
      {
        onRequestStart() {},
        onResponseStart(_, code) {
          status = code
        },
        onResponseData(_, chunk) {
          const now = performance.now()
          if (first === 0) first = now
          else stallMs = Math.max(stallMs, now - last)
          last = now
          bytes += chunk.length
          if (!stream) return
          for (let at = chunk.indexOf('\n\n'); at >= 0; at = chunk.indexOf('\n\n', at + 2))
            events += 1
          ended ||= chunk.includes('[DONE]')
        },
        onResponseEnd: () => done(false),
        onResponseError: () => done(true),
      },
    )
  })
}

function summary(samples: readonly Sample[], seconds: number): Figures {
  const times = samples.map(({ ms }) => ms).sort((a, b) => a - b)
  const at = (share: number) =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
  return {
    seconds,
    requestsPerSecond: samples.length / seconds,
    p50: at(0.5),
    p99: at(0.99),
    failed: samples.filter(({ failed }) => failed).length,
    events: samples.reduce((sum, { events }) => sum + events, 0),
    bytes: samples.reduce((sum, { bytes }) => sum + bytes, 0),
    stallMs: Math.max(0, ...samples.map(({ stallMs }) => stallMs)),
  }
}
