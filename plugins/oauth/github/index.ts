/** Signing in with GitHub: an OAuth app reads who somebody is, and which address of theirs is confirmed. */
import type { Json } from '../../../kernel/contract/json.js'
import type { OutgoingKit } from '../../../kernel/contract/kit.js'
import type {
  AuthorizationRequest,
  OAuthAnswer,
  OAuthProvider,
} from '../../../kernel/contract/oauth.js'
import { objectsOf, someText } from '../../../kernel/toolkit/json/index.js'
import {
  answeredObject,
  authorizeUrl,
  grantedToken,
  oauthFault,
  tokenForm,
} from '../../../kernel/toolkit/oauth/index.js'

export default function create({ settings, fetch, log }: OutgoingKit): OAuthProvider {
  function authorize(request: AuthorizationRequest): URL {
    const app = { clientId: settings.string('clientId'), scope: 'user:email' }
    return authorizeUrl('https://github.com/login/oauth/authorize', app, request)
  }

  async function tokenFor(code: string, answer: OAuthAnswer) {
    const form = new URLSearchParams({
      ...tokenForm(code, answer),
      client_id: settings.string('clientId'),
      client_secret: settings.string('clientSecret'),
    })
    const response = await fetch('https://github.com/login/oauth/access_token', {
      method: 'POST',
      headers: { ...requested, 'content-type': 'application/x-www-form-urlencoded' },
      body: form.toString(),
    })
    return grantedToken('GitHub', response)
  }

  /** The address people confirmed and read. They may withhold the scope, so a sign-in does without. */
  async function emailFor(headers: Readonly<Record<string, string>>): Promise<string | undefined> {
    const response = await fetch('https://api.github.com/user/emails', { headers })
    if (!response.ok) throw new Error(`GitHub answered addresses with status ${response.status}.`)
    const addresses = objectsOf((await response.json().catch(() => [])) as Json)
    return someText(addresses.find((one) => one.primary === true && one.verified === true)?.email)
  }

  async function identify(answer: OAuthAnswer) {
    const code = someText(answer.params.code)
    if (code === undefined) throw new Error(`GitHub sent no code: ${oauthFault(answer.params)}.`)
    const token = await tokenFor(code, answer)
    const headers = { ...requested, authorization: `Bearer ${token}` }
    const user = await answeredObject(
      'GitHub',
      await fetch('https://api.github.com/user', { headers }),
      'who it is',
    )
    const email = await emailFor(headers).catch((err: unknown) => {
      log.warn({ err }, 'GitHub told no e-mail address')
      return undefined
    })
    return {
      subject: subjectFrom(user.id),
      username: someText(user.login),
      displayName: someText(user.name),
      ...(email !== undefined && { email, emailVerified: true }),
    }
  }

  return {
    authorize,
    identify,
    ready: () => settings.string('clientId') !== '' && settings.string('clientSecret') !== '',
  }
}

/** GitHub refuses calls without a user agent. */
const requested = { accept: 'application/json', 'user-agent': 'waybill' }

/** The number stays when people change their login, and a login that was given up may be taken by others. */
function subjectFrom(id: Json | undefined): string {
  if (Number.isSafeInteger(id) && Number(id) > 0) return String(id)
  throw new Error('GitHub told no id of the person.')
}
