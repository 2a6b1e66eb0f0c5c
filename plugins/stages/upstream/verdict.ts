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

  /** `error`: what it failed with, kept as it is where it carries the failure. */
  fail(failure: Failure, error?: unknown): void {
    if (this.over) return
    this.over = true
    const carries = error instanceof FailureError
    this.reject(carries ? error : new FailureError(failure, undefined, { cause: error }))
    this.abort()
  }
}
