/** Chunks of one answer as events, in order; a whole body is the only chunk of its answer. */
import type { Event } from '../../../kernel/contract/event.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import { AnswerDecoder } from './decode-answer.js'
import { beside, numberOf, objectOf, objectsOf, present, someText, textOf } from './fields.js'
import { readUsage } from './usage.js'

const read: ReadonlySet<string> = new Set([
  'candidates',
  'usageMetadata',
  'modelVersion',
  'responseId',
  'createTime',
])

export class ChunkDecoder {
  private readonly answers = new Map<number, AnswerDecoder>()
  private id = ''
  private started = false
  /** A search of the service grounded the answer. */
  private searched = false
  private counted: { readonly raw: JsonObject; readonly searched: boolean } | undefined

  /** Every candidate has a finish reason: only then is the answer complete (S5). */
  get complete(): boolean {
    if (this.answers.size === 0) return false
    for (const answer of this.answers.values()) if (!answer.stopped) return false
    return true
  }

  take(chunk: JsonObject): Event[] {
    const events = this.start(chunk)
    for (const candidate of objectsOf(chunk.candidates)) {
      this.searched ||= isSearched(candidate)
      events.push(...this.answer(numberOf(candidate.index) ?? 0).take(candidate))
    }
    const rest = beside(chunk, read)
    if (rest !== undefined) events.push({ type: 'note', of: 'generative', raw: rest })
    const raw = objectOf(chunk.usageMetadata)
    if (raw !== undefined) events.push(...this.count(raw))
    return events
  }

  /** Nothing more comes; what is still open closes. */
  finish(): Event[] {
    const stops = [...this.answers.values()].flatMap((answer) => answer.finish())
    const late = this.counted !== undefined && this.counted.searched !== this.searched
    return [...stops, ...(late ? this.count(this.counted!.raw) : []), { type: 'end' }]
  }

  private start({ candidates, modelVersion, responseId, createTime }: JsonObject): Event[] {
    const id = someText(responseId)
    if (this.started || (id === undefined && candidates === undefined)) return []
    this.started = true
    this.id = id ?? ''
    return [
      present<Event>({
        type: 'start',
        id,
        model: someText(modelVersion),
        created: secondsOf(textOf(createTime)),
      }),
    ]
  }

  private count(raw: JsonObject): Event[] {
    const usage = readUsage(raw, this.searched)
    if (usage === undefined) return []
    this.counted = { raw, searched: this.searched }
    return [{ type: 'usage', usage, raw, final: this.complete }]
  }

  private answer(index: number): AnswerDecoder {
    let answer = this.answers.get(index)
    if (answer === undefined) {
      answer = new AnswerDecoder(index, this.id)
      this.answers.set(index, answer)
    }
    return answer
  }
}

/** Whether a search of the service is named as a source of the answer. */
export function isSearched(candidate: JsonObject): boolean {
  const queries = objectOf(candidate.groundingMetadata)?.webSearchQueries
  return Array.isArray(queries) && queries.length > 0
}

function secondsOf(time: string | undefined): number | undefined {
  const ms = Date.parse(time ?? '')
  return Number.isNaN(ms) ? undefined : Math.floor(ms / 1000)
}
