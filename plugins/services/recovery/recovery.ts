/** What others see of the recovery of channels: a run can be asked for. */

export interface Recovery {
  /** Tests what is due and acts on it; who asks during a run waits for that one. Resolves early when the gateway stops. */
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
