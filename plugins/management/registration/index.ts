/** Joining by form, codes and links by mail, and addresses people show to be theirs (management/README.md section 3). */

import type { Life } from '../../../kernel/contract/kit.js'
import type { Management } from '../../../kernel/contract/management.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { noData } from '../../../kernel/toolkit/management/index.js'
import { accounts } from './accounts.js'
import { bindForm, challenged, mailRequest, registerForm, resetForm } from './forms.js'
import { createMailCodes } from './mail-codes/index.js'
import { mails } from './mails.js'
import { drawnPassword } from './responses.js'

export default function create({
  services,
  clock,
  log,
}: Kit<
  | 'database'
  | 'secrets'
  | 'schedule'
  | 'options'
  | 'changes'
  | 'identity'
  | 'registration'
  | 'notifications'
  | 'challenge'
  | 'rate-limits'
  | 'guesses'
  | 'verification'
>): Management & Life {
  const codes = createMailCodes({ services, clock, log })
  const { register, reset, bindEmail } = accounts({ ...services, codes })
  const { sendCode, sendReset, settled } = mails({ ...services, codes }, log)

  return {
    routes: {
      register: { query: challenged, body: registerForm, response: noData, handle: register },
      sendCode: { query: mailRequest, response: noData, handle: sendCode },
      sendReset: { query: mailRequest, response: noData, handle: sendReset },
      reset: { body: resetForm, response: drawnPassword, handle: reset },
      bindEmail: { body: bindForm, response: noData, handle: bindEmail },
      bindEmailAlias: { body: bindForm, response: noData, handle: bindEmail },
    },
    start: codes.start,
    async stop() {
      await codes.stop()
      await settled()
    },
  }
}
