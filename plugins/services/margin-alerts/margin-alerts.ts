/** What others see of notices of margins. */

export interface MarginAlerts {
  /** Looks at today and yesterday (UTC). Runs by itself, callable for tests. */
  look(): Promise<void>
}

declare module '../../../kernel/contract/service.js' {
  interface Services {
    'margin-alerts': MarginAlerts
  }
}
