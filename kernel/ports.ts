/**
 * What the kernel needs of plugins. It knows none of them by name: who boots it states which services stand behind each
 * port, so that the kernel is complete without any plugin (decision 0064).
 */
import type { Services } from './contract/service.js'
import type {
  Auditor,
  Authenticator,
  RequestLimiter,
  SettingsSource,
} from './contract/services/ports.js'

export interface Ports {
  readonly authenticator: Authenticator
  readonly limiter: RequestLimiter
  readonly auditor: Auditor
  readonly settings: SettingsSource
}

export interface CorePlugins {
  /** Services without which no request can be relayed and charged: where one has failed, the gateway does not run. */
  readonly required: readonly string[]
  /** The service that holds the settings of the others. */
  readonly settingsSource: string
  /** Called once the services are created. `service` throws where there is none or it failed. */
  ports(service: <Name extends keyof Services>(name: Name) => Services[Name]): Ports
}
