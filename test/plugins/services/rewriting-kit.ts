/** Documents read and applied as a stage does, for tests of their words. */
import type { JsonObject } from '../../../kernel/contract/json.js'
import create, {
  type OverrideContext,
  type Overriding,
} from '../../../plugins/services/rewriting/index.js'

export const rewriting = create()

export function context(over: Partial<OverrideContext> = {}): OverrideContext {
  return {
    model: 'asked-for',
    upstreamModel: 'mapped-to',
    requestPath: '/v1/chat/completions',
    retryIndex: 0,
    clientHeaders: {},
    headers: {},
    ...over,
  }
}

export function apply(
  document: JsonObject,
  wire: JsonObject,
  over?: Partial<OverrideContext>,
): Overriding {
  return rewriting.override(document).apply(wire, context(over))
}

/** One operation on a body; an answer in the upstream's place is an error of the test. */
export function operate(
  operation: JsonObject | readonly JsonObject[],
  wire: JsonObject,
  over?: Partial<OverrideContext>,
) {
  const operations = Array.isArray(operation) ? operation : [operation as JsonObject]
  const done = apply({ operations }, wire, over)
  if ('failure' in done) throw new Error(`it answered ${done.failure.message}`)
  return done
}

/** What is stated of a document that cannot be read; undefined: it can. */
export function faultOf(read: () => unknown): string | undefined {
  try {
    read()
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}
