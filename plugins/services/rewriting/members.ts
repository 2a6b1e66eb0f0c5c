/** One operation of a document: reads its members by kind and names operation and member where one is wrong. */
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import { hasWildcard, type Path, parsePath } from '../../../kernel/toolkit/json/index.js'
import { faultOfName } from './header-rules.js'

/** Editors write every member into every operation, so each may stand in each. */
const known: ReadonlySet<string> = new Set([
  'mode',
  'path',
  'value',
  'keep_origin',
  'from',
  'to',
  'conditions',
  'logic',
  'description',
])

export class Members {
  /** @param place which one, as a sentence names it: `an operation 2` */
  constructor(
    readonly object: JsonObject,
    readonly place: string,
  ) {}

  refuseOthers(names: ReadonlySet<string> = known): void {
    const other = Object.keys(this.object).find((name) => !names.has(name))
    if (other !== undefined) {
      throw this.fault(`with the member "${other.slice(0, 100)}", which does not exist`)
    }
  }

  fault(rest: string): Error {
    return new Error(`has ${this.place} ${rest}`)
  }

  /** The word of the mode; empty where there is none. */
  get mode(): string {
    return this.text('mode') ?? ''
  }

  /** `null` is a value here, not a gap. */
  value(): Json {
    const value = this.object.value
    if (value === undefined) throw this.fault('without a value')
    return value
  }

  textValue(): string {
    const value = this.value()
    if (typeof value !== 'string') throw this.fault('whose value is no text')
    return value
  }

  /** Undefined where absent or empty. */
  text(name: string): string | undefined {
    const value = this.object[name] ?? ''
    if (typeof value !== 'string') throw this.fault(`whose ${name} is no text`)
    return value === '' ? undefined : value
  }

  neededText(name: string): string {
    const text = this.text(name)
    if (text === undefined) throw this.fault(`without a ${name}`)
    return text
  }

  flag(name: string): boolean {
    const value = this.object[name] ?? false
    if (typeof value !== 'boolean') throw this.fault(`whose ${name} is neither true nor false`)
    return value
  }

  /** A place in the body, with wildcards. */
  path(name = 'path'): Path {
    return this.parsed(name, this.neededText(name))
  }

  parsed(name: string, text: string): Path {
    try {
      return parsePath(text)
    } catch (error) {
      throw this.fault(`whose ${name} ${(error as Error).message}`)
    }
  }

  /** One place in the body. */
  singlePath(name: string, text = this.neededText(name)): Path {
    const path = this.parsed(name, text)
    if (hasWildcard(path))
      throw this.fault(`whose ${name} has a wildcard, which this mode cannot use`)
    return path
  }

  /** The name of a header that may be set. */
  header(name: string): string {
    return this.headerNamed(name, this.neededText(name))
  }

  headerNamed(name: string, text: string): string {
    const header = text.trim().toLowerCase()
    const fault = faultOfName(header)
    if (fault !== undefined) throw this.fault(`whose ${name} names a header that ${fault}`)
    return header
  }
}
