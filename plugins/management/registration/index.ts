/** Joining by form, codes and links by mail, and addresses people show to be theirs (management/README.md section 3). */

import type { Life } from '../../../kernel/contract/kit.js'
import type { Management } from '../../../kernel/contract/management.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { accounts } from './accounts.js'
import { bindForm, challenged, mailRequest, registerForm, resetForm } from './forms.js'
import { mails } from './mails.js'

export default function create({
  services,
  log,
}: Kit<
  | 'database'
  | 'changes'
  | 'identity'
  | 'registration'
  | 'mail-codes'
  | 'notifications'
  | 'challenge'
  | 'rate-limits'
  | 'guesses'
  | 'verification'
>): Management & Life {
  const { register, reset, bindEmail } = accounts(services)
  const { sendCode, sendReset, settled } = mails(services, log)

  return {
    routes: {
      register: { query: challenged, body: registerForm, handle: register },
      sendCode: { query: mailRequest, handle: sendCode },
      sendReset: { query: mailRequest, handle: sendReset },
      reset: { body: resetForm, handle: reset },
      bindEmail: { body: bindForm, handle: bindEmail },
      bindEmailAlias: { body: bindForm, handle: bindEmail },
    },
    stop: settled,
  }
}
