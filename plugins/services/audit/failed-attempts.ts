/**
 * Failed sign-ins and proofs, one line of the log for each account and address in a minute with their number, and few lines
 * a minute however many there are: a flood must not fill the database.
 */
import type { AuditEntry } from '../../../kernel/contract/services/ports.js'

interface Attempts {
  readonly entry: AuditEntry
  times: number
}

/** Lines of one minute; what comes beyond them is summed up by action. */
const linesMax = 20

export class FailedAttempts {
  private lines = new Map<string, Attempts>()

  add(entry: AuditEntry): void {
    const { action, object, detail, address, principal } = entry
    const own = JSON.stringify([action, object, detail, address, principal?.userId])
    if (this.lines.has(own) || this.lines.size < linesMax) {
      this.count(own, entry)
      return
    }
    const rest = { requestId: entry.requestId, action, address: '', object: 'several accounts' }
    this.count(action, { ...rest, detail: 'from further addresses' })
  }

  /** Hands over what came since. */
  taken(): readonly AuditEntry[] {
    const lines = [...this.lines.values()]
    this.lines = new Map()
    return lines.map(({ entry, times }) => {
      const often = times === 1 ? 'once' : `${times} times`
      return { ...entry, detail: entry.detail ? `${entry.detail}, ${often}` : often }
    })
  }

  private count(key: string, entry: AuditEntry): void {
    const attempts = this.lines.get(key)
    if (attempts === undefined) this.lines.set(key, { entry, times: 1 })
    else attempts.times += 1
  }
}
