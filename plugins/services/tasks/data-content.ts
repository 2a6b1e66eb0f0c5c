/**
 * A result that is a data URL, as bytes: its type and size are checked before anything is decoded (API-8), and it is decoded piece by
 * piece, as fast as the client takes it.
 */
import type { ByteConsumer, ByteSource } from '../../../kernel/contract/bytes.js'
import { failureOf, Refusal } from '../../../kernel/toolkit/errors/index.js'
import { dataUrl, mediaFault, mediaKindOf } from '../../../kernel/toolkit/task/index.js'
import { type Stretch, stretchOf } from './byte-range.js'
import type { Content, ContentRequest } from './tasks.js'

/** Throws a `Refusal` where the text is no medium this gateway passes on. */
export function dataContent(task: string, text: string, { range }: ContentRequest): Content {
  const data = dataUrl(text)
  if (data === undefined) throw new Refusal('task_result_missing', { task })
  const { mime, base64, bytes: size } = data
  const kind = mediaKindOf(mime)
  const fault = kind === undefined ? 'its type is not taken' : mediaFault(data, kind)
  if (fault !== undefined) {
    throw new Refusal('task_result_refused', { task, reason: kind ? `it ${fault}` : fault })
  }
  const stretch = stretchOf(range, size)
  if (stretch === 'outside') return noSuchStretch(size)
  const { from, to } = stretch ?? { from: 0, to: size }
  return {
    status: stretch === undefined ? 200 : 206,
    headers: {
      'content-type': mime,
      'content-length': String(to - from),
      'accept-ranges': 'bytes',
      ...(stretch === undefined ? undefined : contentRange(stretch, size)),
    },
    body: new Base64Source(base64, { from, to }),
  }
}

function contentRange({ from, to }: Stretch, size: number) {
  return { 'content-range': `bytes ${from}-${to - 1}/${size}` }
}

/** `size` is absent where it is not known. */
export function noSuchStretch(size?: number): Content {
  const range = size === undefined ? undefined : { 'content-range': `bytes */${size}` }
  return { status: 416, headers: { ...range, 'content-length': '0' }, body: nothing() }
}

function nothing(): ByteSource {
  return { consume: (consumer) => consumer.end(), resume() {}, abort() {} }
}

/** Decoded in one go: a multiple of three bytes, which are four characters. */
const pieceBytes = 48 * 1024

class Base64Source implements ByteSource {
  private consumer: ByteConsumer | undefined
  private at: number
  private over = false
  private handing = false
  private flowing = false

  constructor(
    private readonly base64: string,
    private readonly stretch: Stretch,
  ) {
    this.at = stretch.from
  }

  consume(consumer: ByteConsumer): void {
    this.consumer = consumer
    this.resume()
  }

  resume(): void {
    this.flowing = true
    if (!this.handing) this.flow()
  }

  abort(): void {
    this.over = true
  }

  private flow(): void {
    const { consumer } = this
    if (consumer === undefined) return
    this.handing = true
    while (this.flowing && !this.over && this.at < this.stretch.to) this.hand(consumer)
    this.handing = false
    if (this.over || this.at < this.stretch.to) return
    this.over = true
    consumer.end()
  }

  /** A consumer that resumes within its own `data` means it, whatever it returns. */
  private hand(consumer: ByteConsumer): void {
    const to = Math.min(this.stretch.to, this.at - (this.at % pieceBytes) + pieceBytes)
    const piece = decoded(this.base64, this.at, to)
    if (piece.length !== to - this.at) {
      this.over = true
      consumer.fail(failureOf(new Refusal('upstream_broke_off')))
      return
    }
    this.at = to
    this.flowing = false
    const more = consumer.data(piece)
    this.flowing ||= more
  }
}

/** Bytes `from` to `to`, which lie within one piece. Shorter: what is there is no base64. */
function decoded(base64: string, from: number, to: number): Buffer {
  const start = Math.floor(from / 3)
  const characters = base64.slice(start * 4, Math.ceil(to / 3) * 4)
  return Buffer.from(characters, 'base64').subarray(from - start * 3, to - start * 3)
}
