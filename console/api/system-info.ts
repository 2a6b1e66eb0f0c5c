/** The processes of the gateway, how this one fares, its memory of who was sent where, and trimming of the log. */
import { request, requestWhole } from './request.js'
import type { components } from './schema.js'

export interface Instance {
  readonly node_name: string
  readonly status: 'online' | 'stale'
  readonly stale_after_seconds: number
  readonly started_at: number
  readonly last_seen_at: number
  /** Since it was last seen, by the clock of the gateway. */
  readonly age_seconds: number
  /** As the process reported it; another version may report other fields. */
  readonly info: InstanceFacts
}

interface InstanceFacts {
  readonly version?: string
  readonly pid?: number
  readonly node_version?: string
  readonly hostname?: string
  readonly memory?: { readonly rss: number; readonly heap_used: number }
  readonly uptime_s?: number
  readonly event_loop_delay_p99_ms?: number
  readonly load?: readonly number[]
  readonly usage_anomalies?: number
  readonly database?: string
}

export function readInstances(signal?: AbortSignal): Promise<readonly Instance[]> {
  return request('GET', '/api/system-info/instances', { signal })
}

/** Answers how many went. */
export async function removeStaleInstances(): Promise<number> {
  const { deleted_count } = await request<{ deleted_count: number }>(
    'DELETE',
    '/api/system-info/stale-instances',
  )
  return deleted_count
}

export async function removeInstance(name: string): Promise<void> {
  await request('DELETE', `/api/system-info/instances/${encodeURIComponent(name)}`)
}

export interface ProcessHealth {
  readonly databaseMs: number
  /** Answers of this process so far, by class of status: `2xx`. */
  readonly answers: Readonly<Record<string, number>>
}

export async function readProcessHealth(signal?: AbortSignal): Promise<ProcessHealth> {
  const { data, beside } = await requestWhole<{ database_ms: number }>('GET', '/api/status/test', {
    signal,
  })
  return {
    databaseMs: data.database_ms,
    answers: (beside.http_stats ?? {}) as ProcessHealth['answers'],
  }
}

export type Affinity = components['schemas']['AffinityStats']

export function readAffinity(signal?: AbortSignal): Promise<Affinity> {
  return request('GET', '/api/option/channel_affinity_cache', { signal })
}

/** @param rule absent: all of them */
export async function clearAffinity(rule?: string): Promise<void> {
  await request('DELETE', '/api/option/channel_affinity_cache', { query: { rule } })
}

/** Deletes rows of the usage log from before a moment; returns how many. */
export function trimLog(beforeSeconds: number): Promise<number> {
  return request('DELETE', '/api/log/', { query: { target_timestamp: beforeSeconds } })
}
