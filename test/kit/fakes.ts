/**
 * Stand-ins for the parts around a unit under test: a client that may be slow or leave, a hold with a fixed purse, a
 * price of so much a token.
 */

import type { ByteConsumer, ByteSource } from '../../kernel/contract/bytes.js'
import type { ErrorCode } from '../../kernel/contract/error-code.js'
import type { Log } from '../../kernel/contract/kit.js'
import type {
  Charge,
  Closing,
  CoverVerdict,
  GoneReason,
  Hold,
  Price,
} from '../../kernel/contract/line/money.js'
import type { RequestId } from '../../kernel/contract/names.js'
import type { Live } from '../../kernel/contract/services/live.js'
import type { Sink } from '../../kernel/contract/sink.js'
import { Refusal } from '../../kernel/toolkit/errors/refusal.js'
import type { RateLimits } from '../../plugins/services/rate-limits/index.js'

export const requestId = 'req_01JZZZZZZZZZZZZZZZZZZZZZZZ' as RequestId

export class FakeSink implements Sink {
  readonly requestId = requestId
  started = false
  gone = false
  ended = false
  destroyed = false
  status = 0
  headers: Readonly<Record<string, string>> = {}
  /** False makes the next writes report a full buffer. */
  accepts = true
  private readonly pieces: Buffer[] = []
  private goneListener: (() => void) | undefined
  private drainListener: (() => void) | undefined

  get text(): string {
    return Buffer.concat(this.pieces).toString('utf8')
  }

  onGone(listener: () => void): void {
    this.goneListener = listener
    if (this.gone) listener()
  }

  head(status: number, headers: Readonly<Record<string, string>>): void {
    this.started = true
    this.status = status
    this.headers = headers
  }

  write(chunk: Buffer): boolean {
    if (!this.gone) this.pieces.push(chunk)
    return this.accepts
  }

  onDrain(listener: () => void): void {
    this.drainListener = listener
  }

  end(): void {
    this.ended = true
  }

  destroy(): void {
    this.destroyed = true
  }

  send(status: number, headers: Readonly<Record<string, string>>, body: Buffer | string): void {
    this.head(status, headers)
    this.write(Buffer.from(body))
    this.end()
  }

  note(): void {}

  leave(): void {
    this.gone = true
    this.goneListener?.()
  }

  drain(): void {
    this.accepts = true
    this.drainListener?.()
  }
}

export class FakeHold implements Hold {
  covered = 0n
  readonly requests: bigint[] = []
  cost: () => bigint = () => 0n
  closing: Closing | undefined
  /** How often it was queried to close. */
  closes = 0
  /** The database does not answer. */
  away = false
  private goneListener: ((reason: GoneReason) => void) | undefined

  constructor(public purse: bigint) {}

  async cover(quota: bigint): Promise<CoverVerdict> {
    this.requests.push(quota)
    await Promise.resolve()
    if (this.away) throw new Refusal('database_unavailable')
    if (quota > this.purse) return 'short'
    if (quota > this.covered) this.covered = quota
    return 'ok'
  }

  follow(cost: () => bigint): void {
    this.cost = cost
  }

  onGone(listener: (reason: GoneReason) => void): void {
    this.goneListener = listener
  }

  async close(closing: Closing): Promise<Charge> {
    this.closes += 1
    this.closing ??= closing
    return {
      state: closing.delivered ? 'settled' : 'released',
      quota: closing.quota,
      shortfall: 0n,
    }
  }

  disable(): void {
    this.goneListener?.('disabled')
  }

  /** Another process has taken it over. */
  lose(): void {
    this.goneListener?.('lost')
  }
}

/** One unit of quota per token, in or out. */
export const tokenPrice: Price = {
  model: 'test-model',
  free: false,
  hold: (usage) => BigInt((usage.input ?? 0) + (usage.output ?? 0)),
  cost: (usage) => BigInt((usage.input ?? 0) + (usage.output ?? 0)),
  terms: () => ({}),
  explain: () => ({}),
}

/** Bytes pushed by hand; remembers whether the reader requested a pause. */
export class FakeSource implements ByteSource {
  aborted = false
  paused = false
  resumed = 0
  consumed = false
  private consumer: ByteConsumer | undefined

  consume(consumer: ByteConsumer): void {
    this.consumed = true
    this.consumer = consumer
  }

  resume(): void {
    this.paused = false
    this.resumed += 1
  }

  abort(): void {
    this.aborted = true
    this.consumer = undefined
  }

  push(text: string): void {
    this.paused = this.consumer?.data(Buffer.from(text)) === false
  }

  end(): void {
    this.consumer?.end()
  }

  fail(code: ErrorCode = 'upstream_broke_off', message = 'broke off'): void {
    this.consumer?.fail({ blame: 'upstream', status: 0, code, message })
  }
}

export const quietLog: Log = { debug() {}, info() {}, warn() {}, error() {} }

/** Nobody listens. */
export const quietLive: Live = { publish() {} }

/** Limits of requests that count nothing. */
export const unlimited: RateLimits = {
  arrived: () => undefined,
  known: () => undefined,
  networkOf: (address) => address,
  guess: (_, look) => look(),
  async take() {},
  window: () => ({
    async take() {},
    async open() {},
    async add() {},
    count: async () => 0,
    spend: async () => ({ used: 0, msLeft: 1 }),
  }),
}
