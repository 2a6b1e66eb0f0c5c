/**
 * Signing in with any provider of OAuth 2.0 that answers who somebody is in JSON. An admin names its addresses and the
 * members of its answer; each such provider is a copy of this plugin with settings of its own.
 */
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import type { OutgoingKit } from '../../../kernel/contract/kit.js'
import type {
  AuthorizeAsk,
  OAuthAnswer,
  OAuthIdentity,
  OAuthProvider,
} from '../../../kernel/contract/oauth.js'
import { parsedObject, present, someText } from '../../../kernel/wire/fields.js'
import { memberAt } from './member-at.js'
import { tokenRequest } from './token-request.js'

const addresses = ['authorization_endpoint', 'token_endpoint', 'user_info_endpoint']

export default function create({ settings, fetch }: OutgoingKit): OAuthProvider {
  function authorize({ state, redirectUri, codeChallenge }: AuthorizeAsk): URL {
    const url = new URL(settings.string('authorization_endpoint'))
    const fields = {
      response_type: 'code',
      client_id: settings.string('client_id'),
      redirect_uri: redirectUri,
      scope: settings.string('scopes'),
      state,
      code_challenge: codeChallenge,
      code_challenge_method: 'S256',
    }
    for (const [name, value] of Object.entries(fields)) {
      if (value !== '') url.searchParams.set(name, value)
    }
    url.hash = ''
    return url
  }

  async function tokenFor(code: string, answer: OAuthAnswer): Promise<string> {
    const request = tokenRequest(settings, code, answer)
    const response = await fetch(settings.string('token_endpoint'), request)
    const token = someText((await answered(response, 'the code')).access_token)
    if (token === undefined) throw new Error('The provider answered the code without a token.')
    return token
  }

  async function identify(answer: OAuthAnswer): Promise<OAuthIdentity> {
    const code = someText(answer.params.code)
    if (code === undefined) throw new Error('The provider sent no code.')
    const token = await tokenFor(code, answer)
    const response = await fetch(settings.string('user_info_endpoint'), {
      headers: { accept: 'application/json', authorization: `Bearer ${token}` },
    })
    return identityFrom(await answered(response, 'who it is'))
  }

  function identityFrom(claims: JsonObject): OAuthIdentity {
    const at = (field: string) => someText(memberAt(claims, settings.string(field)))
    const email = at('email_field')
    return present({
      subject: subjectFrom(memberAt(claims, settings.string('user_id_field'))),
      username: at('username_field'),
      displayName: at('display_name_field'),
      email,
      emailVerified: email === undefined ? undefined : claims.email_verified === true,
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

/** Some send faults with status 200. Of what they say only a code of a fault is repeated: the rest could be secret. */
async function answered(response: Response, what: string): Promise<JsonObject> {
  const body = parsedObject(await response.text())
  const fault = body?.error
  if (fault !== undefined && fault !== null) {
    const code = typeof fault === 'string' && /^[a-z_]{1,64}$/.test(fault) ? fault : 'no reason'
    throw new Error(`The provider refused ${what}: ${code}.`)
  }
  if (response.ok && body !== undefined) return body
  throw new Error(
    `The provider answered ${what} with status ${response.status} and nothing to read.`,
  )
}

/** A number that lost digits on its way could be somebody else's. */
function subjectFrom(id: Json | undefined): string {
  const text = Number.isSafeInteger(id) ? String(id) : id
  if (typeof text === 'string' && text.trim() !== '' && text.length <= 255) return text
  throw new Error('The provider told no id of the person.')
}
