/**
 * Walks the chain of a day in the order it was written: each row is what was written and follows the one before it, that of
 * an earlier day included; the first row of a later day follows the last; and every head that was kept outside is there.
 */
import type { AuditRow, DayVerdict } from './audit.js'
import { type AuditStore, dayOf, type Ties } from './audit-store.js'
import type { KeptHeads } from './kept-heads.js'

const rowsAtOnce = 100

type Broken = NonNullable<DayVerdict['broken']>

export async function verifyDay(
  store: AuditStore,
  kept: Pick<KeptHeads, 'of'>,
  day: string,
): Promise<DayVerdict> {
  const span = dayOf(new Date(`${day}T00:00:00Z`))
  // What is kept is read first: what is written meanwhile is then looked for nowhere.
  const heads = new Map(await kept.of(day))
  const compared = heads.size
  const [ties, { before, behind }] = [await store.ties(), await store.neighbours(span)]
  let rows = 0
  let last: AuditRow | undefined

  function verdict(broken?: Broken): DayVerdict {
    const reported = { day, rows, heads: compared, head: last?.hash ?? null }
    return broken === undefined ? reported : { ...reported, broken }
  }

  for (;;) {
    const piece = await store.after(span, last, rowsAtOnce)
    for (const row of piece) {
      const fault = faultOf(row, previousOf(row, { last, before, ties }), ties)
      if (fault !== undefined) return verdict({ id: row.id, fault })
      if (heads.get(row.id) === row.hash.toString('hex')) heads.delete(row.id)
      rows += 1
      last = row
    }
    if (piece.length < rowsAtOnce) break
  }
  const [missed] = heads.keys()
  if (missed !== undefined) return verdict({ id: missed, fault: 'missing' })
  if (behind !== undefined && ties.isKeyed(behind)) {
    const end = (last ?? before)?.hash ?? null
    if (!same(behind.previousHash, end)) return verdict({ id: behind.id, fault: 'link' })
  }
  return verdict()
}

interface Neighbours {
  readonly last: AuditRow | undefined
  readonly before: AuditRow | undefined
  readonly ties: Ties
}

/** Plain chains began anew each day. */
function previousOf(row: AuditRow, { last, before, ties }: Neighbours): Buffer | null {
  return (last ?? (ties.isKeyed(row) ? before : undefined))?.hash ?? null
}

function faultOf(row: AuditRow, previous: Buffer | null, ties: Ties): Broken['fault'] | undefined {
  if (!same(row.previousHash, previous)) return 'link'
  return same(row.hash, ties.hashOf(row)) ? undefined : 'content'
}

function same(left: Buffer | null, right: Buffer | null): boolean {
  return left === null || right === null ? left === right : left.equals(right)
}
