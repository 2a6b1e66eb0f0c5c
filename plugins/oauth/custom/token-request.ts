/** The call that redeems a code; the client shows its secret where the provider looks for it. */
import type { OutgoingRequest, Settings } from '../../../kernel/contract/kit.js'
import type { OAuthAnswer } from '../../../kernel/contract/oauth.js'
import { basicCredential, tokenForm } from '../../../kernel/toolkit/oauth/index.js'

export function tokenRequest(
  settings: Settings,
  code: string,
  answer: OAuthAnswer,
): OutgoingRequest {
  const id = settings.string('client_id')
  const secret = settings.string('client_secret')
  const byHeader = settings.string('auth_style') === 'header' && secret !== ''
  const form = new URLSearchParams(tokenForm(code, answer))
  if (!byHeader) form.set('client_id', id)
  if (!byHeader && secret !== '') form.set('client_secret', secret)
  return {
    method: 'POST',
    headers: {
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
      ...(byHeader && { authorization: basicCredential(id, secret) }),
    },
    body: form.toString(),
  }
}
