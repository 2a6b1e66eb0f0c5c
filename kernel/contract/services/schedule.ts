/** Work that is done again and again. */

export interface Schedule {
  /** Runs every `ms` until stopped, never twice at once; a failure is logged and the next run comes. */
  every(
    name: string,
    ms: number,
    run: () => Promise<void> | void,
  ): { stop(): void; now(): Promise<void> }
  /**
   * The same for a job that one process at a time does, whichever comes first: the others skip their turn while its
   * lease lasts, and take over when its holder is gone.
   */
  everyLeased(
    name: string,
    ms: number,
    run: () => Promise<void> | void,
  ): { stop(): void; now(): Promise<void> }
}
