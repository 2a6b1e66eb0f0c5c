/**
 * One body that is kept on disk while it arrives. Memory holds what is in flight; nothing more is read from the network
 * while the disk is slower than that. Once the body is whole it waits for room in memory and is read into one buffer.
 * What cannot be kept on disk goes on in memory, where that has room.
 */
import type { Clock } from '../../contract/kit.js'
import type { ByteShare } from '../../memory/byte-budget.js'
import { bytesOf, type Collector } from '../../toolkit/body/collect.js'
import { Refusal } from '../../toolkit/errors/refusal.js'
import { busy } from '../busy.js'
import { httpLimits } from '../limits.js'
import type { Exchange } from '../unread.js'
import type { SpoolFile } from './file.js'
import type { Spool } from './spool.js'

export interface SpooledBodyOptions {
  readonly exchange: Exchange
  readonly clock: Clock
  readonly spool: Spool
  /** Room on disk, given back here. */
  readonly room: ByteShare
  /** Room in memory, with that of what is in flight. */
  readonly share: ByteShare
  /** What came is added there. */
  readonly collected: Collector
  /** Bytes of the body by its head. */
  readonly declared: number | undefined
  /** By `clock.monotonic`: neither disk nor room is waited for any longer. */
  readonly until: number
  /** The whole body; called at most once, and never after `refused` or `drop`. */
  taken(bytes: Buffer): void
  /** Called at most once. */
  refused(refusal: Refusal): void
}

export class SpooledBody {
  private over = false
  private ended = false
  /** It goes on in memory: on its way there, and there. */
  private leaving = false
  private inMemory = false
  /** Bytes that are being written. */
  private writing = 0
  private pausedAt: number | undefined
  private pausedMs = 0
  private wake = () => {}
  private giveUp = () => {}
  private cancel = () => {}

  constructor(private readonly options: SpooledBodyOptions) {
    // Whatever ends the request, the file is closed.
    options.exchange.res.once('close', () => this.drop())
    void this.run()
  }

  /** Whether there is room for so many bytes. Where the disk has none for them, memory may. */
  reach(bytes: number): boolean {
    const { room, share } = this.options
    if (this.leaving) return share.reach(bytes)
    if (room.reach(bytes)) return true
    if (!this.leaves(bytes)) return false
    this.wake()
    return true
  }

  /** Something was added to what is collected. */
  came(): void {
    if (!this.leaving && this.inFlight >= httpLimits.spoolPauseBytes) this.pause()
    this.wake()
  }

  /** The body is whole. */
  end(): void {
    if (this.over) return
    this.ended = true
    const { collected, clock, until } = this.options
    if (this.inMemory) {
      this.deliver(collected.all())
      return
    }
    this.cancel = clock.after(until - clock.monotonic(), () => this.refuse(busy()))
    this.wake()
  }

  /** Nobody wants the body any more. */
  drop(): void {
    if (this.over) return
    this.finish()
    this.options.collected.drop()
  }

  /** The disk is waited for right now, and not the client. */
  get heldUp(): boolean {
    return this.pausedAt !== undefined
  }

  /** Milliseconds that the disk was waited for, and not the client. */
  get heldUpMs(): number {
    const { pausedAt, pausedMs } = this
    return pausedAt === undefined ? pausedMs : pausedMs + this.options.clock.monotonic() - pausedAt
  }

  private async run(): Promise<void> {
    const { spool, room } = this.options
    let file: SpoolFile | undefined
    try {
      file = await spool.open()
      await this.write(file)
      if (!this.over) await (this.leaving ? this.goOnInMemory(file) : this.readBack(file))
    } catch (error) {
      await this.failed(error, file)
    }
    await file?.close()
    room.release()
  }

  /** Writes what comes until the body is whole, unless it has to leave. */
  private async write(file: SpoolFile): Promise<void> {
    const { collected, share } = this.options
    while (!this.over && !this.leaving) {
      const isEnough = collected.bytes >= httpLimits.spoolWriteBytes
      if (!isEnough && !this.ended) await this.more()
      else if (collected.bytes === 0) return
      else {
        await this.append(file, collected.take())
        share.keep(Math.max(httpLimits.spoolFlightBytes, collected.bytes))
        if (this.inFlight < httpLimits.spoolPauseBytes) this.goOn()
      }
    }
  }

  private async append(file: SpoolFile, pieces: readonly Buffer[]): Promise<void> {
    this.writing = bytesOf(pieces)
    try {
      await file.append(pieces)
    } catch (error) {
      if (!this.over) this.options.collected.putBack(pieces)
      throw error
    } finally {
      this.writing = 0
    }
  }

  private async readBack(file: SpoolFile): Promise<void> {
    const { share, collected } = this.options
    // Those that wait hold no memory: they would wait for each other.
    share.keep(0)
    if (!(await this.roomFor(collected.came))) throw busy()
    const bytes = await file.read(this.isWanted)
    if (!this.over) this.deliver(bytes)
  }

  /** False: there was none in time. */
  private roomFor(bytes: number): Promise<boolean> {
    const { share, clock } = this.options
    return new Promise((resolve) => {
      const cancel = clock.after(httpLimits.roomWaitMs, () => this.giveUp())
      this.giveUp = () => {
        cancel()
        share.withdraw()
        resolve(false)
      }
      share.reachInTurn(bytes, () => {
        cancel()
        resolve(true)
      })
    })
  }

  /** Whether memory has room for so many bytes and what is still to come. */
  private leaves(bytes: number): boolean {
    this.leaving = this.options.share.reach(Math.max(bytes, this.options.declared ?? 0))
    return this.leaving
  }

  private async goOnInMemory(file: SpoolFile | undefined): Promise<void> {
    const { collected } = this.options
    const written = await file?.read(this.isWanted)
    if (this.over) return
    if (written !== undefined) collected.putBack([written])
    this.inMemory = true
    if (this.ended) this.deliver(collected.all())
    else this.goOn()
  }

  private async failed(error: unknown, file: SpoolFile | undefined): Promise<void> {
    const { spool, collected } = this.options
    if (this.over) return
    if (error instanceof Refusal) return this.refuse(error)
    spool.failed(error)
    if (!this.leaves(collected.came)) return this.refuse(busy())
    try {
      await this.goOnInMemory(file)
    } catch (again) {
      spool.failed(again)
      this.refuse(busy())
    }
  }

  private deliver(bytes: Buffer): void {
    this.finish()
    this.options.taken(bytes)
  }

  private refuse(refusal: Refusal): void {
    if (this.over) return
    this.finish()
    this.options.refused(refusal)
  }

  private finish(): void {
    this.over = true
    this.cancel()
    this.giveUp()
    this.wake()
  }

  private readonly isWanted = () => !this.over

  private get inFlight(): number {
    return this.writing + this.options.collected.bytes
  }

  private pause(): void {
    if (this.pausedAt !== undefined) return
    this.pausedAt = this.options.clock.monotonic()
    this.options.exchange.req.pause()
  }

  private goOn(): void {
    if (this.over || this.pausedAt === undefined) return
    this.pausedMs = this.heldUpMs
    this.pausedAt = undefined
    this.options.exchange.req.resume()
  }

  /** Until something came, the body is whole, or it is over. */
  private more(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve
    })
  }
}
