/**
 * Takes the code fence off an answer that was to be JSON alone. An upstream that is instructed so in the prompt writes one now and
 * then; a client that requested JSON parses what it gets.
 */
import type { Call } from '../../contract/call.js'
import type { At, Event } from '../../contract/event.js'
import { present } from '../json/fields.js'

type Delta = Extract<Event, { type: 'delta' }>

/** What the client is to read of these events; call it with every piece of one answer in turn. */
export type Reading = (events: readonly Event[]) => readonly Event[]

/** Undefined: the answer is read as it comes. */
export function plainJson({ output }: Pick<Call, 'output'>): Reading | undefined {
  if (output?.kind !== 'json') return undefined
  const texts = new Map<string, Unfenced>()
  return (events) => events.flatMap((event) => unfenced(event, texts))
}

function unfenced(event: Event, texts: Map<string, Unfenced>): readonly Event[] {
  switch (event.type) {
    case 'open':
      if (event.part.kind === 'text') texts.set(placeOf(event.at), new Unfenced())
      return [event]
    case 'delta': {
      const text = texts.get(placeOf(event.at))
      return text === undefined || event.text === undefined ? [event] : textEvents(event, text)
    }
    case 'close': {
      const rest = texts.get(placeOf(event.at))?.rest() ?? ''
      return rest === '' ? [event] : [{ type: 'delta', at: event.at, text: rest }, event]
    }
    default:
      return [event]
  }
}

function textEvents({ text = '', ...event }: Delta, reader: Unfenced): readonly Event[] {
  const plain = reader.push(text)
  const bare = plain === '' && Object.keys(event).length === 2
  return bare ? [] : [present<Delta>({ ...event, text: plain === '' ? undefined : plain })]
}

function placeOf({ choice, part }: At): string {
  return `${choice}.${part}`
}

const opening = /^\s*```[\w-]*[ \t]*\r?\n/
const mayOpen = /^\s*(`{0,2}|```[\w-]*[ \t]*\r?)$/
/** Blanks before a fence, or before what may become one, are held back; more of them than this are none. */
const heldMax = 1024

class Unfenced {
  private state: 'waiting' | 'plain' | 'fenced' | 'over' = 'waiting'
  private held = ''

  push(text: string): string {
    this.held += text
    if (this.state === 'waiting') this.begin()
    if (this.state === 'fenced') return this.untilClosed()
    return this.state === 'plain' ? this.rest() : ''
  }

  rest(): string {
    const { held, state } = this
    this.held = ''
    return state === 'over' ? '' : held
  }

  private begin(): void {
    if (this.held.length <= heldMax && mayOpen.test(this.held)) return
    const fence = opening.exec(this.held)
    this.state = fence === null ? 'plain' : 'fenced'
    if (fence !== null) this.held = this.held.slice(fence[0].length)
  }

  private untilClosed(): string {
    const end = closingIn(this.held)
    if (end !== undefined) this.state = 'over'
    const until = end ?? mayCloseIn(this.held)
    const text = this.held.slice(0, until)
    this.held = this.held.slice(until)
    return text
  }
}

/** Where a fence on a line of its own begins, the blanks before it included: no JSON holds that, since it escapes line breaks. */
function closingIn(text: string): number | undefined {
  let fence = text.indexOf('```')
  while (fence !== -1) {
    const line = blanksBefore(text, fence, ' \t')
    if (text[line - 1] === '\n') return blanksBefore(text, line, blanks)
    fence = text.indexOf('```', fence + 3)
  }
  return undefined
}

/** Where the blanks begin behind which a fence may still come; the end of the text where there are none, or too many. */
function mayCloseIn(text: string): number {
  const ticks = /`{0,2}$/.exec(text.slice(-2))?.[0].length ?? 0
  const begin = blanksBefore(text, text.length - ticks, blanks)
  const isOne = begin < text.length - ticks && text.length - begin <= heldMax
  return isOne ? begin : text.length
}

const blanks = ' \t\r\n\v\f\u00a0\u2028\u2029\ufeff'

function blanksBefore(text: string, end: number, kinds: string): number {
  let begin = end
  while (begin > 0 && kinds.includes(text[begin - 1]!)) begin -= 1
  return begin
}
