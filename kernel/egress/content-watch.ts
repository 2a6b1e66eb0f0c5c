/**
 * Ends an answer that trickles: blanks, comments and empty events keep a connection busy for ever and say nothing, so
 * time counts since the last content and not since the last byte. Of server-sent events content is what stands in a
 * `data` line, of anything else whatever is no blank.
 */
import type { ByteConsumer, ByteSource } from '../contract/bytes.js'
import type { Failure } from '../contract/failure.js'
import type { Clock } from '../contract/kit.js'
import { noContent, tooLarge } from '../toolkit/errors/egress-error.js'
import { limits } from '../toolkit/limits/limits.js'

export interface ContentWatchOptions {
  readonly clock: Clock
  /** Longest time without content, milliseconds. */
  readonly silenceMs: number
  /** Of the answer, in any case. Absent: not notified. */
  readonly contentType: string | undefined
}

/** The same answer. Its consumer is notified of a failure where no content comes for too long, or too many bytes without content. */
export class ContentWatch implements ByteSource, ByteConsumer {
  private consumer: ByteConsumer | undefined
  private readonly holdsContent: (chunk: Buffer) => boolean
  private cancel: () => void = () => {}
  /** Unix milliseconds. */
  private lastContent = 0
  private blankBytes = 0
  /** The consumer takes nothing for now, so nothing can come. */
  private paused = false
  private over = false

  constructor(
    private readonly source: ByteSource,
    private readonly options: ContentWatchOptions,
  ) {
    const isEvents = /^\s*text\/event-stream/i.test(options.contentType ?? '')
    this.holdsContent = isEvents ? eventContent() : isNotBlank
  }

  get declaredBytes(): number | undefined {
    return this.source.declaredBytes
  }

  consume(consumer: ByteConsumer): void {
    this.consumer = consumer
    this.lastContent = this.options.clock.now()
    this.wait(this.options.silenceMs)
    this.source.consume(this)
  }

  resume(): void {
    if (this.paused) this.lastContent = this.options.clock.now()
    this.paused = false
    this.source.resume()
  }

  abort(): void {
    this.close()
    this.source.abort()
  }

  data(chunk: Buffer): boolean {
    if (this.over) return true
    if (this.holdsContent(chunk)) {
      this.lastContent = this.options.clock.now()
      this.blankBytes = 0
    } else {
      this.blankBytes += chunk.length
      if (this.blankBytes > limits.blankBytesMax) {
        this.fails(tooLarge().failure)
        return false
      }
    }
    // A consumer that resumes within its own `data` means it, whatever it returns.
    this.paused = true
    const more = this.consumer!.data(chunk)
    this.paused &&= !more
    return more
  }

  end(): void {
    if (this.over) return
    this.cancel()
    // What the consumer throws here comes back as a failure, of which it has yet to be notified.
    this.consumer!.end()
    this.over = true
  }

  fail(failure: Failure): void {
    if (this.close()) this.consumer!.fail(failure)
  }

  private wait(ms: number): void {
    this.cancel = this.options.clock.after(ms, () => this.look())
  }

  private look(): void {
    const { clock, silenceMs } = this.options
    const left = this.paused ? silenceMs : this.lastContent + silenceMs - clock.now()
    if (left > 0) this.wait(left)
    else this.fails(noContent().failure)
  }

  private fails(failure: Failure): void {
    if (!this.close()) return
    this.source.abort()
    this.consumer!.fail(failure)
  }

  /** False: it was over already. */
  private close(): boolean {
    if (this.over) return false
    this.over = true
    this.cancel()
    return true
  }
}

const LF = 0x0a
const CR = 0x0d

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === LF || byte === CR || byte === 0x09
}

function isNotBlank(chunk: Buffer): boolean {
  for (let at = 0; at < chunk.length; at += 1) if (!isBlank(chunk[at]!)) return true
  return false
}

/** `data:`; lines of other fields begin with other letters. */
const nameBytes = 5
const D = 0x64

/** Fed one chunk after the other, wherever lines are cut. Behind the first content of a chunk only its last line is read. */
function eventContent(): (chunk: Buffer) => boolean {
  let column = 0
  let isData = false
  return (chunk) => {
    let found = false
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at]!
      if (byte === LF || byte === CR) {
        column = 0
        continue
      }
      if (column === 0) isData = byte === D
      column += 1
      if (found || !isData || column <= nameBytes || isBlank(byte)) continue
      found = true
      const lastBreak = Math.max(chunk.lastIndexOf(LF), chunk.lastIndexOf(CR))
      if (lastBreak < at) break
      at = lastBreak - 1
    }
    return found
  }
}
