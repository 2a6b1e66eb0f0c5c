/** One text for one state, whatever the order of its keys; of states only the hash of that text is kept. */
import { hash } from 'node:crypto'

/** Undefined: no state was given. */
export function stateHash(state: unknown): Buffer | null {
  return state === undefined ? null : hash('sha256', canonical(state), 'buffer')
}

/** JSON with sorted keys; whole numbers of any size as their digits, dates as their ISO text. */
export function canonical(value: unknown): string {
  if (typeof value === 'bigint') return String(value)
  if (value instanceof Date) return JSON.stringify(value)
  if (Buffer.isBuffer(value)) return JSON.stringify(value.toString('hex'))
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value === 'object' && value !== null) return canonicalObject(value)
  return JSON.stringify(value) ?? 'null'
}

function canonicalObject(value: object): string {
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`)
  return `{${fields.join(',')}}`
}
