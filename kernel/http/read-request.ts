/**
 * Reads the bytes of a request into memory: never more than a bound, never longer than a while, never slower than a
 * rate, and within what the process may hold at once (S14, S15, F6). It begins once it is known who calls. A large form
 * is on disk until it is whole.
 * hapi's own reader builds a stream and two promises around each body, which the hot path does not need.
 */
import type { Clock } from '../contract/kit.js'
import type { ByteShare } from '../memory/byte-budget.js'
import { Collector } from '../toolkit/body/collect.js'
import { Refusal } from '../toolkit/errors/refusal.js'
import { limits } from '../toolkit/limits/limits.js'
import { busy } from './busy.js'
import { httpLimits } from './limits.js'
import type { Spool } from './spool/spool.js'
import { SpooledBody } from './spool/spooled-body.js'
import { declaredBytes, type Exchange, leaveUnread } from './unread.js'

export interface ReadOptions {
  readonly clock: Clock
  readonly bytesMax: number
  readonly timeoutMs: number
  /** Holds the bytes from the beginning on; its owner releases it. */
  readonly share: ByteShare
  /** Where a large body is while it arrives. Absent: in memory, as others are. */
  readonly spool?: Spool | undefined
  /** The whole body; called at most once, and never after `refused` or when the client left. */
  taken(bytes: Buffer): void
  /** Called at most once. The rest of the body is left unread. */
  refused(refusal: Refusal): void
}

export function readRequest(exchange: Exchange, options: ReadOptions): void {
  new RequestReader(exchange, options).read()
}

class RequestReader {
  private readonly collected: Collector
  /** The last response was sent. */
  private over = false
  private cancel: () => void = () => {}
  private elapsedMs = 0
  /** Bytes of the body by its head. Undefined: not known before its end. */
  private readonly declared: number | undefined
  /** Null: the disk had no room for it. */
  private spooled: SpooledBody | null | undefined

  constructor(
    private readonly exchange: Exchange,
    private readonly options: ReadOptions,
  ) {
    this.declared = declaredBytes(exchange.req.headers)
    // What goes to disk is taken away in pieces.
    this.collected = new Collector(options.spool === undefined ? this.declared : undefined)
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
    if (!this.fits(collected.came + chunk.length)) return
    collected.add(chunk)
    if (collected.shredded) {
      this.refuse(new Refusal('read_request_body_failed', { reason: 'its chunks are too small' }))
    } else this.spooled?.came()
  }

  private end(): void {
    this.cancel()
    if (this.over) return
    this.over = true
    if (this.spooled) this.spooled.end()
    else this.options.taken(this.collected.all())
  }

  /** Whether a body may have so many bytes, here and now; refused where not. */
  private fits(bytes: number): boolean {
    const { bytesMax } = this.options
    if (bytes > bytesMax) this.refuse(new Refusal('body_too_large', { limit: bytesMax }))
    else if (!this.holds(bytes)) this.refuse(busy())
    return !this.over
  }

  private holds(bytes: number): boolean {
    const { spooled, options } = this
    const { spool, share } = options
    if (spooled) return spooled.reach(bytes)
    if (spool === undefined || spooled === null || bytes <= httpLimits.spooledBytesMin) {
      return share.reach(bytes)
    }
    return this.goesToDisk(spool, bytes)
  }

  /** Where the disk has no room for it, it stays in memory, where that has. */
  private goesToDisk(spool: Spool, bytes: number): boolean {
    const { clock, share, timeoutMs, taken } = this.options
    const { exchange, collected, declared } = this
    const room = spool.room(share, bytes)
    if (room === undefined) {
      this.spooled = null
      return share.reach(bytes)
    }
    const came = collected.bytes === 0 ? 0 : bytes
    if (!share.reach(Math.max(came, httpLimits.spoolFlightBytes))) {
      room.release()
      return false
    }
    const until = clock.monotonic() + timeoutMs - this.elapsedMs
    const refused = (refusal: Refusal) => this.refuse(refusal)
    const parts = { exchange, clock, spool, room, share, collected, declared, until }
    this.spooled = new SpooledBody({ ...parts, taken, refused })
    return true
  }

  private refuse(refusal: Refusal): void {
    this.over = true
    this.cancel()
    this.collected.drop()
    this.spooled?.drop()
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
      this.refuse(this.spooled?.heldUp ? busy() : new Refusal('request_timeout'))
    })
  }

  /**
   * What a large body holds it holds until it is there, so it has to come at half the speed it needs, at least. That goes
   * for room on disk as well; only what the disk takes is not the client's time.
   */
  private get keepsUp(): boolean {
    const { declared = 0, elapsedMs, spooled, options: terms } = this
    if (terms.share.held <= limits.hurriedBytesMin) return true
    const needed = Math.max(limits.bodyBytesPerSecondMin, declared / (terms.timeoutMs / 500))
    const ms = elapsedMs - limits.bodyGraceMs - (spooled?.heldUpMs ?? 0)
    return this.collected.came >= (needed * ms) / 1000
  }
}
