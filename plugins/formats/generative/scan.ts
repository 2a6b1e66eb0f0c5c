/**
 * Reads the bytes of a stream's chunks without parsing them: counts what the model wrote, remembers where the last
 * usage stands and which candidates are done, and notices what must be read. A chunk may come in pieces of any size;
 * bytes that are not needed, such as an image, are skipped at the speed of a search.
 */
import { KeyReader, StringEnds, TokenCounter } from '../../../kernel/toolkit/format/index.js'
import { LastUsage, type Stretch } from './scan-usage.js'
import { type Key, keyAt } from './scan-words.js'

/** Nesting of a chunk: where the objects stand whose fields matter. */
const root = 1
const candidateDepth = 3
/** Lists of a candidate's parts, and of the queries that grounded it. */
const listDepth = 5
const partDepth = 6
/** A call or its code, inside a part. */
const calledDepth = 7

export class ChunkScan {
  /** The model began to answer, in this chunk or an earlier one. */
  content = false
  /** A search of the service grounded the answer. */
  searched = false
  private readonly counter = new TokenCounter()
  /** Candidates that were seen, and those of them with a finish reason. */
  private readonly seen = new Set<number>()
  private readonly done = new Set<number>()
  private readonly counts = new LastUsage()
  private readonly strings = new StringEnds()
  private readonly keys = new KeyReader(keyAt)

  private depth = 0
  private key: Key = ''
  private lastName: Key = ''
  /** A string that may be a key ended; only then does a colon mean anything, as `data:` of later lines does not. */
  private named = false
  private valueNext = false
  private inString = false
  /** The open string is text of the model. */
  private counted = false

  private inCandidates = false
  private inParts = false
  private inQueries = false
  private called: Key = ''
  private index = 0
  private finished = false
  /** Where counting arguments go on in this piece; -1: not in arguments. */
  private argsFrom = -1

  /** The chunk holds an error or a verdict on the prompt. */
  mustRead = false
  /** The chunk has what chunks of this format have. */
  known = false

  get estimatedTokens(): number {
    return this.counter.estimatedTokens
  }

  /** Every candidate has a finish reason. */
  get complete(): boolean {
    return this.seen.size > 0 && this.done.size === this.seen.size
  }

  /** The last usage object as it stood; undefined where there was none. */
  get usage(): Stretch | undefined {
    return this.counts.kept
  }

  /** A new chunk begins. */
  begin(): void {
    this.depth = 0
    this.key = ''
    this.lastName = ''
    this.named = false
    this.valueNext = false
    this.inString = false
    this.strings.begin()
    this.counts.begin()
    this.counted = false
    this.keys.begin()
    this.inCandidates = false
    this.inParts = false
    this.inQueries = false
    this.called = ''
    this.argsFrom = -1
    this.mustRead = false
    this.known = false
  }

  /** The next piece of the chunk: bytes from `from` up to `to`. */
  scan(bytes: Buffer, from: number, to: number): void {
    if (this.argsFrom !== -1) this.argsFrom = from
    this.counts.goOn(from)
    let at = from
    while (at < to) {
      if (this.inString) {
        at = this.string(bytes, at, to)
        continue
      }
      if (this.counts.depth > 0) {
        at = this.skipUsage(bytes, at, to)
        continue
      }
      const byte = bytes[at]!
      at += 1
      if (byte === 0x22) this.openString()
      else if (byte === 0x3a) this.colon()
      else if (byte === 0x7b || byte === 0x5b) this.open(at - 1)
      else if (byte === 0x7d || byte === 0x5d) this.close(bytes, at)
      else if (byte === 0x2c) this.comma()
      else if (byte >= 0x30 && byte <= 0x39) this.digit(byte - 0x30)
    }
    if (this.argsFrom !== -1) this.counter.addJson(bytes, this.argsFrom, to)
    this.counts.pause(bytes, to)
  }

  private skipUsage(bytes: Buffer, from: number, to: number): number {
    const at = this.counts.skip(bytes, from, to, this.strings)
    this.inString = at > to
    if (this.counts.depth === 0) this.close(bytes, at)
    return at
  }

  private openString(): void {
    this.inString = true
    this.counted = false
    if (this.inQueries) this.searched = true
    if (!this.valueNext) return
    const { key, depth } = this
    if (key === 'text') this.counted = this.inParts && depth === partDepth
    else if (key === 'code')
      this.counted = this.called === 'executableCode' && depth === calledDepth
    else if (key === 'thoughtSignature') this.content ||= this.inParts && depth === partDepth
    else if (key === 'finishReason') this.finished ||= this.inCandidates && depth === candidateDepth
    else if (key === 'error') this.mustRead ||= depth === root
  }

  /** Goes on in a string; returns where to go on after it. */
  private string(bytes: Buffer, from: number, to: number): number {
    const at = this.strings.next(bytes, from, to)
    if (this.counted && at > from) {
      this.counter.addJson(bytes, from, at)
      this.content = true
    }
    const ended = at < to
    if (!this.valueNext) this.lastName = this.keys.read(bytes, from, at, ended)
    this.named = ended && !this.valueNext
    this.inString = !ended
    return ended ? at + 1 : at
  }

  private colon(): void {
    if (!this.named) return
    this.named = false
    this.key = this.lastName
    this.lastName = ''
    this.valueNext = true
    if (this.depth === root && (this.key === 'candidates' || this.key === 'usageMetadata')) {
      this.known = true
    }
  }

  private comma(): void {
    this.named = false
    this.valueNext = false
  }

  private digit(value: number): void {
    if (this.key !== 'index' || !this.valueNext || this.depth !== candidateDepth) return
    if (this.inCandidates) this.index = this.index * 10 + value
  }

  private open(at: number): void {
    this.depth += 1
    const key = this.valueNext ? this.key : ''
    this.valueNext = false
    switch (this.depth) {
      case root + 1:
        this.openRoot(key, at)
        break
      case candidateDepth:
        this.index = 0
        this.finished = false
        break
      case listDepth:
        this.inParts = this.inCandidates && key === 'parts'
        this.inQueries = this.inCandidates && key === 'webSearchQueries'
        break
      case calledDepth:
        if (!this.inParts) break
        this.called = key
        this.content = true
        break
      case calledDepth + 1:
        if (this.called === 'functionCall' && key === 'args') this.argsFrom = at
        break
      default:
    }
  }

  private openRoot(key: Key, at: number): void {
    if (key === 'candidates') this.inCandidates = true
    else if (key === 'error' || key === 'promptFeedback') this.mustRead = true
    else if (key === 'usageMetadata') {
      this.counts.open(at)
      // Its strings are no keys of ours.
      this.key = ''
      this.counted = false
      this.valueNext = true
    }
  }

  private close(bytes: Buffer, behind: number): void {
    switch (this.depth) {
      case root + 1:
        this.inCandidates = false
        break
      case candidateDepth:
        if (this.inCandidates) this.candidateEnds()
        break
      case listDepth:
        this.inParts = false
        this.inQueries = false
        break
      case calledDepth:
        this.called = ''
        break
      case calledDepth + 1:
        if (this.argsFrom !== -1) this.counter.addJson(bytes, this.argsFrom, behind)
        this.argsFrom = -1
        break
      default:
    }
    this.depth -= 1
    this.valueNext = false
  }

  private candidateEnds(): void {
    this.seen.add(this.index)
    if (!this.finished) return
    this.done.add(this.index)
    this.content = true
  }
}
