/**
 * Signing in with any provider of OAuth 2.0 that answers who somebody is in JSON. An admin names its addresses and the
 * members of its answer; each such provider is a copy of this plugin with settings of its own.
 */
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import type { OutgoingKit } from '../../../kernel/contract/kit.js'
import type {
  AuthorizationRequest,
  OAuthAnswer,
  OAuthIdentity,
  OAuthProvider,
} from '../../../kernel/contract/oauth.js'
import { present, someText } from '../../../kernel/toolkit/json/index.js'
import { answeredObject, authorizeUrl, grantedToken } from '../../../kernel/toolkit/oauth/index.js'
import { memberAt } from './member-at.js'
import { tokenRequest } from './token-request.js'

const addresses = ['authorization_endpoint', 'token_endpoint', 'user_info_endpoint']

export default function create({ settings, fetch }: OutgoingKit): OAuthProvider {
  function authorize(ask: AuthorizationRequest): URL {
    const app = { clientId: settings.string('client_id'), scope: settings.string('scopes') }
    return authorizeUrl(settings.string('authorization_endpoint'), app, ask)
  }

  async function tokenFor(code: string, answer: OAuthAnswer): Promise<string> {
    const request = tokenRequest(settings, code, answer)
    const response = await fetch(settings.string('token_endpoint'), request)
    return grantedToken('The provider', response)
  }

  async function identify(answer: OAuthAnswer): Promise<OAuthIdentity> {
    const code = someText(answer.params.code)
    if (code === undefined) throw new Error('The provider sent no code.')
    const token = await tokenFor(code, answer)
    const response = await fetch(settings.string('user_info_endpoint'), {
      headers: { accept: 'application/json', authorization: `Bearer ${token}` },
    })
    return identityFrom(await answeredObject('The provider', response, 'who it is'))
  }

  function identityFrom(claims: JsonObject): OAuthIdentity {
    const at = (field: string) => someText(memberAt(claims, settings.string(field)))
    const email = at('email_field')
    // The claim speaks of the claim `email` alone: any other member may be what the person typed.
    const isVouched = settings.string('email_field') === 'email' && claims.email_verified === true
    return present({
      subject: subjectFrom(memberAt(claims, settings.string('user_id_field'))),
      username: at('username_field'),
      displayName: at('display_name_field'),
      email,
      emailVerified: email === undefined ? undefined : isVouched,
      claims,
    })
  }

  return {
    authorize,
    identify,
    ready: () =>
      settings.string('client_id') !== '' &&
      settings.string('user_id_field') !== '' &&
      addresses.every((name) => isHttp(settings.string(name))),
  }
}

function isHttp(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}

/** A number that lost digits on its way could be somebody else's. */
function subjectFrom(id: Json | undefined): string {
  const text = Number.isSafeInteger(id) ? String(id) : id
  if (typeof text === 'string' && text.trim() !== '' && text.length <= 255) return text
  throw new Error('The provider returned no id of the person.')
}
