/**
 * One of the two sides that call each other's functions across threads. A call waits for what it returns, as any function does,
 * so its thread stands still meanwhile; while it waits it serves calls of the other side, which may need them to go on.
 */
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import { type Callable, described, hasFunctions, mirrored } from './description.js'
import { CrossingErrors } from './errors.js'
import type { Call, Description, Message, Outcome, Reference } from './messages.js'
import { joined, Offers, parted } from './offers.js'
import { packed, unpacked } from './values.js'

/** How many messages were sent to each side; the last number is 1 once the thread has ended. */
export const signalsLength = 3
const endedAt = 2
/** A mebibyte of nested values takes a tenth of a second on a slow machine. */
const copyMsPerByte = 100 / 2 ** 20

/** To be called by the thread when it ends, so that nobody waits for it. */
export function signalEnd(signals: Int32Array): void {
  Atomics.store(signals, endedAt, 1)
  Atomics.add(signals, 0, 1)
  Atomics.notify(signals, 0)
}

export interface PeerOptions {
  readonly port: MessagePort
  /** Shared by both sides. */
  readonly signals: Int32Array
  readonly side: 'gateway' | 'thread'
  /** What the other side may call from the start. */
  readonly functions: readonly Callable[]
  /** How long a call may stand still, in milliseconds, beside the time its arguments need to be copied. */
  readonly limitMs: number
  /** What becomes of the other side when it did not return in time, or sent what cannot be read. */
  broken(reason: Error): void
}

/** The other side did not return in time. */
class Overrun extends Error {}

interface Waiting {
  resolve(outcome: Outcome): void
  reject(reason: Error): void
}

export class Peer {
  private readonly own: 0 | 1
  private readonly offers: Offers
  private readonly errors = new CrossingErrors()
  /** Of calls that are waited for: what they returned, or will. */
  private readonly outcomes = new Map<number, Outcome | Promise<Outcome>>()
  private readonly waiting = new Map<number, Waiting>()
  private readonly unheld = new FinalizationRegistry<number>((group) => {
    if (this.end === undefined) this.post({ type: 'dropped', group })
  })
  private calls = 0
  private end: Error | undefined

  constructor(private readonly options: PeerOptions) {
    this.own = options.side === 'gateway' ? 0 : 1
    this.offers = new Offers(options.functions)
    options.port.on('message', (message: Message) => this.takeSafely(message))
  }

  /**
   * Calls a function of the other side and returns what it returns, a promise included. Throws what it throws, and an `Overrun`
   * or the reason of `close` where nothing came back.
   */
  call(to: Reference, given: readonly unknown[]): unknown {
    const { call, size } = this.request(to, given)
    const outcome = this.awaited(call, this.options.limitMs + size * copyMsPerByte)
    return outcome instanceof Promise
      ? outcome.then((settled) => this.opened(settled))
      : this.opened(outcome)
  }

  /** The same without standing still, for what takes its time or begins with the other side. */
  async send(to: Reference, given: readonly unknown[]): Promise<unknown> {
    return this.opened(await this.promised(this.request(to, given).call))
  }

  /** Offers more functions to the other side. Returns their group. */
  offer(functions: readonly Callable[]): number {
    return this.offers.add(functions)
  }

  /** Everything that waits for the other side fails with the reason. */
  close(reason: Error): void {
    if (this.end !== undefined) return
    this.end = reason
    this.options.port.close()
    for (const { reject } of this.waiting.values()) reject(reason)
    this.waiting.clear()
  }

  private request(
    to: Reference,
    given: readonly unknown[],
  ): { readonly call: number; readonly size: number } {
    if (this.end !== undefined) throw this.end
    const { given: plain, functions, paths } = parted(given)
    const bytes = packed(plain)
    const call = ++this.calls
    const group = functions.length > 0 && this.offers.add(functions)
    const size = bytes.length
    this.post({ type: 'call', call, to, bytes, ...(group && { functions: { group, paths } }) })
    return { call, size }
  }

  private promised(call: number): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      this.waiting.set(call, { resolve, reject })
    })
  }

  /** Stands still until the call returned. */
  private awaited(call: number, limitMs: number): Outcome | Promise<Outcome> {
    const { port, signals } = this.options
    const until = performance.now() + limitMs
    for (;;) {
      const seen = Atomics.load(signals, this.own)
      for (let got = receiveMessageOnPort(port); got; got = receiveMessageOnPort(port)) {
        this.take(got.message)
      }
      const outcome = this.outcomes.get(call)
      if (outcome !== undefined) {
        this.outcomes.delete(call)
        return outcome
      }
      if (Atomics.load(signals, endedAt) === 1) throw this.overrun('its thread ended meanwhile')
      const left = until - performance.now()
      if (left <= 0 || Atomics.wait(signals, this.own, seen, left) === 'timed-out') {
        throw this.overrun(`it did not return within ${Math.round(limitMs)} ms`)
      }
    }
  }

  private overrun(why: string): Error {
    const reason = new Overrun(why)
    this.options.broken(reason)
    return reason
  }

  /** Nobody is there to catch what it throws. */
  private takeSafely(message: Message): void {
    try {
      this.take(message)
    } catch (cause) {
      this.options.broken(new Error('its thread sent what cannot be read', { cause }))
    }
  }

  private take(message: Message): void {
    switch (message.type) {
      case 'call':
        this.serve(message)
        return
      case 'returned':
        this.returned(message.call, message.outcome)
        return
      case 'settled':
        this.settle(message.call, message.outcome)
        return
      case 'dropped':
        this.offers.drop(message.group)
    }
  }

  private returned(call: number, outcome: Outcome | 'later'): void {
    if (this.waiting.has(call)) {
      if (outcome !== 'later') this.settle(call, outcome)
      return
    }
    if (outcome !== 'later') {
      this.outcomes.set(call, outcome)
      return
    }
    const later = this.promised(call)
    // Whoever called has it in the same turn.
    later.catch(() => {})
    this.outcomes.set(call, later)
  }

  private settle(call: number, outcome: Outcome): void {
    this.waiting.get(call)?.resolve(outcome)
    this.waiting.delete(call)
  }

  private serve({ call, to, bytes, functions }: Call): void {
    let outcome: Outcome | 'later'
    try {
      const plain = unpacked(bytes) as readonly unknown[]
      const given = functions
        ? joined(plain, functions.paths, this.callables(functions.group))
        : plain
      const result = this.offers.at(to)(...given)
      if (isThenable(result)) {
        outcome = 'later'
        void this.report(call, result)
      } else outcome = this.outcomeOf(result)
    } catch (error) {
      outcome = this.failed(error)
    }
    this.post({ type: 'returned', call, outcome })
  }

  /** Never rejects. */
  private async report(call: number, result: PromiseLike<unknown>): Promise<void> {
    let outcome: Outcome
    try {
      outcome = this.outcomeOf(await result)
    } catch (error) {
      outcome = this.failed(error)
    }
    if (this.end === undefined) this.post({ type: 'settled', call, outcome })
  }

  private failed(error: unknown): Outcome {
    return { kind: 'error', bytes: this.errors.pack(error) }
  }

  private outcomeOf(result: unknown): Outcome {
    if (!hasFunctions(result)) return { kind: 'value', bytes: packed(result) }
    const { description, functions } = described(result, true)
    const bytes = packed(description)
    return { kind: 'object', bytes, group: this.offers.add(functions) }
  }

  private opened(outcome: Outcome): unknown {
    switch (outcome.kind) {
      case 'value':
        return unpacked(outcome.bytes)
      case 'error':
        throw this.errors.open(outcome.bytes)
      case 'object': {
        const functionAt = this.callables(outcome.group)
        return mirrored(unpacked(outcome.bytes) as Description, functionAt)
      }
    }
  }

  /** Functions that call those of a group; the other side gives the group up once none of them is held any more. */
  private callables(group: number): (at: number) => Callable {
    const held = {}
    this.unheld.register(held, group)
    return (at) =>
      (...given) => {
        void held
        return this.call({ group, at }, given)
      }
  }

  private post(message: Message): void {
    const { port, signals } = this.options
    port.postMessage(message, bytesOf(message))
    Atomics.add(signals, 1 - this.own, 1)
    Atomics.notify(signals, 1 - this.own)
  }
}

/** Handed over instead of copied once more. */
function bytesOf(message: Message): ArrayBuffer[] {
  if (message.type === 'call') return [message.bytes.buffer]
  if (message.type === 'dropped' || message.outcome === 'later') return []
  return [message.outcome.bytes.buffer]
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    'then' in value &&
    typeof value.then === 'function'
  )
}
