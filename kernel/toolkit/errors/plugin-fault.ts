/**
 * What a plugin throws or returns against its contract. Its author finds message, stack and plugin in the log; of the
 * request it hit, another channel may still take it, and a client reads no word of it.
 */
import type { Failure } from '../../contract/failure.js'
import { EgressError } from './egress-error.js'
import { Refusal } from './refusal.js'

export class PluginFault extends Error {
  constructor(
    /** Id of the plugin. */
    readonly plugin: string,
    /** Which of its functions, as its contract names it. */
    readonly verb: string,
    cause: unknown,
  ) {
    super(`${plugin} failed in ${verb}: ${messageOf(cause)}`, { cause: furtherCause(cause) })
    this.name = 'PluginFault'
    this.stack = `${this.name}: ${this.message}${framesOf(cause)}`
  }
}

/** What a plugin may throw passes as it is: a refusal, and what its own call to an upstream came to. */
export function faultIn(plugin: string, verb: string, error: unknown): unknown {
  const isMeant =
    error instanceof Refusal || error instanceof EgressError || error instanceof PluginFault
  return isMeant ? error : new PluginFault(plugin, verb, error)
}

/** An error as fields of a log line, with the plugin where one is to blame. */
export function faultFields(error: unknown): object {
  if (!(error instanceof PluginFault)) return { err: error }
  return { err: error, plugin: error.plugin, verb: error.verb }
}

/** Something broke on this side of the call: it proves nothing about the channel, and another one may do better. */
export function internalFailure(): Failure {
  const { code, message, type, param } = new Refusal('internal_error')
  return { blame: 'channel', status: 0, code, message, type, param }
}

const wordsMax = 2000

/** A parser quotes what it could not read, which may be a key or what a client wrote. */
function messageOf(cause: unknown): string {
  if (cause instanceof SyntaxError) return 'SyntaxError, whose message quotes what was read'
  if (cause instanceof Error) return (cause.message || cause.name).slice(0, wordsMax)
  return typeof cause === 'string'
    ? cause.slice(0, wordsMax)
    : `it threw a value of type ${typeof cause}`
}

function furtherCause(cause: unknown): unknown {
  return cause instanceof Error && !(cause instanceof SyntaxError) ? cause.cause : undefined
}

function framesOf(cause: unknown): string {
  const stack = cause instanceof Error ? (cause.stack ?? '') : ''
  return stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .map((line) => `\n${line}`)
    .join('')
}
