/** An error as log fields: name, message, code and the stack with those of its causes. */

/** Causes followed; a longer chain is cut. */
const causesMax = 4

export function errorFields(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { name, message } = error
  return { name, message, code: 'code' in error ? error.code : undefined, stack: stackOf(error, 0) }
}

function stackOf(error: Error, depth: number): string {
  const own = error.stack ?? `${error.name}: ${error.message}`
  if (!(error.cause instanceof Error) || depth === causesMax) return own
  return `${own}\nCaused by: ${stackOf(error.cause, depth + 1)}`
}
