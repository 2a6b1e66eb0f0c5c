/** One measurement: a job of the load against a target, with what the target used meanwhile. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Figures, Job } from './load.js'
import { cpuMs, postgresCpuMs, residentMb, type Target } from './targets.js'

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
  const { origin, key } = target
  const figures = await job(load, { origin, key, connections, requests, stream: kind === 'stream' })
  clearInterval(watch)
  return {
    target: target.name,
    ...{ kind, connections, requests, figures },
    cpuMs: cpuMs(target.pid) - cpuBefore,
    postgresCpuMs: postgresCpuMs() - postgresBefore,
    residentMb: Math.max(peakMb, residentMb(target.pid)),
  }
}

async function job(child: ChildProcess, work: Job): Promise<Figures> {
  const answer = once(child, 'message')
  child.send(work)
  return (await answer)[0] as Figures
}
