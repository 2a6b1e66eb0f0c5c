/** The beginning of one body, as it comes. */
import { bodyBytesMax, slackBytes } from './bounds.js'
import { joinedMedia, withoutMedia } from './media.js'
import type { KeptBody } from './recordings.js'

/** A smaller piece is no medium by itself. */
const mediaBytesMin = 2_048

export class BodyParts {
  private readonly parts: Buffer[] = []
  private held = 0
  private seen = 0
  private isWhole = true

  /** @param take whether there is room for so many bytes more */
  constructor(
    private readonly kind: KeptBody['kind'],
    private readonly take: (bytes: number) => boolean,
  ) {}

  add(chunk: Buffer | string): void {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    this.seen += bytes.length
    if (this.kind !== 'text') return
    const left = bodyBytesMax + slackBytes - this.held
    if (left <= 0 || !this.isWhole) {
      this.isWhole = false
      return
    }
    const shown = bytes.length >= mediaBytesMin ? withoutMedia(bytes) : bytes
    const kept = shown.length > left ? shown.subarray(0, left) : shown
    this.isWhole = kept.length === shown.length
    if (!this.take(kept.length)) {
      this.isWhole = false
      return
    }
    // A copy: the bytes may be a part of something much larger.
    this.parts.push(Buffer.from(kept))
    this.held += kept.length
  }

  /** @param masked the text without what is secret in it */
  kept(masked: (text: string) => string): KeptBody {
    const { kind, seen: bytes } = this
    if (kind !== 'text' || bytes === 0) {
      return { kind: bytes === 0 ? 'none' : kind, text: '', bytes, cut: false }
    }
    const text = masked(joinedMedia(Buffer.concat(this.parts).toString('utf8')))
    const cut = !this.isWhole || text.length > bodyBytesMax
    return { kind, text: cut ? text.slice(0, bodyBytesMax) : text, bytes, cut }
  }
}

const textTypes = /^(?:text\/|application\/(?:[\w.+-]*json|x-ndjson|xml|x-www-form-urlencoded))/i

/** Without a type it is taken for text: what is none shows as such. */
export function kindOf(type: string | undefined): KeptBody['kind'] {
  return type === undefined || type === '' || textTypes.test(type) ? 'text' : 'binary'
}
