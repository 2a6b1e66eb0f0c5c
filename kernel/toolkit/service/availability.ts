/** What an error of the database means for the caller: whether it could be reached, and whether to try again. */

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
/** Deadlock, serialisation failure: the transaction was undone and may be run again. */
const undoneStates = new Set(['40P01', '40001'])
/**
 * Classes a sound server answers with when the call itself is at fault: values, constraints, cursors, names, syntax,
 * errors raised by functions. Every other state is about the server.
 */
const faultStates = /^(0A|0B|20|21|22|23|24|26|27|2B|2D|34|3B|42|44|P0)/
/** In a class of faults, though whoever runs the server has to mend it: a right that was taken away. */
const rightsState = '42501'
/** Read-only, refused sign-in, no such database, no room, stopping, input and output, no connections allowed. */
const closedStates = /^(25|28|3D|53|57P|58|55000|42501)/

/** Errors of `pg` and its pool that carry no code. The query builder puts the statement and a dash before them. */
const lostSentences =
  /(?:^| - )(Connection terminated|Client has encountered a connection error|Client was closed|Query read timeout)/
const waitSentences =
  /(?:^| - )(timeout exceeded when trying to connect|timeout expired|Cannot use a pool after calling end)/

/**
 * The database cannot be reached, does not answer in time, or cannot do now what is requested, whatever that is: only
 * a fault of the call itself is none of these. After a lost connection the outcome of the call is unknown: the
 * same keyed call finds it out (P3).
 */
export function isUnavailable(error: unknown): boolean {
  return causes(error).some(
    (each) =>
      isOffline(each) ||
      (isState(each.code) && (each.code === rightsState || !faultStates.test(each.code))),
  )
}

/** Nothing at all can be written for now, by anybody. What else is wrong may be so for one call alone. */
export function isClosed(error: unknown): boolean {
  return causes(error).some(
    (each) => isOffline(each) || (isState(each.code) && closedStates.test(each.code)),
  )
}

/** Proven: a value of the call does not fit (class 22), or a constraint refuses it (class 23). */
export function isFaultOfCall(error: unknown): boolean {
  return causes(error).some(({ code }) => isState(code) && /^2[23]/.test(code))
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

function isOffline(trace: Trace): boolean {
  return (
    isLost(trace) ||
    unreachableCodes.has(trace.code) ||
    waitSentences.test(trace.message) ||
    trace.name === 'KnexTimeoutError'
  )
}

function isLost(trace: Trace): boolean {
  return (
    lostCodes.has(trace.code) || lostStates.test(trace.code) || lostSentences.test(trace.message)
  )
}

/** SQLSTATE; codes of the operating system hold no digit. */
function isState(code: string): boolean {
  return /^(?=.*\d)[0-9A-Z]{5}$/.test(code)
}

/**
 * The error and what it stands for: causes, errors of a database wrapped by the query builder, parts of a group. A call
 * that left the gateway is about another server.
 */
function causes(error: unknown, depth = 0): readonly Trace[] {
  if (!(error instanceof Error) || depth > 4 || error.name === 'EgressError') return []
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
