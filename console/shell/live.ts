/**
 * Hears from the gateway that something changed, so that what is shown is read again. One socket for all pages, there
 * while somebody is signed in; without it, as behind a proxy that lets none through, pages read now and then.
 */
import { ref } from 'vue'
import { type LiveMessage, type LiveSocket, openSocket } from './live-socket.js'

export type { LiveMessage } from './live-socket.js'

/** An empty message: something may have changed before the first message. */
type Listener = (message: LiveMessage) => void

export interface LiveOptions {
  /** Called before each further try: false ends them. Rejects where the gateway does not answer. */
  isSignedIn(): Promise<boolean>
  /** News may have been missed meanwhile. */
  back(): void
}

/** Whether changes are announced: pages need not poll then. */
export const isLive = ref(false)

/** Waits double from the first to the last, each shortened by chance so that not all consoles come at once. */
const firstWaitMs = 1_000
const lastWaitMs = 60_000
/** A socket that lasted so long was a good one. */
const steadyMs = 10_000

const untold: LiveMessage = {}

const listeners = new Map<string, Set<Listener>>()
let socket: LiveSocket | undefined
let life: AbortController | undefined

/** Returns a function that stops listening. Before there is a socket, and without one, nothing is received. */
export function listen(path: string, listener: Listener): () => void {
  const of = listeners.get(path) ?? new Set<Listener>()
  if (of.size === 0 && socket !== undefined) void hear(socket, path)
  listeners.set(path, of.add(listener))
  return () => {
    if (!of.delete(listener) || of.size > 0) return
    listeners.delete(path)
    socket?.unsubscribe(path)
  }
}

/** What was read before the first message may be old by now. */
async function hear(of: LiveSocket, path: string): Promise<void> {
  if ((await of.subscribe(path)) && of === socket) heard(path, untold)
}

/** Somebody is signed in. */
export function startLive(terms: LiveOptions): void {
  stopLive()
  life = new AbortController()
  void stayOpen(terms, life.signal)
}

/** Nobody is signed in any more. */
export function stopLive(): void {
  life?.abort()
  life = undefined
}

async function stayOpen(terms: LiveOptions, signal: AbortSignal): Promise<void> {
  let tries = 0
  for (let first = true; ; first = false) {
    const openMs = await oneSocket(signal, (own) => catchUp(own, first, terms))
    if (signal.aborted) return
    if (openMs !== undefined && openMs >= steadyMs) tries = 0
    let answer: boolean | undefined
    do {
      await pause(waitMs(tries), signal)
      tries += 1
      if (signal.aborted) return
      answer = await terms.isSignedIn().catch(() => undefined)
      if (answer === false || signal.aborted) return
    } while (answer === undefined)
  }
}

/** Resolves once it is over, with how long it was open; undefined: it never was. */
async function oneSocket(
  signal: AbortSignal,
  opened: (own: LiveSocket) => unknown,
): Promise<number | undefined> {
  let over: () => void = () => undefined
  const ended = new Promise<void>((resolve) => {
    over = resolve
  })
  let own: LiveSocket
  try {
    own = await openSocket({ heard, over: () => over() })
  } catch {
    return undefined
  }
  const openedAt = performance.now()
  if (signal.aborted) own.close()
  else {
    signal.addEventListener('abort', own.close, { once: true })
    socket = own
    opened(own)
  }
  await ended
  signal.removeEventListener('abort', own.close)
  if (socket === own) {
    socket = undefined
    isLive.value = false
  }
  return performance.now() - openedAt
}

/** Once all subscriptions are active, what was missed until then is read. */
async function catchUp(own: LiveSocket, first: boolean, { back }: LiveOptions): Promise<void> {
  const paths = [...listeners.keys()]
  const admitted = await Promise.all(paths.map((path) => own.subscribe(path)))
  if (own !== socket) return
  isLive.value = true
  if (!first) back()
  else for (const [at, path] of paths.entries()) if (admitted[at]) heard(path, untold)
}

function heard(path: string, message: LiveMessage): void {
  for (const listener of listeners.get(path) ?? []) listener(message)
}

function waitMs(tries: number): number {
  return Math.min(firstWaitMs * 2 ** tries, lastWaitMs) * (0.5 + Math.random() / 2)
}

/** Ends early where nobody waits any more. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
  })
}
