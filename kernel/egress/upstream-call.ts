/**
 * One call to an upstream: undici's dispatch on one side, a promise for the head and a pushing source for the body on
 * the other. Whatever happens, the body is consumed, ended or destroyed, so no socket stays behind (S8).
 */
import type { Dispatcher } from 'undici'
import type { ByteConsumer, ByteSource } from '../contract/bytes.js'
import type { Failure } from '../contract/failure.js'
import type { Clock, Log } from '../contract/kit.js'
import type { EgressReply } from '../contract/services/egress.js'
import { upstreamHeaders } from '../toolkit/endpoint/header-hygiene.js'
import {
  callCancelled,
  type EgressError,
  egressError,
  type Progress,
  unsupportedEncoding,
} from '../toolkit/errors/egress-error.js'
import { faultFields, internalFailure } from '../toolkit/errors/plugin-fault.js'
import { egressLimits } from './limits.js'

export interface CallDependencies {
  readonly clock: Clock
  readonly log: Log
  resolve(reply: EgressReply): void
  reject(error: EgressError): void
}

export class UpstreamCall implements Dispatcher.DispatchHandler, ByteSource {
  declaredBytes: number | undefined
  private controller: Dispatcher.DispatchController | undefined
  private progress: Progress = 'connecting'
  private consumer: ByteConsumer | undefined
  private readonly waiting: Buffer[] = []
  private waitingBytes = 0
  /** The consumer takes data; false between an answer `false` and `resume`. */
  private flowing = false
  private handing = false
  private complete = false
  private broken: Failure | undefined
  /** The last frame was sent, or nobody wants to hear it. */
  private over = false
  private cancelUnconsumed: (() => void) | undefined
  private sentAt = 0

  constructor(private readonly dependencies: CallDependencies) {}

  consume(consumer: ByteConsumer): void {
    if (this.consumer !== undefined) throw new Error('a body has one consumer')
    this.cancelUnconsumed?.()
    this.consumer = consumer
    this.resume()
  }

  resume(): void {
    this.flowing = true
    this.pump()
  }

  abort(): void {
    if (this.over) return
    this.over = true
    this.cancelUnconsumed?.()
    this.waiting.length = 0
    if (this.progress !== 'answered') this.dependencies.reject(callCancelled())
    this.controller?.abort(callCancelled())
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller
    if (this.over) controller.abort(callCancelled())
    else this.progress = 'waiting'
    this.sentAt = this.dependencies.clock.now()
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    if (status < 200 || this.over) return
    if (isCoded(headers['content-encoding'])) {
      this.refuseCoding(controller, status, headers)
      return
    }
    this.progress = 'answered'
    this.declaredBytes = lengthIn(headers['content-length'])
    this.cancelUnconsumed = this.dependencies.clock.after(egressLimits.unconsumedMs, () => {
      this.dependencies.log.warn({ status }, 'an answer nobody read was dropped')
      this.abort()
    })
    const { sentAt } = this
    this.dependencies.resolve({ status, headers: upstreamHeaders(headers), body: this, sentAt })
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    // A parser that is resumed where it was paused begins with nothing: whoever pauses for that would never get on.
    if (this.over || chunk.length === 0) return
    if (this.flowing && this.waiting.length === 0 && this.consumer !== undefined) {
      if (!this.hand(chunk)) controller.pause()
      return
    }
    this.waiting.push(chunk)
    this.waitingBytes += chunk.length
    if (this.waitingBytes >= egressLimits.waitingBytesMax) controller.pause()
  }

  onResponseEnd(): void {
    this.complete = true
    this.controller = undefined
    // What is left lies in memory; no connection waits for the consumer any more.
    this.pump()
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.over) return
    const reported = egressError(error, this.progress)
    if (this.progress !== 'answered') {
      this.over = true
      this.dependencies.reject(reported)
      return
    }
    this.broken = reported.failure
    this.controller = undefined
    this.pump()
  }

  /** Hands over what waits, then the end if it came, else asks for more. Safe to call from within `data`. */
  private pump(): void {
    if (this.handing || this.consumer === undefined) return
    while (this.flowing && this.waiting.length > 0 && !this.over) this.hand(this.waiting.shift()!)
    if (this.over || this.waiting.length > 0) return
    this.waitingBytes = 0
    if (this.broken !== undefined) this.close(this.broken)
    else if (!this.flowing) return
    else if (this.complete) this.close()
    else this.controller?.resume()
  }

  /** A consumer that resumes within its own `data` means it, whatever it answers. */
  private hand(chunk: Buffer): boolean {
    this.handing = true
    this.flowing = false
    try {
      const more = this.consumer!.data(chunk)
      this.flowing ||= more
    } catch (error) {
      this.crash(error)
    } finally {
      this.handing = false
    }
    return this.flowing
  }

  private close(failure?: Failure): void {
    this.over = true
    try {
      if (failure === undefined) this.consumer!.end()
      else this.consumer!.fail(failure)
    } catch (error) {
      this.dependencies.log.error(faultFields(error), 'the reader of an answer failed at its end')
      if (failure === undefined) this.consumer!.fail(internalFailure())
    }
  }

  /** A reader that throws on data is notified that it failed, so that what stands behind it still comes to its end. */
  private crash(error: unknown): void {
    this.dependencies.log.error(faultFields(error), 'the reader of an answer failed')
    if (this.over) return
    this.abort()
    this.consumer!.fail(internalFailure())
  }

  /** Of an error only the status matters; anything else in an unasked coding cannot be used. */
  private refuseCoding(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    this.over = true
    if (status < 300) this.dependencies.reject(unsupportedEncoding())
    else this.dependencies.resolve({ status, headers: upstreamHeaders(headers), body: empty() })
    controller.abort(unsupportedEncoding())
  }
}

function isCoded(coding: string | string[] | undefined): boolean {
  return coding !== undefined && coding !== '' && coding !== 'identity'
}

function empty(): ByteSource {
  return { consume: (consumer) => consumer.end(), resume: () => {}, abort: () => {} }
}

function lengthIn(declared: string | string[] | undefined): number | undefined {
  return typeof declared === 'string' && /^\d{1,15}$/.test(declared) ? Number(declared) : undefined
}
