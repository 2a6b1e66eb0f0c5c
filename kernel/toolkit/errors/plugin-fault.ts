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
  return isMeant(error) ? error : new PluginFault(plugin, verb, error)
}

function isMeant(error: unknown): boolean {
  return readSafely(
    () => error instanceof Refusal || error instanceof EgressError || error instanceof PluginFault,
    false,
  )
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
/** Frames stand behind the message, which may be as long as it likes. */
const stackMax = 64 * 1024

/** A parser quotes what it could not read, which may be a key or what a client wrote. */
function messageOf(cause: unknown): string {
  return readSafely(() => {
    if (cause instanceof SyntaxError) return 'SyntaxError, whose message quotes what was read'
    if (cause instanceof Error) return String(cause.message || cause.name).slice(0, wordsMax)
    return typeof cause === 'string'
      ? cause.slice(0, wordsMax)
      : `it threw a value of type ${typeof cause}`
  }, 'it threw a value that cannot be read')
}

function furtherCause(cause: unknown): unknown {
  return readSafely(() => {
    return cause instanceof Error && !(cause instanceof SyntaxError) ? cause.cause : undefined
  }, undefined)
}

function framesOf(cause: unknown): string {
  const stack = readSafely(() => (cause instanceof Error ? String(cause.stack ?? '') : ''), '')
  return stack
    .slice(-stackMax)
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .map((line) => `\n${line}`)
    .join('')
}

/** Of what a plugin throws, reading a member may throw once more. */
function readSafely<Value>(read: () => Value, otherwise: Value): Value {
  try {
    return read()
  } catch {
    return otherwise
  }
}
