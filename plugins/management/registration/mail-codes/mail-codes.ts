/** What others see of codes sent by mail, which show that an address is somebody's. */
import type { NoticeLanguage } from '../../../../kernel/toolkit/notifier/index.js'

export interface MailCodes {
  /**
   * Sends a code, or a link with one, from the outbox. While one is valid the same is sent again, at most three times and
   * not within a minute: in between nothing is sent, since it lies in the mailbox already. Rejects with
   * `mail_unavailable`. Without a `language` the mail is in that of the option `NoticeLanguage`.
   */
  send(email: string, purpose: MailPurpose, language?: NoticeLanguage): Promise<void>
  /** Uses the code up. Rejects with `mail_code_invalid`: wrong, used or too late. */
  use(email: string, purpose: MailPurpose, code: string): Promise<void>
}

/** `verification`: 8 letters and digits, 10 minutes. `reset`: a link with a secret, 15 minutes. */
export type MailPurpose = 'verification' | 'reset'
