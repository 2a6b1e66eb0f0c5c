/**
 * Watches a stream of completion chunks on its way to the client. Whole frames are forwarded in the buffer they came in
 * where nothing is withheld; text is counted by scanning, and only what holds usage or an error is parsed.
 */

import type { Body } from '../../../kernel/contract/body.js'
import type { Usage } from '../../../kernel/contract/event.js'
import type { Failure } from '../../../kernel/contract/failure.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { OperationWatch } from '../../../kernel/contract/operation.js'
import { tooLarge } from '../../../kernel/toolkit/errors/index.js'
import {
  type FrameFields,
  FrameGate,
  type FrameKeeper,
  jsonStart,
  parseFrame,
  withoutMark,
} from '../../../kernel/toolkit/format/index.js'
import { failureIn, garbled, parsedObject } from '../../../kernel/toolkit/operation/index.js'
import { echoedTokens } from './estimate.js'
import { choicesOf, findUsage } from './read-reply.js'
import { clientWantsUsage } from './request-usage.js'
import { TextScan } from './text-scan.js'

const nothing = Buffer.alloc(0)
const terminator = '[DONE]'

export class CompletionsWatch implements OperationWatch, FrameKeeper {
  readonly binary = false
  ended = false
  failure: Failure | undefined
  usage: Usage | undefined
  raw: JsonObject | undefined
  private readonly gate = new FrameGate(this)
  private readonly text = new TextScan()
  private readonly wantsUsage: boolean
  private readonly echoed: number
  private first = true

  constructor(wire: Body) {
    this.wantsUsage = clientWantsUsage(wire)
    this.echoed = echoedTokens(wire)
  }

  get started(): boolean {
    return this.text.delivered
  }

  get estimatedTokens(): number {
    return Math.max(0, this.text.estimatedTokens - this.echoed)
  }

  get over(): boolean {
    return this.ended || this.failure !== undefined
  }

  push(chunk: Buffer): Buffer {
    return this.gate.push(chunk)
  }

  /** Only a terminator passes without its blank line: anything else may have been cut (S5). */
  flush(): Buffer {
    const rest = this.gate.rest()
    if (this.over || rest.length === 0 || parseFrame(rest).data !== terminator) return nothing
    this.ended = true
    return Buffer.from(`data: ${terminator}\n\n`)
  }

  whole(bytes: Buffer, from: number, end: number): boolean {
    const { first } = this
    this.first = false
    const json = first ? -1 : jsonStart(bytes, from, end)
    if (json === -1) {
      const frame = bytes.subarray(from, end)
      return this.unusual(first ? withoutMark(frame) : frame)
    }
    this.text.scan(bytes, json, end)
    return !this.text.mustRead || this.read(parseFrame(bytes.subarray(from, end)))
  }

  /** A chunk of this kind is never large: it is kept until it is whole. */
  passesInPieces(): boolean {
    return false
  }

  piece(): boolean {
    return false
  }

  piecesEnd(): void {}

  tooLarge(): void {
    this.failure = tooLarge()
  }

  /** The first frame, comments, named events, the terminator: read by the rules of the standard. */
  private unusual(bytes: Buffer): boolean {
    const frame = parseFrame(bytes)
    if (frame.comment) return true
    if (frame.data === terminator) {
      this.ended = true
      return true
    }
    this.text.scan(bytes, 0, bytes.length)
    return this.read(frame)
  }

  /** False: an error, or the usage the client did not ask for. */
  private read({ event, data }: FrameFields): boolean {
    const chunk = parsedObject(data)
    this.failure = chunk === undefined ? garbled() : failureOf(event, chunk)
    if (chunk === undefined || this.failure !== undefined) return false
    const reading = findUsage(chunk)
    if (reading === undefined) return true
    this.usage = { ...this.usage, ...reading.usage }
    this.raw = reading.raw
    return this.wantsUsage || choicesOf(chunk).length > 0
  }
}

function failureOf(event: string, chunk: JsonObject): Failure | undefined {
  const isError = event === 'error' && chunk.error === undefined
  return failureIn(isError ? { error: chunk } : chunk)
}
