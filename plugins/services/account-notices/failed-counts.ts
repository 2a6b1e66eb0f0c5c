/** Failures by account until they are written once a minute: a flood costs one row an hour, and its number is exact. */
import type { AuditEntry } from '../../../kernel/contract/services/ports.js'
import { failureOf } from './events.js'
import type { Failures } from './security-events.js'

/** Accounts of one minute; failures of further ones stand in the audit log alone. */
const accountsMax = 10_000

export class FailedCounts {
  private counts = new Map<string, Failures>()

  add(entry: AuditEntry): void {
    const failure = failureOf(entry)
    if (failure === undefined) return
    const key = `${failure.userId} ${failure.kind}`
    const before = this.counts.get(key)
    if (before === undefined && this.counts.size >= accountsMax) return
    this.counts.set(key, { ...failure, times: (before?.times ?? 0) + 1 })
  }

  /** Hands over what came since. */
  taken(): readonly Failures[] {
    const failures = [...this.counts.values()]
    this.counts = new Map()
    return failures
  }
}
