/** Tokens of an answer in the words of `response.done`. Frames of a video count as images. */
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import { count as numberIn, objects, text } from './reading.js'

const totals = [
  ...(['promptTokenCount', 'toolUsePromptTokenCount', 'cachedContentTokenCount'] as const),
  ...(['responseTokenCount', 'thoughtsTokenCount'] as const),
] as const
const lists = ['promptTokensDetails', 'responseTokensDetails', 'cacheTokensDetails'] as const
const modalities: ReadonlySet<string> = new Set(['AUDIO', 'IMAGE', 'VIDEO'])

/** More is no count of anything. */
const countMax = 2 ** 40

function count(value: Json | undefined): number | undefined {
  const found = numberIn(value)
  return found === undefined || !(found >= 0) ? undefined : Math.min(found, countMax)
}

/**
 * What was counted of one answer: the prompt, what was written, or both at a time. Nothing documents it; recorded sessions of 3.1
 * count the prompt first, then the rest, and others once with the end of a turn.
 */
export class Counts {
  private readonly sums = new Map<string, number>()

  /** False: there is nothing in it. */
  add(reported: JsonObject): boolean {
    for (const name of totals) this.raise(name, count(reported[name]))
    for (const name of lists) {
      for (const { modality, tokenCount } of objects(reported[name])) {
        if (modalities.has(text(modality))) this.raise(`${name} ${modality}`, count(tokenCount))
      }
    }
    return totals.some((name) => count(reported[name]) !== undefined)
  }

  /** Both sides are counted. */
  get isWhole(): boolean {
    return this.of('promptTokenCount') > 0 && this.of('responseTokenCount') > 0
  }

  /** Undefined: nothing has been counted. */
  get usage(): JsonObject | undefined {
    if (this.sums.size === 0) return undefined
    const input = this.of('promptTokenCount') + this.of('toolUsePromptTokenCount')
    const cached = this.of('cachedContentTokenCount')
    const thoughts = this.of('thoughtsTokenCount')
    const output = this.of('responseTokenCount') + thoughts
    return {
      total_tokens: input + output,
      input_tokens: input,
      output_tokens: output,
      input_token_details: {
        ...this.kindsOf('promptTokensDetails', input),
        cached_tokens: cached,
        cached_tokens_details: this.kindsOf('cacheTokensDetails', cached),
      },
      output_token_details: {
        ...this.kindsOf('responseTokensDetails', output),
        reasoning_tokens: thoughts,
      },
    }
  }

  private kindsOf(list: (typeof lists)[number], total: number): JsonObject {
    const audio_tokens = this.of(`${list} AUDIO`)
    const image_tokens = this.of(`${list} IMAGE`) + this.of(`${list} VIDEO`)
    const text_tokens = Math.max(total - audio_tokens - image_tokens, 0)
    return { text_tokens, audio_tokens, image_tokens }
  }

  private of(name: string): number {
    return this.sums.get(name) ?? 0
  }

  private raise(name: string, by: number | undefined): void {
    if (by !== undefined) this.sums.set(name, this.of(name) + by)
  }
}
