/** The kit of stages, services, endpoints and management areas: it brings the services their manifest requires. */

import type { Clock, Log, Settings } from './kit.js'
import type { Services } from './service.js'

export interface Kit<Required extends keyof Services = never> {
  readonly settings: Settings
  readonly clock: Clock
  readonly log: Log
  /** Frozen; holds exactly the services the manifest requires. */
  readonly services: Readonly<Pick<Services, Required>>
}
