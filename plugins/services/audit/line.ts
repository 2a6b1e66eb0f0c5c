/** What the kernel reports of a write as a line of the log: texts of one line, bounded, with what looks like a secret masked (API-7). */
import type { AuditEntry } from '../../../kernel/contract/services/ports.js'
import { createRedaction, persistentText } from '../../../kernel/toolkit/service/index.js'
import type { AuditLine } from './audit.js'
import { stateHash } from './canonical.js'

const redaction = createRedaction()

/** @param now Unix milliseconds */
export function lineOf(entry: AuditEntry, now: number): AuditLine {
  const actor = entry.principal ?? entry.actor
  return {
    createdAt: new Date(now),
    actorId: actor?.userId ?? 0,
    actorName: printable(actor?.username),
    actorRole: actor?.role ?? 0,
    via: entry.principal?.via ?? 'none',
    address: printable(entry.address),
    action: printable(entry.action),
    object: printable(entry.object),
    ...(entry.objectName && { objectName: printable(entry.objectName) }),
    detail: printable(entry.detail),
    beforeHash: stateHash(entry.before),
    afterHash: stateHash(entry.after),
    requestId: printable(entry.requestId),
  }
}

/** The mask comes first, so that no cut leaves half a secret that has lost its looks. */
function printable(text = ''): string {
  return persistentText(redaction.mask(text))
}
