/** Lines of an answer as canonical events: pieces of text and of thoughts, whole calls of tools, and counts at the end. */
import type { Event, OpenPart, Stop } from '../../../kernel/contract/event.js'
import type { Transform } from '../../../kernel/contract/format.js'
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import { tooLarge } from '../../../kernel/toolkit/errors/index.js'
import { mintId } from '../../../kernel/toolkit/format/index.js'
import { objectOf, objectsOf, present, someText } from '../../../kernel/toolkit/json/index.js'
import { countOf, disjoint } from '../../../kernel/toolkit/operation/index.js'
import { JsonLines } from '../../../kernel/toolkit/provider/index.js'
import { brokenOff, failureOfLine } from '../fail.js'

export function readChat(): Transform<Buffer, Event> {
  const decoder = new LineDecoder()
  const broken = (): Event[] => [{ type: 'failure', failure: brokenOff() }]
  return new JsonLines({
    line: (value) => (value === undefined ? broken() : decoder.take(value)),
    closed: broken,
    tooLarge: () => [{ type: 'failure', failure: tooLarge() }],
  })
}

const stops: Readonly<Record<string, Stop>> = { stop: 'end', length: 'length' }

class LineDecoder {
  private flowing: { readonly kind: OpenPart['kind']; readonly part: number } | undefined
  private parts = 0
  private calls = 0
  private started = false

  take(line: JsonObject): Event[] {
    const failure = failureOfLine(line)
    if (failure !== undefined) return [{ type: 'failure', failure }]
    const { thinking, content, tool_calls } = objectOf(line.message) ?? {}
    const events = [
      ...this.start(line),
      ...this.text('reasoning', thinking),
      ...this.text('text', content),
      ...objectsOf(tool_calls).flatMap((call) => this.tool(call, line)),
    ]
    return line.done === true ? [...events, ...this.end(line)] : events
  }

  private start({ model }: JsonObject): Event[] {
    if (this.started) return []
    this.started = true
    return [present<Event>({ type: 'start', model: someText(model) })]
  }

  private text(kind: 'text' | 'reasoning', piece: Json | undefined): Event[] {
    if (typeof piece !== 'string' || piece === '') return []
    const opened = this.flowing?.kind === kind ? [] : this.open({ kind })
    return [...opened, { type: 'delta', at: this.at(), text: piece }]
  }

  /** It comes whole, and mostly without an id. */
  private tool(call: JsonObject, { created_at }: JsonObject): Event[] {
    const { name, arguments: input } = objectOf(call.function) ?? {}
    if (typeof name !== 'string') return []
    const id = someText(call.id) ?? mintId('call_', String(created_at), this.calls, name)
    this.calls += 1
    const json = JSON.stringify(objectOf(input) ?? {})
    const opened = this.open({ kind: 'toolCall', id, name })
    return [...opened, { type: 'delta', at: this.at(), json }, ...this.close()]
  }

  private end(line: JsonObject): Event[] {
    const word = someText(line.done_reason) ?? ''
    const known = stops[word] ?? 'other'
    const reason = known === 'end' && this.calls > 0 ? 'tool' : known
    return [
      ...this.close(),
      { type: 'stop', choice: 0, reason, word },
      { type: 'usage', ...usageOf(line), final: true },
      { type: 'end' },
    ]
  }

  private open(part: OpenPart): Event[] {
    const closed = this.close()
    this.flowing = { kind: part.kind, part: this.parts++ }
    return [...closed, { type: 'open', at: this.at(), part }]
  }

  private close(): Event[] {
    if (this.flowing === undefined) return []
    const at = this.at()
    this.flowing = undefined
    return [{ type: 'close', at }]
  }

  private at() {
    return { choice: 0, part: this.flowing!.part }
  }
}

/** Tokens of the prompt include those kept from before. Older servers count nothing then, and the gateway estimates. */
function usageOf({ prompt_eval_count, prompt_eval_cached_count, eval_count }: JsonObject) {
  const usage = disjoint({
    input: countOf(prompt_eval_count),
    cached: countOf(prompt_eval_cached_count),
    output: countOf(eval_count),
  })
  const raw = present<JsonObject>({ prompt_eval_count, prompt_eval_cached_count, eval_count })
  return { usage, raw }
}
