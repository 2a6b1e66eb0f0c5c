/**
 * Errors as they cross between threads: by class and fields, so that a refusal is one on the other side. An error that comes back
 * to the side that threw it is the same object again, with all it had.
 */
import { EgressError } from '../../toolkit/errors/egress-error.js'
import { Refusal } from '../../toolkit/errors/refusal.js'
import { packed, unpacked } from './values.js'

interface ErrorFields {
  readonly class: string
  readonly message: string
  readonly stack?: string
  /** Of a refusal or a failed call. */
  readonly fields?: Readonly<Record<string, unknown>>
  /** Its number on the side that threw it. */
  readonly number?: number
  /** It is an error of the side it comes to, by its number there. */
  readonly comesBack?: number
}

const wordsMax = 4000
/** Errors that may come back: more than are under way at once. */
const keptMax = 64

export class CrossingErrors {
  private readonly own = new Map<number, unknown>()
  private readonly others = new WeakMap<object, number>()
  private count = 0

  /** Whatever was thrown, which may throw once more when it is read. */
  pack(thrown: unknown): Uint8Array<ArrayBuffer> {
    try {
      const comesBack = typeof thrown === 'object' && thrown ? this.others.get(thrown) : undefined
      if (comesBack !== undefined) return packed({ class: 'Error', message: '', comesBack })
      return packed({ ...fieldsOf(thrown), number: this.keep(thrown) })
    } catch {
      return packed({ class: 'Error', message: 'it threw a value that cannot be read' })
    }
  }

  open(bytes: Uint8Array): unknown {
    const fields = unpacked(bytes) as ErrorFields
    const { comesBack, number } = fields
    if (comesBack !== undefined && this.own.has(comesBack)) return this.own.get(comesBack)
    const error = madeOf(fields)
    if (number !== undefined) this.others.set(error, number)
    return error
  }

  private keep(thrown: unknown): number {
    this.count += 1
    this.own.set(this.count, thrown)
    this.own.delete(this.count - keptMax)
    return this.count
  }
}

const classes = { TypeError, RangeError, ReferenceError, SyntaxError, EvalError, URIError } as const

function fieldsOf(thrown: unknown): ErrorFields {
  if (!(thrown instanceof Error)) {
    const isText = typeof thrown === 'string'
    const message = isText ? thrown : `it threw a value of type ${typeof thrown}`
    return { class: 'Error', message: message.slice(0, wordsMax) }
  }
  const message = String(thrown.message).slice(0, wordsMax)
  const stack = String(thrown.stack).slice(0, 4 * wordsMax)
  return { class: classOf(thrown), message, stack, fields: furtherFields(thrown) }
}

function classOf(error: Error): string {
  if (error instanceof Refusal) return 'Refusal'
  if (error instanceof EgressError) return 'EgressError'
  return (
    Object.keys(classes).find((name) => error instanceof classes[name as 'TypeError']) ?? 'Error'
  )
}

function furtherFields(error: Error): Readonly<Record<string, unknown>> {
  if (error instanceof EgressError) return { failure: error.failure }
  if (!(error instanceof Refusal)) return {}
  const { code, param, scope, headers } = error
  return { code, param, scope, headers }
}

function madeOf({ class: name, message, stack, fields = {} }: ErrorFields): Error {
  const error = emptyOf(name, message, fields)
  error.message = message
  if (stack !== undefined) error.stack = stack
  return error
}

/** The words of a refusal were made where it was thrown. */
function emptyOf(name: string, message: string, fields: Readonly<Record<string, unknown>>): Error {
  if (name === 'EgressError') return new EgressError(fields.failure as EgressError['failure'])
  if (name === 'Refusal') {
    const { code, param, scope, headers } = fields as unknown as Refusal
    const details = { param, ...(scope !== undefined && { scope }) }
    return new Refusal(code, details, headers === undefined ? {} : { headers })
  }
  return Object.hasOwn(classes, name)
    ? new classes[name as 'TypeError'](message)
    : new Error(message)
}
