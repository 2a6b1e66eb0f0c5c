/** Asks for one answer and hands it on as it grows, at most once per frame, so that fast streams do not hold up the page. */
import { readEvents } from '../../api/event-stream.js'
import { ApiFailure } from '../../api/failure.js'
import { chatErrorOf, openChat } from '../../api/playground.js'
import { AnswerDraft } from './answer-draft.js'
import type { Answer, Failure } from './conversation.js'
import { type Exchange, Recorder } from './exchange.js'

export interface Run {
  /** Ends it; what has come stays. */
  stop(): void
  /** Resolves once the last state of the answer is handed on; never rejects. */
  readonly done: Promise<void>
}

export interface RunOptions {
  readonly answer: Answer
  readonly exchange: Exchange
  readonly put: (answer: Answer) => void
}

/** A stream that closed before its terminator (ERR-4). */
export const streamCut = 'stream_cut'
/** An event that is no JSON. */
export const unreadable = 'unreadable'
const terminator = '[DONE]'

export function runAnswer(terms: RunOptions): Run {
  const stopper = new AbortController()
  const growing = new GrowingAnswer(terms)
  return { stop: () => stopper.abort(), done: growing.run(stopper.signal) }
}

class GrowingAnswer {
  private readonly draft = new AnswerDraft()
  private readonly recorder: Recorder
  private readonly startedAt = performance.now()
  private requestId = ''
  private frame = 0

  constructor(private readonly terms: RunOptions) {
    this.recorder = new Recorder(terms.exchange)
  }

  async run(signal: AbortSignal): Promise<void> {
    try {
      const { exchange } = this.terms
      const response = await openChat(exchange.body, exchange.model, signal)
      exchange.status = response.status
      exchange.headers = [...response.headers]
      this.requestId = response.headers.get('x-request-id') ?? ''
      this.end('done', await this.read(response))
    } catch (error) {
      if (signal.aborted) this.end('stopped')
      else this.end('failed', this.failureOf(error))
    }
  }

  private async read(response: Response): Promise<Failure | undefined> {
    const streams = response.headers.get('content-type')?.includes('text/event-stream')
    if (streams && response.body !== null) return this.readStream(response.body)
    const text = await response.text()
    return this.take(text)
  }

  /** The failure the stream ended in, if any. */
  private async readStream(body: ReadableStream<Uint8Array>): Promise<Failure | undefined> {
    for await (const { data } of readEvents(body)) {
      if (data === terminator) {
        this.recorder.take(data, this.ms())
        return undefined
      }
      const failure = this.take(data)
      if (failure !== undefined) return failure
    }
    return cut
  }

  private take(text: string): Failure | undefined {
    const ms = this.ms()
    this.recorder.take(text, ms)
    const value: unknown = JSON.parse(text)
    const error = chatErrorOf(value)
    if (error !== undefined) return { sentence: error.message, code: error.code, status: 0 }
    this.draft.take(value, ms)
    this.frame ||= requestAnimationFrame(() => this.show('running'))
    return undefined
  }

  private end(state: 'done' | 'stopped' | 'failed', failure?: Failure): void {
    this.draft.end(this.ms())
    this.show(failure === undefined ? state : 'failed', failure)
  }

  private show(state: Answer['state'], failure?: Failure): void {
    cancelAnimationFrame(this.frame)
    this.frame = 0
    this.recorder.tell()
    const { text, reasoning, refusal, finish, usage, firstMs, reasoningMs, calls } = this.draft
    const totalMs = state === 'running' ? undefined : this.ms()
    this.terms.put({
      ...this.terms.answer,
      ...{ text, reasoning, refusal, finish, usage, firstMs, reasoningMs, calls },
      ...{ state, failure, totalMs, requestId: this.requestId },
    })
  }

  private failureOf(error: unknown): Failure {
    if (error instanceof SyntaxError) return { ...cut, code: unreadable }
    // The connection broke while the body came.
    if (!(error instanceof ApiFailure)) return cut
    const { message, code, status, retryAfter } = error
    this.requestId = error.requestId ?? ''
    this.terms.exchange.status = status
    const retryAt = retryAfter === undefined ? undefined : Date.now() + retryAfter * 1000
    return { sentence: message, code, status, retryAt }
  }

  private ms(): number {
    return performance.now() - this.startedAt
  }
}

const cut: Failure = { sentence: '', code: streamCut, status: 0 }
