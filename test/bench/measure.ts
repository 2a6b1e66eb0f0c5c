/** One measurement: a job of the load against a target, with what the target used meanwhile. */
import type { ChildProcess } from 'node:child_process'
import type { Figures, Job } from './load.js'
import { ask, cpuMs, postgresCpuMs, residentMb, type Target } from './targets.js'

export interface Measured {
  readonly target: string
  readonly kind: 'json' | 'stream'
  readonly connections: number
  readonly requests: number
  readonly figures: Figures
  readonly cpuMs: number
  readonly postgresCpuMs: number
  readonly residentMb: number
}

export type Terms = Pick<Measured, 'kind' | 'connections' | 'requests'>

const watchMs = 250

export async function measure(
  load: ChildProcess,
  target: Target,
  { kind, connections, requests }: Terms,
): Promise<Measured> {
  const cpuBefore = cpuMs(target.pid)
  const postgresBefore = postgresCpuMs()
  let peakMb = residentMb(target.pid)
  const watch = setInterval(() => {
    peakMb = Math.max(peakMb, residentMb(target.pid))
  }, watchMs)
  const { origin, key, headers } = target
  const job: Job = { origin, key, headers, connections, requests, stream: kind === 'stream' }
  const figures = await ask<Figures>(load, job)
  clearInterval(watch)
  return {
    target: target.name,
    ...{ kind, connections, requests, figures },
    cpuMs: cpuMs(target.pid) - cpuBefore,
    postgresCpuMs: postgresCpuMs() - postgresBefore,
    residentMb: Math.max(peakMb, residentMb(target.pid)),
  }
}
