/** What others see of codes sent by mail, which show that an address is somebody's. */

export interface MailCodes {
  /**
   * Sends a code, or a link with one, from the outbox. Rejects with `mail_unavailable`, and with `rate_limit_exceeded`
   * within a minute of the last one to this address. A newer one replaces an older.
   */
  send(email: string, purpose: MailPurpose): Promise<void>
  /** Uses the code up. Rejects with `mail_code_invalid`: wrong, used, too late, or tried too often. */
  use(email: string, purpose: MailPurpose, code: string): Promise<void>
}

/** `verification`: 6 digits, 10 minutes, 5 tries. `reset`: a link with a secret, 15 minutes. */
export type MailPurpose = 'verification' | 'reset'

declare module '../../../kernel/contract/service.js' {
  interface Services {
    'mail-codes': MailCodes
  }
}
