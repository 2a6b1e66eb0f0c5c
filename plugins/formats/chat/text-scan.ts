/**
 * Counts the text a chat chunk delivers by scanning its bytes, without parsing or keeping it, and notices what must be
 * read: usage, errors and reasons to stop. A chunk may come in pieces, whatever its size. Counts what `readDelta` would find.
 */
import {
  KeyReader,
  keyFinder,
  StringEnds,
  TokenCounter,
} from '../../../kernel/toolkit/format/index.js'

const names = [
  'text',
  'delta',
  'usage',
  'error',
  'content',
  'refusal',
  'thinking',
  'reasoning',
  'arguments',
  'transcript',
  'finish_reason',
  'reasoning_content',
] as const

/** The keys that matter; every other one is ''. */
type Key = (typeof names)[number] | ''

const keyAt = keyFinder(names)

const usageBytesMax = 64 * 1024

export class TextScan {
  /** Text was counted, in this chunk or an earlier one. */
  delivered = false
  private readonly counter = new TokenCounter()
  private readonly strings = new StringEnds()
  private readonly keys = new KeyReader(keyAt)

  private depth = 0
  /** Depth inside the delta object, and inside a list of content parts; 0: not in one. */
  private deltaDepth = 0
  private listDepth = 0
  private key: Key = ''
  private lastName: Key = ''
  /** A string that may be a key ended; only then does a colon mean anything, as `data:` of later lines does not. */
  private named = false
  private valueNext = false
  private inString = false
  private counted = false
  private reasoningKey: Key = ''
  private sawDelta = false
  private sawUsage = false
  private sawError = false
  private sawStop = false
  private usageDepth = 0
  private usageFrom = 0
  private usagePieces: Buffer[] = []

  get estimatedTokens(): number {
    return this.counter.estimatedTokens
  }

  /** The chunk holds something that only parsing can show. */
  get mustRead(): boolean {
    return this.sawError || this.sawUsage || this.sawStop || !this.sawDelta
  }

  get delta(): boolean {
    return this.sawDelta
  }

  get error(): boolean {
    return this.sawError
  }

  /** An alternative has a finish reason. */
  get stop(): boolean {
    return this.sawStop
  }

  /** The text of the usage object; empty where there was none. */
  get usageText(): string {
    return Buffer.concat(this.usagePieces).toString('utf8')
  }

  /** A new chunk begins. */
  begin(): void {
    this.depth = 0
    this.deltaDepth = 0
    this.listDepth = 0
    this.key = ''
    this.lastName = ''
    this.named = false
    this.valueNext = false
    this.inString = false
    this.counted = false
    this.strings.begin()
    this.keys.begin()
    this.sawDelta = false
    this.sawUsage = false
    this.sawError = false
    this.sawStop = false
    this.usageDepth = 0
    if (this.usagePieces.length > 0) this.usagePieces = []
  }

  scan(bytes: Buffer, from: number, to: number): void {
    this.usageFrom = from
    let at = from
    while (at < to) {
      if (this.inString) {
        at = this.string(bytes, at, to)
        continue
      }
      const byte = bytes[at]!
      at += 1
      if (byte === 0x22) this.openString()
      else if (byte === 0x3a) this.colon()
      else if (byte === 0x7b || byte === 0x5b) this.open(byte, at)
      else if (byte === 0x7d || byte === 0x5d) this.close(bytes, at)
      else if (byte === 0x2c) this.comma()
    }
    if (this.usageDepth > 0) this.keepUsage(bytes, to)
  }

  private openString(): void {
    this.inString = true
    this.counted = this.valueNext && this.counts()
    if (!this.valueNext) return
    if (this.key === 'error' && this.depth === 1) this.sawError = true
    else if (this.key === 'finish_reason' && this.deltaDepth === 0) this.sawStop = true
  }

  /** Goes on in a string; returns where to go on after it. */
  private string(bytes: Buffer, from: number, to: number): number {
    const at = this.strings.next(bytes, from, to)
    if (this.counted) this.count(bytes, from, at)
    const ended = at < to
    if (!this.valueNext) this.lastName = this.keys.read(bytes, from, at, ended)
    this.named = ended && !this.valueNext
    this.inString = !ended
    return ended ? at + 1 : at
  }

  private count(bytes: Buffer, from: number, to: number): void {
    if (to === from) return
    this.counter.addJson(bytes, from, to)
    this.delivered = true
    if (this.key === 'reasoning' || this.key === 'reasoning_content') this.reasoningKey = this.key
  }

  private colon(): void {
    if (!this.named) return
    this.named = false
    this.key = this.lastName
    this.lastName = ''
    this.valueNext = true
  }

  private comma(): void {
    this.named = false
    this.valueNext = false
  }

  private open(byte: number, behind: number): void {
    this.depth += 1
    if (this.valueNext && this.key !== '') this.enter(byte === 0x7b, behind)
    this.valueNext = false
  }

  private enter(isObject: boolean, behind: number): void {
    const { key, depth } = this
    if (this.deltaDepth > 0) {
      if (key === 'content' && !isObject && depth === this.deltaDepth + 1) this.listDepth = depth
    } else if (key === 'delta') {
      this.deltaDepth = depth
      this.sawDelta = true
      this.reasoningKey = ''
    } else if (key === 'usage' && isObject) {
      this.sawUsage = true
      this.usageDepth = depth
      this.usageFrom = behind - 1
      this.usagePieces = []
    } else if (key === 'error' && depth === 2) {
      this.sawError = true
    }
  }

  private close(bytes: Buffer, behind: number): void {
    const { depth } = this
    if (depth === this.deltaDepth) this.deltaDepth = 0
    else if (depth === this.listDepth) this.listDepth = 0
    else if (depth === this.usageDepth) {
      this.keepUsage(bytes, behind)
      this.usageDepth = 0
    }
    this.depth = depth - 1
    this.valueNext = false
  }

  private keepUsage(bytes: Buffer, to: number): void {
    const kept = this.usagePieces.reduce((sum, { length }) => sum + length, 0)
    if (kept < usageBytesMax) this.usagePieces.push(bytes.subarray(this.usageFrom, to))
    this.usageFrom = to
  }

  /** Whether the string that begins here, as the value of `key`, is delivered text. */
  private counts(): boolean {
    const { key, depth, deltaDepth } = this
    if (deltaDepth === 0 || key === '') return false
    switch (key) {
      case 'content':
      case 'refusal':
        return depth === deltaDepth
      case 'reasoning':
      case 'reasoning_content':
        return depth === deltaDepth && (this.reasoningKey === '' || this.reasoningKey === key)
      case 'arguments':
        return depth > deltaDepth
      case 'transcript':
        return depth === deltaDepth + 1
      case 'text':
      case 'thinking':
        return this.listDepth > 0
      default:
        return false
    }
  }
}
