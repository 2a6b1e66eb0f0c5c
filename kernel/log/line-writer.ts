/**
 * Writes the lines of the log: what one turn of the event loop logs leaves in one write. A reader that is slow delays nobody: what it
 * has not read waits here, up to a bound, and beyond it lines are dropped and counted.
 */
import type { LineOutput } from './line-output.js'

/** Characters that are written at once, without waiting for the end of the turn. */
const atOnce = 64 * 1024
/** Bytes that wait for a slow reader. */
const heldMax = 4 * 1024 * 1024
const retryMs = 20
/** How long the end of the process waits for a reader, in all and while it takes nothing. */
const endMs = 10_000
const endIdleMs = 2_000

const lineBreak = 0x0a

export class LineWriter {
  private readonly lines: string[] = []
  /** How many lines these are. */
  private count = 0
  /** Characters of the lines. */
  private waiting = 0
  /** What the reader did not take yet, which may begin within a line. */
  private rest: Uint8Array | undefined
  private scheduled = false
  /** Lines under way, without the report. */
  private taken = 0
  /** A line was cut by an error, and the next one has to begin on a line of its own. */
  private isBroken = false
  /** The last write was an error. */
  private isFailing = false
  /** Lines that were dropped: in all, as far as they were reported, and as far as the report under way has them. */
  private lost = 0
  private reported = 0
  private reporting = 0

  /** `report` returns the line that states how many were dropped. */
  constructor(
    private readonly output: LineOutput,
    private readonly report: (dropped: number) => string,
  ) {}

  /** Lines that were dropped since the process began. */
  dropped(): number {
    return this.lost
  }

  /** `count`: lines that `line` holds, each whole. */
  write(line: string, count = 1): void {
    if (this.held + line.length > heldMax) {
      this.lost += count
      return
    }
    this.lines.push(line)
    this.count += count
    this.waiting += line.length
    // The reader is slow, and the next attempt is due.
    if (this.rest !== undefined) return
    if (this.waiting >= atOnce) this.flush()
    else this.flushAfter(setImmediate)
  }

  /** Writes what waits while the process ends, and blocks for as long as a reader takes some of it. */
  end(): void {
    let idleMs = 0
    for (let ms = 0; ms < endMs && idleMs < endIdleMs; ms += retryMs) {
      const before = this.held
      this.flush()
      if (this.held === 0) return
      idleMs = this.held < before ? 0 : idleMs + retryMs
      this.output.pause(retryMs)
    }
  }

  /** Of drops after the last line; where nothing can be written it waits for a line. */
  private get owesReport(): boolean {
    return this.lost > this.reported && !this.isFailing
  }

  private get held(): number {
    return this.waiting + (this.rest?.length ?? 0)
  }

  private flushAfter(schedule: (run: () => void) => void): void {
    if (this.scheduled) return
    this.scheduled = true
    schedule(this.flush)
  }

  private readonly flush = (): void => {
    this.scheduled = false
    while (this.held > 0 || this.owesReport) {
      const bytes = this.rest ?? this.joined()
      const written = this.written(bytes)
      this.rest = written < bytes.length ? bytes.subarray(written) : undefined
      if (written === 0) {
        this.flushAfter(soon)
        return
      }
      if (this.rest === undefined) this.reported = this.reporting
    }
  }

  private joined(): Uint8Array {
    this.taken = this.count
    if (this.isBroken) this.lines.unshift('\n')
    if (this.lost > this.reported) this.lines.push(this.report(this.lost - this.reported))
    this.reporting = this.lost
    const bytes = Buffer.from(this.lines.join(''))
    this.lines.length = 0
    this.count = 0
    this.waiting = 0
    return bytes
  }

  private written(bytes: Uint8Array): number {
    try {
      const written = this.output.write(bytes)
      this.isBroken = false
      this.isFailing = false
      return written
    } catch (error) {
      if (isFull(error)) return 0
      // Nobody reads any more, or the disk is full: to log that would be one more line that cannot be written.
      this.isBroken ||= bytes === this.rest
      this.isFailing = true
      const breaks = bytes.reduce((count, byte) => (byte === lineBreak ? count + 1 : count), 0)
      this.lost += Math.min(breaks, this.taken)
      this.reporting = this.reported
      return bytes.length
    }
  }
}

/** A process that has nothing else to do does not wait for it. */
function soon(run: () => void): void {
  setTimeout(run, retryMs).unref()
}

function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EAGAIN'
}
