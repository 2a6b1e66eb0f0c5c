/** One open part at a time, nothing lost, nothing reordered within a part. */
import fc from 'fast-check'
import t from 'tap'
import type { Event } from '../../../../kernel/contract/event.js'
import { sequential } from '../../../../kernel/toolkit/format/sequential.js'

const open = (part: number, choice = 0): Event => ({
  type: 'open',
  at: { choice, part },
  part: { kind: 'toolCall', id: `call_${part}`, name: 'f' },
})
const delta = (part: number, json: string, choice = 0): Event => ({
  type: 'delta',
  at: { choice, part },
  json,
})
const close = (part: number, choice = 0): Event => ({ type: 'close', at: { choice, part } })
const stop = (choice = 0): Event => ({ type: 'stop', choice, reason: 'tool', word: 'tool_calls' })
const end: Event = { type: 'end' }

function through(events: readonly Event[], maxChars?: number): Event[] {
  const transform = sequential(maxChars)
  return [...events.flatMap((event) => transform.push(event)), ...transform.flush()]
}

t.test('interleaved tool calls come one after the other', async (t) => {
  const events = [
    open(0),
    delta(0, 'a'),
    open(1),
    delta(1, 'b'),
    delta(0, 'c'),
    open(2),
    close(1),
    delta(2, 'd'),
    close(0),
    delta(2, 'e'),
    close(2),
    stop(),
    end,
  ]
  t.strictSame(through(events), [
    open(0),
    delta(0, 'a'),
    delta(0, 'c'),
    close(0),
    open(1),
    delta(1, 'b'),
    close(1),
    open(2),
    delta(2, 'd'),
    delta(2, 'e'),
    close(2),
    stop(),
    end,
  ])
})

t.test('alternative answers do not wait for each other; other events pass at once', async (t) => {
  const note: Event = { type: 'note', of: 'chat', raw: 'ping' }
  const events = [open(0), open(0, 1), delta(0, 'x', 1), note, delta(0, 'y'), close(0, 1)]
  const transform = sequential()
  t.strictSame(
    events.flatMap((event) => transform.push(event)),
    events,
  )
})

t.test('what is still open when the answer stops is closed in front of the stop', async (t) => {
  t.strictSame(through([open(0), open(1), delta(1, 'b'), stop(), end]), [
    open(0),
    close(0),
    open(1),
    delta(1, 'b'),
    close(1),
    stop(),
    end,
  ])
})

t.test('more than the cap ends with a failure and nothing after it', async (t) => {
  const events = [open(0), open(1), delta(1, 'x'.repeat(500)), close(0), stop(), end]
  const out = through(events, 400)
  t.match(out.at(-1), { type: 'failure', failure: { code: 'upstream_too_large' } })
  t.equal(out.length, 2)
})

t.test('any interleaving keeps every part whole and at most one open', async (t) => {
  const script = fc.array(fc.tuple(fc.nat(3), fc.nat(1), fc.string({ maxLength: 3 })), {
    maxLength: 40,
  })
  fc.assert(
    fc.property(script, (steps) => {
      const seen = new Set<string>()
      const events: Event[] = []
      for (const [part, choice, json] of steps) {
        if (!seen.has(`${choice}/${part}`)) events.push(open(part, choice))
        seen.add(`${choice}/${part}`)
        events.push(delta(part, json, choice))
      }
      for (const key of seen) {
        const [choice, part] = key.split('/').map(Number)
        events.push(close(part!, choice))
      }
      events.push(end)
      const out = through(events)
      t.equal(out.length, events.length)
      t.strictSame(texts(out), texts(events))
      t.equal(mostOpen(out), Math.min(1, seen.size))
    }),
    { numRuns: 200 },
  )
})

function texts(events: readonly Event[]): Record<string, string> {
  const whole: Record<string, string> = {}
  for (const event of events) {
    if (event.type !== 'delta') continue
    const key = `${event.at.choice}/${event.at.part}`
    whole[key] = (whole[key] ?? '') + event.json
  }
  return Object.fromEntries(Object.entries(whole).sort())
}

function mostOpen(events: readonly Event[]): number {
  const now = new Map<number, number>()
  let most = 0
  for (const event of events) {
    if (event.type !== 'open' && event.type !== 'close') continue
    const count = (now.get(event.at.choice) ?? 0) + (event.type === 'open' ? 1 : -1)
    now.set(event.at.choice, count)
    most = Math.max(most, count)
  }
  return most
}

t.test('[S7] as many parts and pieces as fit pass, and no more', async (t) => {
  const parts = (count: number) => Array.from({ length: count }, (_, part) => open(part))
  t.equal(through([...parts(20_000), stop()]).length, 40_001, 'each is opened and closed')
  t.match(through([...parts(100_000), stop()]).at(-1), { type: 'failure' })
  const pieces = Array.from({ length: 200_000 }, () => delta(1, ''))
  t.equal(through([open(0), open(1), ...pieces, stop()]).length, 200_005)
})
