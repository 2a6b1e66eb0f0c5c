/**
 * The kit is all a plugin gets: its default export is `create(kit)`, which does no I/O and keeps no globals. What a
 * kit holds depends on the kind of plugin: stages, services, endpoints and management areas get a `Kit`, others the one
 * of their kind below. `Kit<'ledger' | 'pricing'>` names the services of `requires`. `npm run check` compares both with
 * the manifest.
 */
import type { Socket } from 'node:net'
import type { JsonObject } from './json.js'

/** What providers, formats and operations get. They are pure: they have no clock and no log. */
export interface PureKit {
  readonly settings: Settings
}

/** What guards get. */
export interface GuardKit {
  readonly settings: Settings
  readonly log: Log
  /**
   * As that of `OutgoingKit`: one HTTP call through egress, to a host the manifest names. A guard waits for a service that
   * judges for it; what rejects here and is not caught refuses the request, so that a service that is down lets nothing through.
   */
  fetch(url: string | URL, init?: OutgoingRequest): Promise<Response>
}

/** What OAuth providers, notifiers and payment gateways get: no service, and one way out that their manifest bounds. */
export interface OutgoingKit {
  readonly settings: Settings
  readonly clock: Clock
  readonly log: Log
  /**
   * One HTTP call through egress, to a host the manifest names. The whole answer is there when it resolves; redirects
   * are answers. Rejects with an `EgressError` where an address may not be called or a limit ran out.
   */
  fetch(url: string | URL, init?: OutgoingRequest): Promise<Response>
  /** A TCP connection by the same rules, for protocols that are not HTTP. `host` is the value of a setting that `hosts` names. */
  dial(host: string, port: number): Promise<Socket>
}

export interface OutgoingRequest {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  /** Milliseconds for the whole call; default 10,000. */
  readonly timeoutMs?: number
  /** Largest answer; default 1 MiB. */
  readonly bytesMax?: number
  /** A larger answer is cut there, its rest unread, instead of failing the call. */
  readonly cut?: boolean
}

/** A live view of the plugin's settings: an edit by an admin shows at the next read. */
export interface Settings {
  /** Every declared field, defaults filled in. */
  readonly all: JsonObject
  /** Of a `json` or `list` field: its source text, so that numbers keep every digit. */
  string(name: string): string
  number(name: string): number
  boolean(name: string): boolean
  json(name: string): JsonObject
  /** Called after each change, never during `create`. */
  onChange(listener: () => void): void
}

export interface Clock {
  /** Unix milliseconds. */
  now(): number
  /** Milliseconds that only grow; for durations. */
  monotonic(): number
  /** Runs once after `ms`; the answer cancels it. Timers of a clock never keep the process alive. */
  after(ms: number, run: () => void): () => void
}

/** Structured log; one line per event. Values that look like secrets are masked, known secrets always. */
export interface Log {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** What any created plugin may have beside its own verbs. The gateway calls `start` in load order, `stop` in reverse. */
export interface Life {
  /** I/O is allowed here. A rejection marks the plugin as failed. */
  start?(): Promise<void> | void
  stop?(): Promise<void> | void
}
