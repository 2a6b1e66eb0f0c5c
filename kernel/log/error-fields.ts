/** An error as log fields: name, message, code and the stack with those of its causes. */

/** Causes followed; a longer chain is cut. */
const causesMax = 4

/** An error whose members throw when they are read is logged as such. */
export function errorFields(error: unknown): unknown {
  try {
    if (!(error instanceof Error)) return error
    const { name, message } = error
    const code = 'code' in error ? error.code : undefined
    return { name, message, code, stack: stackOf(error, 0) }
  } catch {
    return { name: 'Error', message: 'an error that cannot be read' }
  }
}

function stackOf(error: Error, depth: number): string {
  const own = error.stack ?? `${error.name}: ${error.message}`
  if (!(error.cause instanceof Error) || depth === causesMax) return own
  return `${own}\nCaused by: ${stackOf(error.cause, depth + 1)}`
}
