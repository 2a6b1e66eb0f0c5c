/** The first of several outcomes of one call: opened, failed, timed out, abandoned. Later ones are ignored. */
import type { Failure } from '../../../kernel/contract/failure.js'
import { FailureError } from './failure-error.js'

export class Verdict<T> {
  readonly reached: Promise<T>
  over = false
  private resolve: (value: T) => void = () => {}
  private reject: (error: Error) => void = () => {}

  /** `abort` ends the call when the outcome is a failure. */
  constructor(private readonly abort: () => void) {
    this.reached = new Promise((resolve, reject) => {
      this.resolve = resolve
      this.reject = reject
    })
  }

  pass(value: T): void {
    if (this.over) return
    this.over = true
    this.resolve(value)
  }

  /** `cause` is for the log. */
  fail(failure: Failure, cause?: unknown): void {
    if (this.over) return
    this.over = true
    this.reject(new FailureError(failure, { cause }))
    this.abort()
  }
}
