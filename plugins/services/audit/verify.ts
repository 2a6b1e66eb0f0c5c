/** Walks the chain of a day in the order it was written. */
import type { AuditRow, DayVerdict } from './audit.js'
import { type AuditStore, dayOf } from './audit-store.js'
import { chainHash } from './chain.js'

const rowsAtOnce = 100

export async function verifyDay(store: AuditStore, day: string): Promise<DayVerdict> {
  const span = dayOf(new Date(`${day}T00:00:00Z`))
  let rows = 0
  let last: AuditRow | undefined
  for (;;) {
    const piece = await store.after(span, last, rowsAtOnce)
    for (const row of piece) {
      const fault = faultOf(row, last?.hash ?? null)
      const head = last?.hash ?? null
      if (fault !== undefined) return { day, rows, head, broken: { id: row.id, fault } }
      rows += 1
      last = row
    }
    if (piece.length < rowsAtOnce) return { day, rows, head: last?.hash ?? null }
  }
}

function faultOf(row: AuditRow, previous: Buffer | null): 'link' | 'content' | undefined {
  if (!same(row.previousHash, previous)) return 'link'
  return same(row.hash, chainHash(row, row.previousHash)) ? undefined : 'content'
}

function same(left: Buffer | null, right: Buffer | null): boolean {
  return left === null || right === null ? left === right : left.equals(right)
}
