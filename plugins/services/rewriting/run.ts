/**
 * One call on its way through a document: the body and headers as they stand after the operations so far. Bodies are
 * never changed, only replaced.
 */
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import { type Path, valuesAt } from '../../../kernel/toolkit/json/index.js'
import { clientHeader, isSendable } from './header-rules.js'
import type { OverrideContext, Overriding } from './rewriting.js'
import { growthMax } from './value-size.js'

/** All matching done for one call, in the measure of `mayMatch`. */
const matchingStepsMax = 2_000_000

const contextNames: ReadonlySet<string> = new Set([
  'original_model',
  'upstream_model',
  'request_path',
  'is_retry',
  'retry_index',
  'last_error',
  'request_headers',
  'header_override',
])

/** Answers an outcome only where the document ends the call. */
export type Act = (run: Run) => Extract<Overriding, { readonly retry: boolean }> | undefined

export class Run {
  readonly notes: string[] = []
  headers: Readonly<Record<string, string | null>>
  private stepsLeft = matchingStepsMax
  private roomLeft = growthMax

  constructor(
    public wire: JsonObject,
    readonly context: OverrideContext,
  ) {
    this.headers = context.headers
  }

  /**
   * What a condition looks at: the context under its own names, else values in the body; `model` is the body's where it
   * has one. A client that writes the context's names into its body changes nothing.
   */
  found(path: Path): readonly Json[] {
    const inBody = contextNames.has(path[0]!.key) ? [] : valuesAt(this.wire, path)
    if (inBody.length > 0) return inBody
    const value = this.inContext(path.map(({ key }) => key))
    return value === undefined ? [] : [value]
  }

  inContext([name, ...rest]: readonly string[]): Json | undefined {
    if (name === 'last_error') return rest.length === 1 ? this.lastError(rest[0]!) : undefined
    const header = rest.join('.').toLowerCase()
    if (name === 'request_headers') return clientHeader(this.context.clientHeaders, header)
    if (name === 'header_override') return this.headerSet(header)
    return rest.length === 0 ? this.word(name!) : undefined
  }

  /** A header as it stands: set so far, else as the client sent it. */
  header(name: string): string | undefined {
    return this.headerSet(name) ?? clientHeader(this.context.clientHeaders, name)
  }

  headerSet(name: string): string | undefined {
    return Object.hasOwn(this.headers, name) ? (this.headers[name] ?? undefined) : undefined
  }

  /** `null` takes it away. What no header can carry is left out. */
  setHeader(name: string, value: string | null): void {
    if (value !== null && !isSendable(value)) return
    this.headers = { ...this.headers, [name]: value }
  }

  /** Whether there is time left to match that much: characters of the text times instructions of the pattern. */
  mayMatch(steps: number): boolean {
    if (steps > this.stepsLeft) return false
    this.stepsLeft -= steps
    return true
  }

  /** Whether the body may still grow by so many characters; noted where not. */
  fits(characters: number, mode: string): boolean {
    if (characters <= this.roomLeft) return true
    this.note(`skip ${mode}: the body would become too large`)
    return false
  }

  /** The same, and then it does. */
  mayGrow(characters: number, mode: string): boolean {
    if (!this.fits(characters, mode)) return false
    this.roomLeft -= characters
    return true
  }

  /** Something that was left undone, reported once. */
  note(line: string): void {
    if (!this.notes.includes(line)) this.notes.push(line)
  }

  private word(name: string): Json | undefined {
    const { model, upstreamModel, requestPath, retryIndex } = this.context
    switch (name) {
      case 'model':
      case 'upstream_model':
        return upstreamModel
      case 'original_model':
        return model
      case 'request_path':
        return requestPath
      case 'retry_index':
        return retryIndex
      case 'is_retry':
        return retryIndex > 0
      default:
        return undefined
    }
  }

  private lastError(name: string): Json | undefined {
    const failure = this.context.lastFailure
    if (failure === undefined) return undefined
    switch (name) {
      case 'status_code':
        return failure.status
      case 'message':
        return failure.upstreamMessage ?? failure.message
      case 'code':
        return failure.code
      case 'type':
        return failure.type
      default:
        return undefined
    }
  }
}
