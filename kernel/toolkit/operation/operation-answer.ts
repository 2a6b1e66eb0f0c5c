/**
 * What the operations besides chat share in reading an upstream's answer: counts made disjoint, an error inside a 200
 * recognised (M14), and JSON that is declared as something else.
 */
import type { Usage } from '../../contract/event.js'
import type { Failure } from '../../contract/failure.js'
import type { ReplyReading } from '../../contract/format.js'
import { isObject, type Json, type JsonObject } from '../../contract/json.js'
import type { OperationWatch, WholeAnswer } from '../../contract/operation.js'
import { Collector } from '../body/collect.js'
import { failureOfError, garbled, nestedError, statusIn } from '../errors/upstream-failure.js'
import { objectOf } from '../json/fields.js'
import { replyObject } from '../json/reply.js'

export { garbled } from '../errors/upstream-failure.js'
export { objectOf, parsedObject } from '../json/fields.js'

/**
 * The upstream answered without usage. The gateway completes it from the estimate and the counted tokens, and marks in
 * the log that it did.
 */
export const uncounted: Usage = Object.freeze({})

/** A number as reported; absurd ones are made sane, and flagged, where usage is billed (M21). */
export function countOf(value: Json | undefined): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** Counts as upstreams report them, where the shares are part of their totals. */
export interface Totals {
  readonly input: number | undefined
  /** Part of `input`. */
  readonly cached?: number
  /** Part of `input`. */
  readonly images?: number
  readonly output?: number
  /** Part of `output`. */
  readonly reasoning?: number
}

/** The disjoint counts. A share never exceeds what its total leaves; what was not reported stays out. */
export function disjoint({ input, cached, images, output, reasoning }: Totals): Usage {
  const usage: { -readonly [K in keyof Usage]: Usage[K] } = {}
  const cacheRead = within(cached, input)
  const inputImage = within(images, rest(input, cacheRead))
  if (cacheRead !== undefined) usage.cacheRead = cacheRead
  if (inputImage !== undefined) usage.inputImage = inputImage
  if (input !== undefined) usage.input = rest(rest(input, cacheRead), inputImage)
  if (output !== undefined) usage.output = output
  if (reasoning !== undefined) usage.reasoning = within(reasoning, output)
  return usage
}

function within(share: number | undefined, total: number | undefined): number | undefined {
  return share === undefined || total === undefined ? share : Math.min(share, Math.max(total, 0))
}

function rest(total: number | undefined, share: number | undefined): number | undefined {
  return total === undefined || share === undefined ? total : total - Math.max(share, 0)
}

/**
 * The reading of an answer that reports input alone: the first of these counts that its usage
 * holds.
 */
export function inputReading(reported: Json | undefined, counts: readonly string[]): ReplyReading {
  const raw = objectOf(reported)
  if (raw === undefined) return { usage: uncounted, estimatedTokens: 0 }
  const input = counts.map((count) => countOf(raw[count])).find((count) => count !== undefined)
  const images = countOf(objectOf(raw.prompt_tokens_details)?.image_tokens)
  return { usage: disjoint({ input, images }), raw, estimatedTokens: 0 }
}

/** `created` of an answer in Unix seconds, by the upstream's own clock; without it where the upstream reports no date. */
export function createdAt({ headers }: WholeAnswer): { readonly created?: number } {
  const ms = Date.parse(headers.date ?? '')
  return Number.isNaN(ms) ? {} : { created: Math.floor(ms / 1000) }
}

/** The failure a 200 body or an event is in truth; undefined where it is no error. */
export function failureIn(body: JsonObject): Failure | undefined {
  if (!isError(body)) return undefined
  const fields = nestedError(body) ?? {}
  return failureOfError(fields, statusIn(body, fields))
}

function isError({ error, object }: JsonObject): boolean {
  return isObject(error) || (typeof error === 'string' && error !== '') || object === 'error'
}

const nothing = Buffer.alloc(0)

/**
 * An answer that must be JSON whatever type it is declared as: kept until it is whole, then read like any other. A page
 * in its place is a failure, and another channel is tried.
 */
export class WholeJsonWatch implements OperationWatch {
  readonly binary = true
  readonly started = false
  ended = false
  failure: Failure | undefined
  usage: Usage | undefined
  raw: JsonObject | undefined
  estimatedTokens = 0
  private readonly pieces = new Collector()

  constructor(private readonly read: (body: JsonObject) => ReplyReading) {}

  push(chunk: Buffer): Buffer {
    this.pieces.add(chunk)
    return nothing
  }

  flush(): Buffer {
    const bytes = this.pieces.all()
    const body = replyObject(bytes)
    const reading =
      body === undefined ? { estimatedTokens: 0, failure: garbled() } : this.read(body)
    this.failure = reading.failure
    if (reading.failure !== undefined) return nothing
    this.ended = true
    this.usage = reading.usage
    this.raw = reading.raw
    this.estimatedTokens = reading.estimatedTokens
    return bytes
  }
}
