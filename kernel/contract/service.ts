/**
 * Services by name. The kernel's own stand here; a service plugin adds its own by declaration merging in its
 * `index.ts`: `declare module '../../../kernel/contract/service.js' { interface Services { ledger: Ledger } }`.
 */

import type { Answers } from './services/answers.js'
import type { Catalog } from './services/catalog.js'
import type { Changes } from './services/changes.js'
import type { Database } from './services/database.js'
import type { DisconnectPolicy } from './services/disconnect-policy.js'
import type { Egress } from './services/egress.js'
import type { Extensions } from './services/extensions.js'
import type { Formats, Operations } from './services/formats.js'
import type { Live } from './services/live.js'
import type { Memory } from './services/memory.js'
import type { Peers } from './services/peers.js'
import type { Plugins } from './services/plugins.js'
import type { Probe } from './services/probe.js'
import type { Providers } from './services/providers.js'
import type { Schedule } from './services/schedule.js'
import type { SecretBox } from './services/secrets.js'
import type { System } from './services/system.js'
import type { Traffic } from './services/traffic.js'

export interface Services {
  database: Database
  changes: Changes
  egress: Egress
  catalog: Catalog
  formats: Formats
  operations: Operations
  providers: Providers
  secrets: SecretBox
  schedule: Schedule
  disconnects: DisconnectPolicy
  answers: Answers
  plugins: Plugins
  probe: Probe
  extensions: Extensions
  system: System
  traffic: Traffic
  live: Live
  memory: Memory
  peers: Peers
}
