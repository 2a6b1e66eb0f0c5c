/**
 * The OpenID Connect plugin with Microsoft Entra's endpoints of many tenants, under the conformance kit: a strict provider
 * in the shape of Microsoft's documents, whose tokens are wrong in one thing each.
 */
import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import t from 'tap'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { OAuthAnswer } from '../../../kernel/contract/oauth.js'
import create from '../../../plugins/oauth/oidc/index.js'
import {
  conformingOAuth,
  type OAuthRefusal,
  type OAuthSignIn,
  type OAuthSubject,
} from '../../conformance/oauth.js'
import type { OutgoingCall } from '../../conformance/outgoing.js'
import { manifestText } from './recorded.js'

const origin = 'https://login.microsoftonline.com'
const template = `${origin}/{tenantid}/v2.0`
const tenant = 'aaaabbbb-0000-cccc-1111-dddd2222eeee'
const other = '8eaef023-2b34-4da1-9baa-8bc8c9d6a490'
const personal = '9188040d-6c67-4c5b-b112-36a304b66dad'
const now = Date.UTC(2026, 0, 1)

const keys = {
  shared: { ...generateKeyPairSync('rsa', { modulusLength: 2048 }), issuer: template },
  personal: {
    ...generateKeyPairSync('rsa', { modulusLength: 2048 }),
    issuer: `${origin}/${personal}/v2.0`,
  },
  unnamed: { ...generateKeyPairSync('rsa', { modulusLength: 2048 }), issuer: undefined },
}

const settingsFor = (place: string, more: JsonObject = {}): JsonObject => ({
  enabled: true,
  clientId: 'client-7',
  clientSecret: 'oidc-secret-4Hq2Zk0Jx4NvB1mWc8',
  wellKnown: `${origin}/${place}/v2.0/.well-known/openid-configuration`,
  ...more,
})

/** As https://login.microsoftonline.com/common/v2.0/.well-known/openid-configuration has it. */
const documentOf = (place: string): JsonObject => ({
  token_endpoint: `${origin}/${place}/oauth2/v2.0/token`,
  token_endpoint_auth_methods_supported: [
    'client_secret_post',
    'private_key_jwt',
    'client_secret_basic',
  ],
  jwks_uri: `${origin}/${place}/discovery/v2.0/keys`,
  response_modes_supported: ['query', 'fragment', 'form_post'],
  subject_types_supported: ['pairwise'],
  id_token_signing_alg_values_supported: ['RS256'],
  response_types_supported: ['code', 'id_token', 'code id_token', 'id_token token'],
  scopes_supported: ['openid', 'profile', 'email', 'offline_access'],
  issuer: template,
  authorization_endpoint: `${origin}/${place}/oauth2/v2.0/authorize`,
  userinfo_endpoint: 'https://graph.microsoft.com/oidc/userinfo',
})

interface Bend {
  readonly place?: string
  readonly document?: JsonObject
  readonly claims?: JsonObject
  readonly without?: string
  readonly key?: keyof typeof keys
  readonly kid?: string | null
  readonly noIdToken?: boolean
}

function provider(bend: Bend = {}): OAuthSignIn['upstream'] {
  const { place = 'common' } = bend
  return ({ url }: OutgoingCall, answer: OAuthAnswer) => {
    if (url.origin !== origin) return undefined
    switch (url.pathname) {
      case `/${place}/v2.0/.well-known/openid-configuration`:
        return { json: { ...documentOf(place), ...bend.document } }
      case `/${place}/oauth2/v2.0/token`: {
        const token = { access_token: 'at-conformance-81726354', token_type: 'Bearer' }
        return { json: bend.noIdToken ? token : { ...token, id_token: idToken(answer, bend) } }
      }
      case `/${place}/discovery/v2.0/keys`:
        return { json: { keys: Object.entries(keys).map(publicKey) } }
      default:
        return undefined
    }
  }
}

function publicKey([kid, { publicKey: key, issuer }]: [string, (typeof keys)[keyof typeof keys]]) {
  const own: JsonObject = issuer === undefined ? {} : { issuer }
  return { ...(key.export({ format: 'jwk' }) as JsonObject), use: 'sig', kid, ...own }
}

function idToken({ nonce }: OAuthAnswer, bend: Bend): string {
  const { [bend.without ?? '']: _, ...claims } = {
    ver: '2.0',
    iss: `${origin}/${tenant}/v2.0`,
    aud: 'client-7',
    sub: 'AAAA-sub-7',
    tid: tenant,
    iat: now / 1000,
    nbf: now / 1000,
    exp: now / 1000 + 300,
    name: 'Ada L.',
    preferred_username: 'ada@house.example',
    email: 'ada@house.example',
    nonce,
    ...bend.claims,
  } as JsonObject
  const { key = 'shared', kid = key } = bend
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const header = { typ: 'JWT', alg: 'RS256', ...(kid !== null && { kid }) }
  const text = `${part(header)}.${part(claims)}`
  const pem = createPrivateKey(keys[key].privateKey.export({ type: 'pkcs8', format: 'pem' }))
  return `${text}.${sign('sha256', Buffer.from(text), pem).toString('base64url')}`
}

/** A whole token of this tenant. */
const ofTenant = (tid: string): JsonObject => ({ tid, iss: `${origin}/${tid}/v2.0` })

const refused = (name: string, bend: Bend, message?: RegExp, over: Partial<OAuthRefusal> = {}) => ({
  name,
  upstream: provider(bend),
  ...(message && { message }),
  ...over,
})

const subject: OAuthSubject = {
  manifest: manifestText('oidc'),
  create,
  clientId: 'client-7',
  settings: settingsFor('common'),
  signIns: [
    {
      name: 'somebody of a tenant',
      upstream: provider(),
      identity: {
        subject: `${tenant}.AAAA-sub-7`,
        username: 'ada@house.example',
        displayName: 'Ada L.',
        email: 'ada@house.example',
        emailVerified: false,
      },
    },
    {
      name: 'the same sub in another tenant is somebody else',
      upstream: provider({ claims: ofTenant(other) }),
      identity: { subject: `${other}.AAAA-sub-7` },
    },
    {
      name: 'a personal account',
      upstream: provider({ claims: ofTenant(personal), key: 'personal' }),
      identity: { subject: `${personal}.AAAA-sub-7` },
    },
  ],
  refusals: [
    refused('another tenant than its issuer', { claims: { tid: other } }),
    refused('an issuer of another host', {
      claims: { iss: `https://login.microsoftonline.us/${tenant}/v2.0` },
    }),
    refused('an issuer of another place here', { claims: { iss: `${origin}/${tenant}/v1.0` } }),
    refused('the template itself', { claims: { iss: template } }),
    refused('no tenant', { without: 'tid' }),
    refused(
      'no tenant, and an issuer that fits',
      { without: 'tid', claims: { iss: `${origin}/undefined/v2.0` } },
      /names no tenant/,
    ),
    ...['house.example', 'common', '', `${tenant}/x`, '{tenantid}', tenant.toUpperCase()].map(
      (tid) => refused(`a tenant that is no id: ${tid}`, { claims: ofTenant(tid) }, /no tenant/),
    ),
    refused('a tenant that would be read as a pattern', { claims: ofTenant('$&') }),
    refused('a tenant that is a number', { claims: { tid: 7, iss: `${origin}/7/v2.0` } }),
    refused('a key of another issuer', { key: 'personal' }, /signed by a key of another issuer/),
    refused('a key of no issuer', { key: 'unnamed' }, /signed by a key of another issuer/),
    refused('a key that is not named', { kid: null }),
    refused('another key than is named', { key: 'personal', kid: 'shared' }),
    refused('another audience', { claims: { aud: 'client-8' } }),
    refused('another nonce', { claims: { nonce: 'another' } }, /nonce/),
    refused('an expired id token', { claims: { exp: now / 1000 - 60 } }),
    refused('no subject', { without: 'sub' }),
    refused('an empty subject', { claims: { sub: '' } }),
    refused('no id token though openid was requested', { noIdToken: true }),
    refused('no id token since openid was not requested', { noIdToken: true }, /names no tenant/, {
      settings: settingsFor('common', { scopes: 'profile' }),
    }),
    refused('a document of another template', {
      document: { issuer: 'https://evil.example/{tenantid}/v2.0' },
    }),
    refused(
      'a document of the template at another place',
      { place: 'consumers' },
      /not at its address/,
      { settings: settingsFor('consumers') },
    ),
    refused(
      'the template at another host',
      {},
      /not at its address/,
      elsewhere('https://evil.example'),
    ),
    refused(
      'a tenant that is not on the list',
      { claims: ofTenant(other) },
      /People of this tenant may not sign in/,
      { settings: settingsFor('common', { tenants: tenant }) },
    ),
    refused(
      'a personal account where organizations are asked for',
      { place: 'organizations', claims: ofTenant(personal), key: 'personal' },
      /of no organization/,
      { settings: settingsFor('organizations') },
    ),
  ],
  optional: ({ url }) => url.pathname === '/oidc/userinfo',
}

/** The documents of Entra, served by another host. */
function elsewhere(host: string): Partial<OAuthRefusal> {
  return {
    settings: settingsFor('common', {
      wellKnown: `${host}/common/v2.0/.well-known/openid-configuration`,
    }),
    upstream: ({ url }) =>
      url.pathname.endsWith('openid-configuration') ? { json: documentOf('common') } : undefined,
  }
}

conformingOAuth((title, run) => t.test(title, async () => run()), subject)

conformingOAuth((title, run) => t.test(`organizations: ${title}`, async () => run()), {
  ...subject,
  settings: settingsFor('organizations', { tenants: `${other.toUpperCase()}, ${tenant}` }),
  signIns: [
    {
      name: 'a tenant on the list',
      upstream: provider({ place: 'organizations' }),
      identity: { subject: `${tenant}.AAAA-sub-7` },
    },
  ],
  refusals: [],
})

const own = `${origin}/${tenant}/v2.0`
const ofOne: Bend = { place: tenant, document: { issuer: own } }

conformingOAuth((title, run) => t.test(`one tenant: ${title}`, async () => run()), {
  ...subject,
  settings: settingsFor(tenant),
  signIns: [{ name: 'a sign-in', upstream: provider(ofOne), identity: { subject: 'AAAA-sub-7' } }],
  refusals: [
    refused('the template at the place of one tenant', { place: tenant }, /not at its address/),
    refused('another tenant', { ...ofOne, claims: ofTenant(other) }),
    refused('a tenant that is not on the list', ofOne, /may not sign in/, {
      settings: settingsFor(tenant, { tenants: other }),
    }),
  ],
})
