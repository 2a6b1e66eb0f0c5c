/** Medians of several measurements, per request and per event. */
import type { Measured } from './measure.js'
import { median } from './median.js'

export interface Row {
  readonly requestsPerSecond: number
  readonly p50: number
  readonly p99: number
  readonly cpuPerRequest: number
  readonly postgresPerRequest: number
  readonly cpuPerEvent: number
  readonly residentMb: number
  readonly failed: number
  readonly stallMs: number
}

/** Of the target; `connections` absent: at all of them. */
export function rowOf(
  measured: readonly Measured[],
  target: string,
  kind: string,
  connections?: number,
): Row {
  return medians(
    measured.filter(
      (each) =>
        each.target === target &&
        each.kind === kind &&
        (connections === undefined || each.connections === connections),
    ),
  )
}

function medians(runs: readonly Measured[]): Row {
  const middle = (figure: (run: Measured) => number) => median(runs.map(figure))
  return {
    requestsPerSecond: middle(({ figures }) => figures.requestsPerSecond),
    p50: middle(({ figures }) => figures.p50),
    p99: middle(({ figures }) => figures.p99),
    cpuPerRequest: middle(({ cpuMs, requests }) => cpuMs / requests),
    postgresPerRequest: middle(({ postgresCpuMs, requests }) => postgresCpuMs / requests),
    cpuPerEvent: middle(({ cpuMs, figures }) => cpuMs / Math.max(1, figures.events)),
    residentMb: middle(({ residentMb }) => residentMb),
    failed: runs.reduce((sum, { figures }) => sum + figures.failed, 0),
    stallMs: middle(({ figures }) => figures.stallMs),
  }
}
