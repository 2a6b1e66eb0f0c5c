/** What others see of the audit log. */
import type { Auditor } from '../../../kernel/contract/service.js'

export interface Audit extends Auditor {}

declare module '../../../kernel/contract/service.js' {
  interface Services {
    audit: Audit
  }
}
