/**
 * Reads the bytes of a request into memory: never more than a bound, never longer than a while, never slower than a
 * rate, and within what the process may hold at once (S14, S15, F6). It begins once it is known who calls.
 * hapi's own reader builds a stream and two promises around each body, which the hot path does not need.
 */
import type { Clock } from '../contract/kit.js'
import type { ByteShare } from '../memory/byte-budget.js'
import { Collector } from '../toolkit/body/collect.js'
import { Refusal } from '../toolkit/errors/refusal.js'
import { limits } from '../toolkit/limits/limits.js'
import { busy } from './busy.js'
import { declaredBytes, type Exchange, leaveUnread } from './unread.js'

export interface ReadOptions {
  readonly clock: Clock
  readonly bytesMax: number
  readonly timeoutMs: number
  /** Holds the bytes from the beginning on; its owner releases it. */
  readonly share: ByteShare
  /** The whole body; called at most once, and never after `refused` or when the client left. */
  taken(bytes: Buffer): void
  /** Called at most once. The rest of the body is left unread. */
  refused(refusal: Refusal): void
}

export function readRequest(exchange: Exchange, options: ReadOptions): void {
  new RequestReader(exchange, options).read()
}

class RequestReader {
  private readonly collected = new Collector()
  /** The last response was sent. */
  private over = false
  private cancel: () => void = () => {}
  private elapsedMs = 0
  /** Bytes of the body by its head. Undefined: not known before its end. */
  private readonly declared: number | undefined

  constructor(
    private readonly exchange: Exchange,
    private readonly options: ReadOptions,
  ) {
    this.declared = declaredBytes(exchange.req.headers)
  }

  read(): void {
    const { declared } = this
    const { req, res } = this.exchange
    if (!this.fits(declared ?? 0)) return
    if (req.headers.expect !== undefined) res.writeContinue()
    this.watch(limits.bodyGraceMs)
    req.on('data', (chunk: Buffer) => this.take(chunk))
    req.on('end', () => this.end())
    // A client that left is the sink's business; here only the waiting ends.
    req.on('close', () => this.cancel())
    req.on('error', () => this.cancel())
  }

  private take(chunk: Buffer): void {
    if (this.over) return
    const { collected } = this
    if (!this.fits(collected.bytes + chunk.length)) return
    collected.add(chunk)
    if (collected.shredded) {
      this.refuse(new Refusal('read_request_body_failed', { reason: 'its chunks are too small' }))
    }
  }

  private end(): void {
    this.cancel()
    if (this.over) return
    this.over = true
    this.options.taken(this.collected.all())
  }

  /** Whether a body may have so many bytes, here and now; refused where not. */
  private fits(bytes: number): boolean {
    const { bytesMax, share } = this.options
    if (bytes > bytesMax) this.refuse(new Refusal('body_too_large', { limit: bytesMax }))
    else if (!share.reach(bytes)) this.refuse(busy())
    return !this.over
  }

  private refuse(refusal: Refusal): void {
    this.over = true
    this.cancel()
    this.collected.drop()
    leaveUnread(this.exchange, this.options.clock)
    this.options.refused(refusal)
  }

  private watch(ms: number): void {
    this.cancel = this.options.clock.after(ms, () => {
      this.elapsedMs += ms
      if (this.elapsedMs < this.options.timeoutMs && this.keepsUp) {
        this.watch(Math.min(limits.bodyRateMs, this.options.timeoutMs - this.elapsedMs))
        return
      }
      // Nobody waits for the rest of a body that came too late, however small it is.
      this.exchange.res.shouldKeepAlive = false
      this.refuse(new Refusal('request_timeout'))
    })
  }

  /** What a large body holds it holds until it is there, so it has to come at half the speed it needs, at least. */
  private get keepsUp(): boolean {
    const { declared = 0, elapsedMs, options: terms } = this
    if (terms.share.held <= limits.hurriedBytesMin) return true
    const needed = Math.max(limits.bodyBytesPerSecondMin, declared / (terms.timeoutMs / 500))
    return this.collected.bytes >= (needed * (elapsedMs - limits.bodyGraceMs)) / 1000
  }
}
