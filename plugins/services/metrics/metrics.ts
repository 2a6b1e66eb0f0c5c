/** What others see of the metrics: where they are served. */

export interface Metrics {
  /** Address of the listener, which is not the public one. Undefined: metrics are off. */
  address(): string | undefined
}

declare module '../../../kernel/contract/service.js' {
  interface Services {
    metrics: Metrics
  }
}
