/** The one access log line of a request. */
import type { Log } from '../contract/kit.js'
import type { AnsweredRequest } from '../contract/services/traffic.js'
import type { Counter } from './traffic.js'

export interface AccessDependencies {
  readonly log: Log
  readonly traffic?: Counter
}

export interface AccessFields extends AnsweredRequest {
  readonly requestId: string
  readonly address: string
  /** Of the body, before any compression. */
  readonly bytes: number
  /** The client left before it had everything. */
  readonly gone?: true
}

export function accessLine({ log, traffic }: AccessDependencies, fields: AccessFields): void {
  log.info(fields, 'request')
  traffic?.answered(fields)
}
