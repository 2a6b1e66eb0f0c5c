/** Why the gateway refused or failed, in its own words. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure'

  constructor(
    message: string,
    /** HTTP status; 0: no answer came. */
    readonly status: number,
    /** Code of the error catalogue; empty: none was given. */
    readonly code: string,
    /** The field of the request that is at fault. */
    readonly field?: string,
    /** Seconds to wait before the next try (LIMIT-8). */
    readonly retryAfter?: number,
    /** Of `verification_required`: what has to be proved. */
    readonly scope?: string,
    /** By which the gateway's log knows the request. */
    readonly requestId?: string,
    /** Of `work_required`: the puzzle to be solved. */
    readonly puzzle?: string,
  ) {
    super(message)
  }

  /** The session is over, or there never was one. */
  get signedOut(): boolean {
    return this.status === 401
  }
}

/** Words for whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
