/**
 * Signing in with any OpenID Connect provider. What it serves is discovered; its id token is checked for issuer,
 * audience, nonce, time and signature. Calls go to the host of the discovery document and to hosts of the settings
 * alone, whatever the document lists: a provider spread over several hosts needs their endpoints named.
 */
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { OutgoingKit } from '../../../kernel/contract/kit.js'
import type {
  AuthorizationRequest,
  OAuthAnswer,
  OAuthIdentity,
  OAuthProvider,
} from '../../../kernel/contract/oauth.js'
import { present, someText } from '../../../kernel/toolkit/json/index.js'
import { type Client, clientFactory } from './client.js'
import { tenantOf } from './entra.js'
import { plainError } from './plain-error.js'

type Tokens = Awaited<ReturnType<Client['openid']['authorizationCodeGrant']>>

interface Person {
  readonly claims: JsonObject
  /** Whose `sub` it is where the issuer has several tenants. */
  readonly tenant?: string
}

export default function create(kit: OutgoingKit): OAuthProvider {
  const { settings, log } = kit
  const client = clientFactory(kit)
  const scopes = () => settings.string('scopes').split(/\s+/).filter(Boolean)

  async function authorize({ state, redirectUri, codeChallenge, nonce }: AuthorizationRequest) {
    const { openid, config } = await client()
    return openid.buildAuthorizationUrl(config, {
      response_type: 'code',
      redirect_uri: redirectUri,
      scope: scopes().join(' '),
      state,
      nonce,
      code_challenge: codeChallenge,
      code_challenge_method: 'S256',
    })
  }

  async function personBehind(answer: OAuthAnswer): Promise<Person> {
    const at = await client()
    const { openid, config, kept } = at
    const { codeVerifier, nonce, state } = answer
    const isOpenId = scopes().includes('openid')
    const tokens = await openid.authorizationCodeGrant(config, addressOf(answer), {
      pkceCodeVerifier: codeVerifier,
      expectedState: state,
      ...(isOpenId && { expectedNonce: nonce, idTokenExpected: true }),
    })
    kept()
    const tenant = tenantOf(tokens.claims() as JsonObject | undefined, tokens.id_token, {
      issuer: config.serverMetadata().issuer,
      wellKnown: settings.string('wellKnown'),
      allowed: tenantsIn(settings.string('tenants')),
      keys: openid.getJwksCache(config)?.jwks.keys ?? [],
    })
    return { claims: await claimsOf(tokens, at), tenant }
  }

  /** Claims of the id token, with what the user info endpoint adds. */
  async function claimsOf(tokens: Tokens, { openid, config }: Client): Promise<JsonObject> {
    const claims = tokens.claims()
    const hasMore = config.serverMetadata().userinfo_endpoint !== undefined
    if (claims !== undefined && !hasMore) return { ...claims } as JsonObject
    const expected = claims?.sub ?? openid.skipSubjectCheck
    const more = openid.fetchUserInfo(config, tokens.access_token, expected)
    if (claims === undefined) return (await more) as JsonObject
    const added = await more.catch((error: unknown) => {
      log.warn(
        { reason: plainError(error).message },
        'the id token is all that is known of somebody',
      )
      return {}
    })
    return { ...added, ...claims } as JsonObject
  }

  async function identify(answer: OAuthAnswer): Promise<OAuthIdentity> {
    if (someText(answer.params.code) === undefined) throw new Error('The provider sent no code.')
    const { claims, tenant } = await personBehind(answer).catch((error: unknown) => {
      throw plainError(error)
    })
    const email = someText(claims.email)
    return present({
      subject: subjectFrom(claims, tenant),
      username: someText(claims.preferred_username) ?? someText(claims.nickname),
      displayName: someText(claims.name),
      email,
      emailVerified: email === undefined ? undefined : claims.email_verified === true,
      claims,
    })
  }

  return {
    authorize: (request) =>
      authorize(request).catch((error: unknown) => {
        throw plainError(error)
      }),
    identify,
    ready: () => settings.string('clientId') !== '' && isHttp(settings.string('wellKnown')),
  }
}

/** What the browser came back to, as the provider made it. */
function addressOf({ redirectUri, params, state }: OAuthAnswer): URL {
  const url = new URL(redirectUri)
  url.searchParams.set('code', params.code ?? '')
  url.searchParams.set('state', state)
  if (params.iss !== undefined) url.searchParams.set('iss', params.iss)
  return url
}

/** What `sub` tells holds within its issuer, so among several tenants the tenant is part of it. */
function subjectFrom({ sub }: JsonObject, tenant?: string): string {
  if (typeof sub === 'string' && sub.trim() !== '') {
    const subject = tenant === undefined ? sub : `${tenant}.${sub}`
    if (subject.length <= 255) return subject
  }
  throw new Error('The provider returned no id of the person.')
}

function tenantsIn(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)
}

function isHttp(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}
