/** The call that redeems a code; the client shows its secret where the provider looks for it. */
import type { OutgoingRequest, Settings } from '../../../kernel/contract/kit.js'
import type { OAuthAnswer } from '../../../kernel/contract/oauth.js'

export function tokenRequest(
  settings: Settings,
  code: string,
  { redirectUri, codeVerifier }: OAuthAnswer,
): OutgoingRequest {
  const id = settings.string('client_id')
  const secret = settings.string('client_secret')
  const byHeader = settings.string('auth_style') === 'header' && secret !== ''
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: codeVerifier,
  })
  if (!byHeader) form.set('client_id', id)
  if (!byHeader && secret !== '') form.set('client_secret', secret)
  return {
    method: 'POST',
    headers: {
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
      ...(byHeader && { authorization: basic(id, secret) }),
    },
    body: form.toString(),
  }
}

/** Both are written as in a form first (RFC 6749, section 2.3.1). */
function basic(id: string, secret: string): string {
  const pair = `${formWritten(id)}:${formWritten(secret)}`
  return `Basic ${Buffer.from(pair).toString('base64')}`
}

function formWritten(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1)
}
