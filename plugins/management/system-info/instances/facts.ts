/** What a process reports with each heartbeat. Nothing of it is a secret, and nothing of it costs. */
import { hostname, loadavg } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { JsonObject } from '../../../../kernel/contract/json.js'
import type { Database } from '../../../../kernel/contract/services/database.js'
import type { System } from '../../../../kernel/contract/services/system.js'
import type { Traffic } from '../../../../kernel/contract/services/traffic.js'

export interface ProcessFacts {
  start(): void
  stop(): void
  /** Of the time since it was read before. @param now Unix milliseconds */
  read(now: number): JsonObject
}

export function createProcessFacts({
  database,
  system,
  traffic,
}: {
  readonly database: Pick<Database, 'kind'>
  readonly system: Pick<System, 'version' | 'startedAt'>
  readonly traffic: Pick<Traffic, 'usageAnomalies'>
}): ProcessFacts {
  const delays = monitorEventLoopDelay({ resolution: 10 })

  return {
    start: () => void delays.enable(),
    stop: () => void delays.disable(),
    read(now) {
      const { rss, heapUsed } = process.memoryUsage()
      const delay = delays.percentile(99) / 1e6
      delays.reset()
      return {
        version: system.version,
        pid: process.pid,
        node_version: process.version,
        hostname: hostname(),
        memory: { rss, heap_used: heapUsed },
        uptime_s: Math.max(0, Math.floor((now - system.startedAt) / 1000)),
        event_loop_delay_p99_ms: Math.round(delay * 100) / 100,
        load: loadavg().map((load) => Math.round(load * 100) / 100),
        database: database.kind,
        usage_anomalies: traffic.usageAnomalies(),
      }
    },
  }
}
