/** Signing in with LINUX DO, a forum that reports how far it trusts a member: an admin may require a level. */
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import type { OutgoingKit } from '../../../kernel/contract/kit.js'
import type {
  AuthorizationRequest,
  OAuthAnswer,
  OAuthProvider,
} from '../../../kernel/contract/oauth.js'
import { numberOf, someText } from '../../../kernel/toolkit/json/index.js'
import {
  answeredObject,
  authorizeUrl,
  basicCredential,
  grantedToken,
  oauthFault,
  tokenForm,
} from '../../../kernel/toolkit/oauth/index.js'

export default function create({ settings, fetch }: OutgoingKit): OAuthProvider {
  function authorize(request: AuthorizationRequest): URL {
    const app = { clientId: settings.string('clientId'), scope: '' }
    return authorizeUrl('https://connect.linux.do/oauth2/authorize', app, request)
  }

  async function tokenFor(code: string, answer: OAuthAnswer) {
    const form = new URLSearchParams(tokenForm(code, answer))
    const response = await fetch('https://connect.linux.do/oauth2/token', {
      method: 'POST',
      headers: {
        accept: 'application/json',
        authorization: basicCredential(
          settings.string('clientId'),
          settings.string('clientSecret'),
        ),
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: form.toString(),
    })
    return grantedToken('LINUX DO', response)
  }

  function admit({ active, silenced, trust_level }: JsonObject): number {
    if (active !== true) throw new Error('This account of LINUX DO is not active.')
    if (silenced === true) throw new Error('This account of LINUX DO is silenced.')
    const level = numberOf(trust_level)
    if (level === undefined) throw new Error('LINUX DO told no trust level of the person.')
    const least = settings.number('minimumTrustLevel')
    if (level >= least) return level
    throw new Error(`This account of LINUX DO has the trust level ${level}; ${least} is needed.`)
  }

  async function identify(answer: OAuthAnswer) {
    const code = someText(answer.params.code)
    if (code === undefined) throw new Error(`LINUX DO sent no code: ${oauthFault(answer.params)}.`)
    const token = await tokenFor(code, answer)
    const response = await fetch('https://connect.linux.do/api/user', {
      headers: { accept: 'application/json', authorization: `Bearer ${token}` },
    })
    const user = await answeredObject('LINUX DO', response, 'who it is')
    return {
      subject: subjectFrom(user.id),
      username: someText(user.username),
      displayName: someText(user.name),
      claims: { trust_level: admit(user) },
    }
  }

  return {
    authorize,
    identify,
    ready: () => settings.string('clientId') !== '' && settings.string('clientSecret') !== '',
  }
}

function subjectFrom(id: Json | undefined): string {
  if (Number.isSafeInteger(id) && Number(id) > 0) return String(id)
  throw new Error('LINUX DO told no id of the person.')
}
