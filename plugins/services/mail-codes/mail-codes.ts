/** What others see of codes sent by mail, which show that an address is somebody's. */

export interface MailCodes {
  /** Sends a code, or a link with one, from the outbox. Rejects with `mail_unavailable`. A newer one replaces an older. */
  send(email: string, purpose: MailPurpose): Promise<void>
  /** Uses the code up. Rejects with `mail_code_invalid`: wrong, used, too late, or tried too often. */
  use(email: string, purpose: MailPurpose, code: string): Promise<void>
}

/** `verification`: 6 digits, 10 minutes. `reset`: a link with a secret, 15 minutes. */
export type MailPurpose = 'verification' | 'reset'

declare module '../../../kernel/contract/service.js' {
  interface Services {
    'mail-codes': MailCodes
  }
}
