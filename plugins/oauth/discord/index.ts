/** Signing in with Discord. Its ids are 64 bits wide and come as text; as numbers two of them could become one. */
import type { Json } from '../../../kernel/contract/json.js'
import type { OutgoingKit } from '../../../kernel/contract/kit.js'
import type {
  AuthorizationRequest,
  OAuthAnswer,
  OAuthProvider,
} from '../../../kernel/contract/oauth.js'
import { someText } from '../../../kernel/toolkit/json/index.js'
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
    const app = { clientId: settings.string('clientId'), scope: 'identify email' }
    return authorizeUrl('https://discord.com/oauth2/authorize', app, request)
  }

  async function tokenFor(code: string, answer: OAuthAnswer) {
    const form = new URLSearchParams(tokenForm(code, answer))
    const response = await fetch('https://discord.com/api/oauth2/token', {
      method: 'POST',
      headers: {
        ...requested,
        authorization: basicCredential(
          settings.string('clientId'),
          settings.string('clientSecret'),
        ),
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: form.toString(),
    })
    return grantedToken('Discord', response)
  }

  async function identify(answer: OAuthAnswer) {
    const code = someText(answer.params.code)
    if (code === undefined) throw new Error(`Discord sent no code: ${oauthFault(answer.params)}.`)
    const token = await tokenFor(code, answer)
    const response = await fetch('https://discord.com/api/v10/users/@me', {
      headers: { ...requested, authorization: `Bearer ${token}` },
    })
    const user = await answeredObject('Discord', response, 'who it is')
    const email = someText(user.email)
    return {
      subject: subjectFrom(user.id),
      username: someText(user.username),
      displayName: someText(user.global_name),
      ...(email !== undefined && { email, emailVerified: user.verified === true }),
    }
  }

  return {
    authorize,
    identify,
    ready: () => settings.string('clientId') !== '' && settings.string('clientSecret') !== '',
  }
}

const requested = { accept: 'application/json', 'user-agent': 'waybill' }

function subjectFrom(id: Json | undefined): string {
  if (typeof id === 'string' && /^[1-9]\d{0,19}$/.test(id)) return id
  throw new Error('Discord told no id of the person.')
}
