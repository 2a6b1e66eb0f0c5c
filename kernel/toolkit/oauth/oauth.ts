/** What OAuth providers have in common: where they are called, how an app authenticates, and how their answers are read. */
import type { Json, JsonObject } from '../../contract/json.js'
import type { OutgoingKit } from '../../contract/kit.js'
import type { AuthorizationRequest, OAuthAnswer } from '../../contract/oauth.js'
import { parsedObject, someText } from '../json/fields.js'

/** RFC 6749 section 4.1.1 with RFC 7636. An empty scope is left out. */
export function authorizeUrl(
  endpoint: string,
  { clientId, scope }: { readonly clientId: string; readonly scope: string },
  { state, redirectUri, codeChallenge }: AuthorizationRequest,
): URL {
  const url = new URL(endpoint)
  url.hash = ''
  const requested = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    ...(scope !== '' && { scope }),
    state,
    code_challenge: codeChallenge,
    code_challenge_method: 'S256',
  }
  for (const [name, value] of Object.entries(requested)) url.searchParams.set(name, value)
  return url
}

/** The form that turns a code into a token: RFC 6749 section 4.1.3 with RFC 7636. */
export function tokenForm(code: string, { redirectUri, codeVerifier }: OAuthAnswer) {
  return {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: codeVerifier,
  }
}

/** Both are written as in a form first (RFC 6749 section 2.3.1). */
export function basicCredential(id: string, secret: string): string {
  const pair = `${formWritten(id)}:${formWritten(secret)}`
  return `Basic ${Buffer.from(pair).toString('base64')}`
}

function formWritten(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1)
}

/** The object a provider returned. Some report faults with status 200. Throws a sentence for the log that holds no secret. */
export async function answeredObject(
  place: string,
  response: Response,
  what: string,
): Promise<JsonObject> {
  const body = parsedObject(await response.text())
  if (body !== undefined && (body.error ?? null) !== null) {
    throw new Error(`${place} refused ${what}: ${oauthFault(body)}.`)
  }
  if (response.ok && body !== undefined) return body
  throw new Error(`${place} answered ${what} with status ${response.status} and nothing to read.`)
}

/** The access token a place gave for a code. Throws as above. */
export async function grantedToken(place: string, response: Response): Promise<string> {
  const token = someText((await answeredObject(place, response, 'the code')).access_token)
  if (token === undefined) throw new Error(`${place} answered the code without a token.`)
  return token
}

/** Only what is a code of a fault is repeated; anything else could hold a secret. */
export function oauthFault({ error }: JsonObject): string {
  return typeof error === 'string' && /^[a-z_]{1,64}$/.test(error) ? error : 'it gave no reason'
}

/** The id of a person as a number, exact. Throws a sentence for the log where it is none. */
export function numberSubject(place: string, id: Json | undefined): string {
  if (Number.isSafeInteger(id) && Number(id) > 0) return String(id)
  throw new Error(`${place} returned no id of the person.`)
}

/** The same of an id of up to 64 bits, which comes as text: as numbers two of them could become one. */
export function digitsSubject(place: string, id: Json | undefined): string {
  if (typeof id === 'string' && /^[1-9]\d{0,19}$/.test(id)) return id
  throw new Error(`${place} returned no id of the person.`)
}

export interface AppAtPlace {
  /** The name people know the place by, for sentences of the log. */
  readonly place: string
  readonly authorizationEndpoint: string
  readonly tokenEndpoint: string
  /** Absent: none is requested. */
  readonly scope?: string
  /** How the app authenticates: by a basic credential, or by fields of the form (RFC 6749 section 2.3.1). */
  readonly secretIn: 'header' | 'form'
  /** Sent with the call for a token. */
  readonly headers: Readonly<Record<string, string>>
}

/** What a provider does with an app that has one id and one secret, in the settings `clientId` and `clientSecret`. */
export class OAuthApp {
  constructor(
    private readonly app: AppAtPlace,
    private readonly kit: Pick<OutgoingKit, 'settings' | 'fetch'>,
  ) {}

  /** Whether both are set. */
  ready(): boolean {
    return this.id !== '' && this.secret !== ''
  }

  authorize(request: AuthorizationRequest): URL {
    const { authorizationEndpoint, scope = '' } = this.app
    return authorizeUrl(authorizationEndpoint, { clientId: this.id, scope }, request)
  }

  /** The access token for the code of an answer. Throws a sentence for the log where one of them is missing. */
  async token(answer: OAuthAnswer): Promise<string> {
    const { place, tokenEndpoint, headers, secretIn } = this.app
    const code = someText(answer.params.code)
    if (code === undefined) throw new Error(`${place} sent no code: ${oauthFault(answer.params)}.`)
    const { id, secret } = this
    const byHeader = secretIn === 'header'
    const form = {
      ...tokenForm(code, answer),
      ...(!byHeader && { client_id: id, client_secret: secret }),
    }
    const response = await this.kit.fetch(tokenEndpoint, {
      method: 'POST',
      headers: {
        ...headers,
        ...(byHeader && { authorization: basicCredential(id, secret) }),
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams(form).toString(),
    })
    return grantedToken(place, response)
  }

  private get id(): string {
    return this.kit.settings.string('clientId')
  }

  private get secret(): string {
    return this.kit.settings.string('clientSecret')
  }
}
