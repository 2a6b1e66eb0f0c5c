/** What an upstream reports as made, as the row of its task keeps it. */
import { isObject } from '../../../kernel/contract/json.js'
import type { TaskQuantities } from '../../../kernel/contract/task.js'
import { persistentText } from '../../../kernel/toolkit/service/index.js'

const quantitiesMax = 32
const nameMax = 64

/** So much of what an upstream reports as made as any price could be made of. Counts stay as they are: see `costOf`. */
export function keptMade(
  made: Partial<TaskQuantities> | undefined,
): Partial<TaskQuantities> | undefined {
  if (made === undefined || !isObject(made)) return undefined
  const counts = entriesOf(made.counts).map(([unit, count]) => [keptName(unit), count])
  const dimensions = entriesOf(made.dimensions).map(([name, value]) => [
    keptName(name),
    keptName(String(value)),
  ])
  return {
    ...(made.counts !== undefined && { counts: Object.fromEntries(counts) }),
    ...(made.dimensions !== undefined && { dimensions: Object.fromEntries(dimensions) }),
  }
}

function entriesOf(members: unknown): readonly [string, unknown][] {
  if (!isObject(members)) return []
  return Object.entries(members)
    .filter(([, value]) => value !== undefined)
    .slice(0, quantitiesMax)
}

function keptName(name: string): string {
  return persistentText(name.slice(0, nameMax))
}
