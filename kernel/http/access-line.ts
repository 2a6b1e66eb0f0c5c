/** The one access log line of a request. */
import type { Log } from '../contract/kit.js'

export interface AccessFields {
  readonly requestId: string
  readonly method: string
  /** Without query. */
  readonly path: string
  readonly address: string
  /** 499 where the client left before there was one. */
  readonly status: number
  readonly durationMs: number
  /** Of the body, before any compression. */
  readonly bytes: number
  /** The client left before it had everything. */
  readonly gone?: true
}

export function accessLine(log: Log, fields: AccessFields): void {
  log.info(fields, 'request')
}
