/** What every event stream must be, whoever decoded it, and what it adds up to. */
import assert from 'node:assert/strict'
import type { Event, Usage } from '../../kernel/contract/event.js'

/** One `end`, last; every part opens once and closes; nothing is stated of a part that is not open. */
export function assertWellFormed(events: readonly Event[], name: string): void {
  const open = new Set<string>()
  const seen = new Set<string>()
  for (const event of events) {
    if (!('at' in event)) continue
    const key = `${event.at.choice}/${event.at.part}`
    if (event.type === 'open') {
      assert.ok(!seen.has(key), `${name}: part ${key} opens once`)
      seen.add(key)
      open.add(key)
    } else assert.ok(open.has(key), `${name}: a ${event.type} stands in an open part, here ${key}`)
    if (event.type === 'close') open.delete(key)
  }
  assert.equal(open.size, 0, `${name}: every part closes`)
  assert.equal(ends(events), 1, `${name}: there is one end`)
  assert.equal(events.at(-1)?.type, 'end', `${name}: the end is last`)
}

export function ends(events: readonly Event[]): number {
  return events.filter(({ type }) => type === 'end').length
}

/** Later non-missing counts replace earlier ones. */
export function usageOf(events: readonly Event[]): Usage | undefined {
  let usage: Record<string, unknown> | undefined
  for (const event of events) {
    if (event.type !== 'usage') continue
    const results = Object.entries(event.usage).filter(([, count]) => count !== undefined)
    usage = { ...usage, ...Object.fromEntries(results) }
  }
  return usage
}

/** Neighbouring deltas of one part as one: where a network cut them makes no difference. */
export function joined(events: readonly Event[]): Event[] {
  const out: Event[] = []
  for (const event of events) {
    const last = out.at(-1)
    if (event.type === 'delta' && last?.type === 'delta' && mayJoin(last, event)) {
      out[out.length - 1] = {
        ...last,
        ...(event.text !== undefined && { text: (last.text ?? '') + event.text }),
        ...(event.json !== undefined && { json: (last.json ?? '') + event.json }),
      }
    } else out.push(event)
  }
  return out
}

type Delta = Extract<Event, { type: 'delta' }>

function mayJoin(last: Delta, next: Delta): boolean {
  const plain = (delta: Delta, key: 'text' | 'json') =>
    delta[key] !== undefined && Object.keys(delta).length === 3
  const samePart = last.at.choice === next.at.choice && last.at.part === next.at.part
  return samePart && (['text', 'json'] as const).some((key) => plain(last, key) && plain(next, key))
}
