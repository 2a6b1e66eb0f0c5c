/**
 * One part after the other: some formats write several parts at once (parallel tool calls), others know only one open
 * block. Within each alternative answer, parts that open while another is open wait for it to close.
 */
import type { Event } from '../../contract/event.js'
import type { Transform } from '../../contract/format.js'
import { Refusal } from '../errors/refusal.js'
import { limits } from '../limits/limits.js'

/** Holds back at most `maxChars` characters; more than that ends the stream with a failure event. */
export function sequential(maxChars: number = limits.eventBytesMax): Transform<Event, Event> {
  return new Sequence(maxChars)
}

type PartEvent = Extract<Event, { readonly type: 'open' | 'delta' | 'close' }>

interface Waiting {
  readonly events: PartEvent[]
  closed: boolean
}

/** Parts of one answer: the one that passes, and the others in the order they opened, by their numbers. */
interface Queue {
  current: number | undefined
  readonly waiting: Map<number, Waiting>
}

class Sequence implements Transform<Event, Event> {
  private readonly queues = new Map<number, Queue>()
  private heldChars = 0
  private broken = false

  constructor(private readonly maxChars: number) {}

  push(event: Event): Event[] {
    if (this.broken) return []
    if (event.type === 'open' || event.type === 'delta' || event.type === 'close') {
      return this.inTurn(event)
    }
    if (event.type === 'stop') return [...this.release(event.choice), event]
    return event.type === 'end' ? [...this.flush(), event] : [event]
  }

  flush(): Event[] {
    if (this.broken) return []
    return [...this.queues.keys()].flatMap((choice) => this.release(choice))
  }

  private inTurn(event: PartEvent): Event[] {
    const { choice, part } = event.at
    const queue = this.queue(choice)
    if (event.type === 'open' && queue.current === undefined) queue.current = part
    if (queue.current !== part) return this.wait(queue, event)
    if (event.type !== 'close') return [event]
    queue.current = undefined
    return [event, ...this.advance(queue)]
  }

  private wait(queue: Queue, event: PartEvent): Event[] {
    const { part } = event.at
    let waiting = queue.waiting.get(part)
    if (waiting === undefined) {
      waiting = { events: [], closed: false }
      queue.waiting.set(part, waiting)
    }
    waiting.events.push(event)
    waiting.closed ||= event.type === 'close'
    this.heldChars += charsOf(event)
    if (this.heldChars <= this.maxChars) return []
    this.broken = true
    return [{ type: 'failure', failure: tooLarge() }]
  }

  /** The next part in line passes what it held, and so on until one is still open. */
  private advance(queue: Queue): Event[] {
    const out: Event[] = []
    for (const [part, { events, closed }] of queue.waiting) {
      if (queue.current !== undefined) break
      queue.waiting.delete(part)
      for (const event of events) {
        this.heldChars -= charsOf(event)
        out.push(event)
      }
      if (!closed) queue.current = part
    }
    return out
  }

  /** The answer is over: what is still open closes, and what waited follows. */
  private release(choice: number): Event[] {
    const queue = this.queue(choice)
    const out: Event[] = []
    while (queue.current !== undefined || queue.waiting.size > 0) {
      if (queue.current !== undefined) {
        out.push({ type: 'close', at: { choice, part: queue.current } })
        queue.current = undefined
      }
      for (const event of this.advance(queue)) out.push(event)
    }
    return out
  }

  private queue(choice: number): Queue {
    let queue = this.queues.get(choice)
    if (queue === undefined) {
      queue = { current: undefined, waiting: new Map() }
      this.queues.set(choice, queue)
    }
    return queue
  }
}

/** What a part costs besides its pieces: all that wait may be released at once. */
const partChars = 1024

function charsOf(event: PartEvent): number {
  if (event.type !== 'delta') return event.type === 'open' ? partChars : 64
  const { text = '', json = '', base64 = '' } = event
  return 64 + text.length + json.length + base64.length
}

function tooLarge() {
  const { code, message } = new Refusal('upstream_too_large')
  return { blame: 'upstream', status: 502, code, message } as const
}
