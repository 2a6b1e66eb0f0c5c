/** What one request uses of its key's limits. */
import type { Usage } from '../../../kernel/contract/event.js'
import type { Failure } from '../../../kernel/contract/failure.js'
import type { Clock } from '../../../kernel/contract/kit.js'
import type { KeyUse } from '../../../kernel/contract/line/key-use.js'
import type { Hold } from '../../../kernel/contract/line/money.js'
import type { TokenBudget, TokenLimits } from '../../../kernel/contract/line/people.js'
import { failureOf, Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { RateWindow } from '../rate-limits/index.js'
import { dollars } from './alert-texts.js'
import { headersOf, type Meter } from './limit-headers.js'
import { moment, periodEnd } from './period.js'

export interface RequestUseOptions {
  readonly tokenId: number
  readonly limits: TokenLimits
  readonly format: string
  readonly window: RateWindow
  readonly clock: Clock
  /** A hold did not fit into the budget. */
  budgetRefused(tokenId: number): void
}

export class RequestUse implements KeyUse {
  private requests: Meter | undefined
  private tokens: (Meter & { readonly left: number }) | undefined
  /** Tokens counted so far, in the window of `tokens`. Undefined: none were. */
  private counted: number | undefined

  constructor(private readonly options: RequestUseOptions) {}

  /** Counts the request itself. Rejects with `rate_limit_exceeded`. */
  async admitted(): Promise<this> {
    const { tokenId, limits, window, format, clock } = this.options
    if (limits.rpm === 0) return this
    const count = await window.spend(`requests:${tokenId}`, 1)
    this.requests = meterOf('requests', limits.rpm, count, clock.now())
    if (count.used <= limits.rpm) return this
    const words = `This API key may send ${limits.rpm} requests a minute.`
    throw refusalOf(words, count.msLeft, headersOf([this.requests], format, clock.now()))
  }

  begin(usage: Usage): Promise<Failure | undefined> | undefined {
    const { tpm } = this.options.limits
    if (tpm === 0 || this.counted !== undefined) return undefined
    return this.count(totalOf(usage), tpm)
  }

  /** What does not fit is taken back, so that a request that is refused uses nothing up. */
  private async count(tokens: number, tpm: number): Promise<Failure | undefined> {
    const { tokenId, window, clock } = this.options
    const key = `tokens:${tokenId}`
    this.counted = tokens
    const count = await window.spend(key, tokens)
    this.tokens = meterOf('tokens', tpm, count, clock.now())
    if (count.used <= tpm) return undefined
    this.counted = 0
    await window.spend(key, -tokens)
    this.tokens = { ...this.tokens, left: tpm - count.used + tokens }
    const words =
      tokens > tpm
        ? `This request may take ${tokens} tokens, and this API key may use ${tpm} a minute.`
        : `This API key may use ${tpm} tokens a minute; ${Math.max(this.tokens.left, 0)} are left.`
    const failure = failureOf(refusalOf(words, count.msLeft, {}))
    return { ...failure, retryAfterMs: Math.max(count.msLeft, 1) }
  }

  end(usage: Usage): void {
    const { counted, tokens } = this
    if (counted === undefined || tokens === undefined) return
    this.counted = undefined
    const { tokenId, window, clock } = this.options
    const difference = totalOf(usage) - counted
    // What was counted too much belongs to a window that is over, and what was used beyond it to the one that runs.
    const isOver = clock.now() >= tokens.resetsAt
    if (difference === 0 || (difference < 0 && isOver)) return
    void window.spend(`tokens:${tokenId}`, difference)
  }

  overBudget(quota: bigint): Failure {
    const { tokenId, limits, clock } = this.options
    this.options.budgetRefused(tokenId)
    const failure = failureOf(new Refusal('pre_consume_token_quota_failed'))
    const { budget } = limits
    // Memory had not been notified of it yet.
    if (budget === undefined) return failure
    const resetsAt = periodEnd(budget.period, clock.now())
    const message = `${budgetWords(budget)} It resets at ${moment(resetsAt)}. Limit its output tokens, or raise the budget.`
    if (quota > budget.quota) return { ...failure, message }
    return { ...failure, message, retryAfterMs: resetsAt - clock.now() }
  }

  headers(hold: Pick<Hold, 'budgetLeft'> | undefined): Readonly<Record<string, string>> {
    const { limits, format, clock } = this.options
    const meters: Meter[] = []
    if (this.requests !== undefined) meters.push(this.requests)
    if (this.tokens !== undefined) meters.push(this.tokens)
    const left = hold?.budgetLeft
    if (limits.budget !== undefined && left !== undefined) {
      const { quota, period } = limits.budget
      const resetsAt = periodEnd(period, clock.now())
      meters.push({ name: 'budget', limit: quota, left, resetsAt })
    }
    return headersOf(meters, format, clock.now())
  }
}

function budgetWords({ quota, period }: TokenBudget): string {
  return `The budget of this API key (${dollars(quota)} a ${period}) does not cover what this request may cost.`
}

function refusalOf(words: string, msLeft: number, limitHeaders: Readonly<Record<string, string>>) {
  const seconds = Math.max(Math.ceil(msLeft / 1000), 1)
  const headers = { 'retry-after': String(seconds), ...limitHeaders }
  const refusal = new Refusal('rate_limit_exceeded', { seconds }, { headers })
  refusal.message = `${words} Try again in ${seconds} s.`
  return refusal
}

function meterOf(
  name: 'requests' | 'tokens',
  limit: number,
  { used, msLeft }: { readonly used: number; readonly msLeft: number },
  now: number,
): Meter & { readonly left: number } {
  return { name, limit, left: limit - used, resetsAt: now + msLeft }
}

function totalOf(usage: Usage): number {
  const { input = 0, cacheRead = 0, cacheWrite5m = 0, cacheWrite1h = 0 } = usage
  const { inputAudio = 0, inputImage = 0, output = 0, outputAudio = 0, outputImage = 0 } = usage
  const prompt = input + cacheRead + cacheWrite5m + cacheWrite1h + inputAudio + inputImage
  return Math.max(Math.round(prompt + output + outputAudio + outputImage), 0)
}
