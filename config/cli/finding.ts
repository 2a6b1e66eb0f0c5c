/** One line of `waybill plugin check`. */
export interface Finding {
  readonly level: 'ok' | 'warning' | 'fault'
  /** A sentence. */
  readonly text: string
}
