/** What an error of the database means for the one who asked: whether it could be reached, and whether to ask again. */

const unreachableCodes = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
])
const lostCodes = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT'])

/** Class 08: connection; 57P01 to 57P05: the server stops, starts or ended an idle session. */
const lostStates = /^(08...|57P0[1-5])$/
/** 53300: too many connections; 57014: the statement ran out of time. */
const busyStates = new Set(['53300', '57014'])
/** Deadlock, serialisation failure: the transaction was undone and may be run again. */
const undoneStates = new Set(['40P01', '40001'])

/** Errors of `pg` and its pool that carry no code. The query builder puts the statement and a dash before them. */
const lostSentences =
  /(?:^| - )(Connection terminated|Client has encountered a connection error|Client was closed|Query read timeout)/
const waitSentences =
  /(?:^| - )(timeout exceeded when trying to connect|timeout expired|Cannot use a pool after calling end)/

/**
 * The database cannot be reached, has no room or does not answer in time. After a lost connection the outcome of
 * what was asked is unknown: the same keyed call tells (failures.md P3).
 */
export function isUnavailable(error: unknown): boolean {
  return causes(error).some(
    (each) =>
      isLost(each) ||
      unreachableCodes.has(each.code) ||
      busyStates.has(each.code) ||
      waitSentences.test(each.message) ||
      each.name === 'KnexTimeoutError',
  )
}

/** The same call may succeed at once: it was undone by the server, or its connection was lost on the way. */
export function isRetryable(error: unknown): boolean {
  return causes(error).some((each) => undoneStates.has(each.code) || isLost(each))
}

interface Trace {
  readonly name: string
  readonly code: string
  readonly message: string
}

function isLost(trace: Trace): boolean {
  return (
    lostCodes.has(trace.code) || lostStates.test(trace.code) || lostSentences.test(trace.message)
  )
}

/** The error and what it stands for: causes, errors of a database wrapped by the query builder, parts of a group. */
function causes(error: unknown, depth = 0): readonly Trace[] {
  if (!(error instanceof Error) || depth > 4) return []
  // Drivers, query builders and groups of errors hang these onto an error; not all of them can be enumerated.
  const code: unknown = Reflect.get(error, 'code')
  const nativeError: unknown = Reflect.get(error, 'nativeError')
  const errors: unknown = Reflect.get(error, 'errors')
  const own = {
    name: error.name,
    code: typeof code === 'string' ? code : '',
    message: error.message,
  }
  const behind = [error.cause, nativeError, ...(Array.isArray(errors) ? errors : [])]
  return [own, ...behind.flatMap((each) => causes(each, depth + 1))]
}
