/** What others see of the recovery of channels: a run can be requested. */

export interface Recovery {
  /** Tests what is due and acts on it; callers during a run wait for that one. Resolves early when the gateway stops. */
  run(): Promise<RecoveryReport>
}

export interface RecoveryReport {
  readonly tested: number
  readonly resumed: number
  readonly suspended: number
}

declare module '../../../kernel/contract/service.js' {
  interface Services {
    recovery: Recovery
  }
}
