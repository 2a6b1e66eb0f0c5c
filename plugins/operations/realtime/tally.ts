/**
 * What a session has used: counted by the upstream for the answers that have ended, estimated for those that are being
 * written. Every answer is counted once (BILL-9).
 */
import type { Usage } from '../../../kernel/contract/event.js'
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import { Answer } from './answer.js'
import { type AudioOptions, audioTerms, firstTerms } from './audio.js'
import { Fresh } from './fresh.js'
import { stepOf } from './step.js'
import {
  answerUsage,
  beyond,
  plus,
  type ReportedUsage,
  timesOver,
  transcriptionUsage,
} from './usage.js'

/** Counted answers that are remembered, so that one reported twice is not paid twice. */
const countedMax = 1_000

/** What is paid by the answer is paid for each. */
const once: Usage = { quantity: 1 }

export class Tally {
  confirmed: Usage = {}
  anomaly = false
  fresh = new Fresh()
  private readonly answers = new Map<string, Answer>()
  /** What was counted for each of them. */
  private readonly counted = new Map<string, Usage>()
  private readonly guessed = new Set<string>()
  private countedTokens = 0
  private audio: AudioOptions = firstTerms
  private maxOutput: number | undefined
  /** Usage of the answer counted last: the next one has it for its prompt. */
  private last: Usage | undefined

  /** Ids of the answers being written. */
  get open(): readonly string[] {
    return [...this.answers.keys()]
  }

  get busy(): boolean {
    return this.answers.size > 0
  }

  get estimatedTokens(): number {
    let estimatedTokens = this.countedTokens
    for (const answer of this.answers.values()) estimatedTokens += answer.estimatedTokens
    return estimatedTokens
  }

  get usage(): Usage {
    const delivering = this.delivering()
    if (delivering.length === 0) return this.confirmed
    const prompt = plus(this.confirmed, this.fresh.counts(this.audio.input))
    return delivering.reduce((sum, { counts }) => plus(plus(sum, counts), once), prompt)
  }

  get estimated(): readonly string[] {
    const delivering = this.delivering().length > 0
    return [...new Set([...this.guessed, ...(delivering ? ['input', 'output'] : [])])]
  }

  ahead(): Usage {
    const { audio, maxOutput, last } = this
    const step = stepOf({ spoken: audio.spoken, maxOutput, last })
    const prompt = plus(this.usage, this.fresh.counts(audio.input))
    return plus(prompt, timesOver(step, Math.max(1, this.answers.size)))
  }

  configure(session: JsonObject): void {
    this.audio = audioTerms(session, this.audio)
    const limit = session.max_output_tokens ?? session.max_response_output_tokens
    if (limit !== undefined) this.maxOutput = typeof limit === 'number' ? limit : undefined
  }

  /** False: it was known already. */
  begin(id: string): boolean {
    if (this.counted.has(id) || this.answers.has(id)) return false
    this.answers.set(id, new Answer(this.audio.output))
    return true
  }

  /** An upstream that does not name the answer it writes, writes the one it began last. */
  newest(): string {
    return this.open.at(-1) ?? ''
  }

  answer(id: string): Answer | undefined {
    return this.answers.get(id)
  }

  /**
   * An answer has ended. Nothing reported and nothing delivered costs nothing (M10). False: its end was known already, and only its
   * count is news.
   */
  end(id: string, raw: Json | undefined): boolean {
    const before = this.counted.get(id)
    if (before !== undefined) return !this.recount(id, before, raw)
    this.endFirst(id, raw)
    return true
  }

  private endFirst(id: string, raw: Json | undefined): void {
    const key = this.answers.has(id) ? id : id === '' ? this.newest() : ''
    const answer = this.answers.get(key)
    this.answers.delete(key)
    const result = answerUsage(raw)
    const written = answer?.estimatedTokens ?? 0
    if (result === undefined && written === 0) return
    const usage = result === undefined ? this.guess(answer!) : this.completed(result.usage, answer)
    this.remember(id, usage)
    this.confirm({ usage: plus(usage, once), anomaly: result?.anomaly ?? false }, written)
    this.last = usage
    this.fresh = new Fresh()
  }

  /** What a later count of the same answer holds beyond the earlier one, or beyond its estimate. False: nothing. */
  private recount(id: string, before: Usage, raw: Json | undefined): boolean {
    const result = answerUsage(raw)
    if (result === undefined) return false
    const usage = beyond(result.usage, before)
    if (tokensOf(usage) === 0) return false
    this.counted.set(id, plus(before, usage))
    this.confirm({ usage, anomaly: result.anomaly }, 0)
    return true
  }

  transcription(raw: Json | undefined): void {
    const result = transcriptionUsage(raw)
    if (result !== undefined) this.confirm(result, 0)
  }

  private delivering(): readonly Answer[] {
    return [...this.answers.values()].filter(({ estimatedTokens }) => estimatedTokens > 0)
  }

  private guess({ counts }: Answer): Usage {
    this.guessed.add('input').add('output')
    return plus(this.fresh.counts(this.audio.input), counts)
  }

  /** An output of 0 beside what was delivered counts as missing (FMT-3). */
  private completed(usage: Usage, answer: Answer | undefined): Usage {
    const reported = (usage.output ?? 0) + (usage.outputAudio ?? 0)
    if (reported > 0 || answer === undefined || answer.estimatedTokens === 0) return usage
    this.guessed.add('output')
    return plus(usage, answer.counts)
  }

  /** `written`: units that were counted while they came. */
  private confirm({ usage, anomaly }: ReportedUsage, written: number): void {
    this.confirmed = plus(this.confirmed, usage)
    this.countedTokens += Math.max(written, tokensOf(usage))
    this.anomaly ||= anomaly
  }

  private remember(id: string, usage: Usage): void {
    if (id === '') return
    this.counted.set(id, usage)
    if (this.counted.size <= countedMax) return
    const [oldest] = this.counted.keys()
    this.counted.delete(oldest!)
  }
}

function tokensOf({ quantity: _, ...counts }: Usage): number {
  return Object.values(counts).reduce<number>((sum, count) => sum + Number(count ?? 0), 0)
}
