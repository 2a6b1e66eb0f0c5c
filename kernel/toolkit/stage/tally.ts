/** Reads a list of events: the usage it reports, the text it holds, how it ends, and when it was made. */
import type { Event, Usage } from '../../contract/event.js'
import type { Failure } from '../../contract/failure.js'
import type { JsonObject } from '../../contract/json.js'
import type { Opened } from '../../contract/line/record.js'
import { TokenCounter } from '../format/token-estimate.js'

/** What a list of events holds of usage, text and its own end. */
export class Tally {
  ended = false
  failure: Failure | undefined
  usage: Usage | undefined
  raw: JsonObject | undefined
  private readonly text = new TokenCounter()

  get estimatedTokens(): number {
    return this.text.estimatedTokens
  }

  note(event: Event): void {
    if (event.type === 'delta') {
      this.text.add(event.text ?? event.json ?? '')
    } else if (event.type === 'usage') {
      this.usage = merge(this.usage, event.usage)
      this.raw = event.raw
    } else if (event.type === 'failure') {
      this.failure ??= event.failure
    } else if (event.type === 'end') {
      this.ended = true
    }
  }
}

/** The tally of a whole answer. */
export function tally(events: readonly Event[]): Tally {
  const counted = new Tally()
  for (const event of events) counted.note(event)
  return counted
}

type Start = Extract<Event, { readonly type: 'start' }>

/**
 * The beginning of an answer, which has a time even where the upstream, or the plugin that reads it, gives none: it was
 * made when the request came. A format has no clock; it makes an id of its own where none is given.
 */
export function dated(
  events: readonly Event[],
  { receivedAt }: Pick<Opened, 'receivedAt'>,
): readonly Event[] {
  const at = events.findIndex(({ type }) => type === 'start')
  if (at < 0) return [begun({ type: 'start' }, receivedAt), ...events]
  const start = begun(events[at] as Start, receivedAt)
  return start === events[at] ? events : events.with(at, start)
}

function begun(start: Start, receivedAt: number): Start {
  const { id, created = 0 } = start
  if (created > 0 && id !== '') return start
  return {
    ...start,
    id: id === '' ? undefined : id,
    created: created > 0 ? created : Math.floor(receivedAt / 1000),
  }
}

/** Later non-missing counts replace earlier ones; 0 is not missing. */
function merge(earlier: Usage | undefined, later: Usage): Usage {
  if (earlier === undefined) return later
  const reported = Object.entries(later).filter(([, count]) => count !== undefined)
  return { ...earlier, ...Object.fromEntries(reported) }
}
