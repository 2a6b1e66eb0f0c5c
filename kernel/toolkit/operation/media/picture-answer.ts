/** What pictures cost by an upstream's answer: its own count where there is one, else the pictures that came. */
import type { Usage } from '../../../contract/event.js'
import type { ReplyReading } from '../../../contract/format.js'
import { isObject, type JsonObject } from '../../../contract/json.js'
import { countOf, disjoint, failureIn, garbled, objectOf } from '../operation-answer.js'
import type { EventKind, EventReader } from './event-watch.js'
import { priceFactor, tokensPerPicture } from './pictures.js'

/** Reads `{created, data: […], usage?}`. `requested` holds the fields that were sent. */
export function readPictures(body: JsonObject, requested: JsonObject): ReplyReading {
  const failure = failureIn(body) ?? (Array.isArray(body.data) ? undefined : garbled())
  if (failure !== undefined) return { estimatedTokens: 0, failure }
  const made = (body.data as readonly unknown[]).filter(isPicture).length
  const pictures = Math.min(made, requestedPictures(requested))
  const raw = objectOf(body.usage)
  return {
    usage: usageOf(raw === undefined ? {} : countsOf(raw), { pictures, requested }),
    raw,
    estimatedTokens: 0,
  }
}

/** Nobody pays for more pictures than were requested, whatever an upstream sends (M21). */
function requestedPictures({ n }: JsonObject): number {
  return typeof n === 'number' ? n : 1
}

/** Of several pictures some may have failed. */
function isPicture(entry: unknown): boolean {
  return isObject(entry) && !isObject(entry.error)
}

/** Counts as reported. Text that comes with a picture is part of the output, and only sometimes reported separately. */
function countsOf(raw: JsonObject): Usage {
  const details = objectOf(raw.input_tokens_details ?? raw.prompt_tokens_details) ?? {}
  const counts = disjoint({
    input: countOf(raw.input_tokens) ?? countOf(raw.prompt_tokens),
    cached: countOf(details.cached_tokens),
    images: countOf(details.image_tokens),
  })
  const output = countOf(raw.output_tokens) ?? countOf(raw.completion_tokens)
  if (output === undefined || output === 0) return counts
  const made = objectOf(raw.output_tokens_details ?? raw.completion_tokens_details) ?? {}
  const text = Math.min(countOf(made.text_tokens) ?? 0, output)
  return { ...counts, output: text, outputImage: output - text }
}

interface Made {
  readonly pictures: number
  readonly requested: JsonObject
}

/** An output of nothing beside pictures counts as missing, like one of 0 beside text (ledger/README.md section 12). */
function usageOf(counts: Usage, { pictures, requested }: Made): Usage {
  const quantity = pictures * priceFactor(requested)
  if (counts.outputImage !== undefined) return { ...counts, quantity }
  return { ...counts, output: 0, outputImage: pictures * tokensPerPicture(requested), quantity }
}

/** Events `image_generation.*` and `image_edit.*`; each completed picture brings its own usage. */
export class PictureReader implements EventReader {
  readonly estimatedTokens = 0
  raw: JsonObject | undefined
  private pictures = 0
  private counts: Usage = {}

  constructor(private readonly requested: JsonObject) {}

  kindOf(type: string): EventKind {
    if (!type.startsWith('image_generation.') && !type.startsWith('image_edit.')) return 'other'
    if (type.endsWith('.completed')) return 'last'
    return type.includes('.partial') ? 'content' : 'other'
  }

  last(event: JsonObject): void {
    this.pictures += 1
    const raw = objectOf(event.usage)
    if (raw === undefined) return
    this.raw = raw
    this.counts = sum(this.counts, countsOf(raw))
  }

  get usage(): Usage | undefined {
    if (this.pictures === 0) return undefined
    const pictures = Math.min(this.pictures, requestedPictures(this.requested))
    return usageOf(this.counts, { pictures, requested: this.requested })
  }
}

function sum(left: Usage, right: Usage): Usage {
  const total: { -readonly [K in Count]?: number } = {}
  for (const count of counts) {
    const values = [left[count], right[count]].filter((value) => value !== undefined)
    if (values.length > 0) total[count] = values.reduce((all, value) => all + value, 0)
  }
  return total
}

const counts = ['input', 'cacheRead', 'inputImage', 'output', 'outputImage'] as const
type Count = (typeof counts)[number]
