/** The OpenID Connect plugin under the conformance kit, its provider signing id tokens as reported. */
import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import t from 'tap'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { OAuthAnswer } from '../../../kernel/contract/oauth.js'
import create from '../../../plugins/oauth/oidc/index.js'
import { conformingOAuth, type OAuthRefusal, type OAuthSignIn } from '../../conformance/oauth.js'
import type { OutgoingCall, ScriptedAnswer } from '../../conformance/outgoing.js'

const issuer = 'https://id.example'
const now = Date.UTC(2026, 0, 1)
const own = generateKeyPairSync('rsa', { modulusLength: 2048 })
const foreign = generateKeyPairSync('rsa', { modulusLength: 2048 })

const settings: JsonObject = {
  enabled: true,
  clientId: 'client-7',
  clientSecret: 'oidc-secret-4Hq2Zk0Jx4NvB1mWc8',
  wellKnown: `${issuer}/.well-known/openid-configuration`,
}

const document = {
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  userinfo_endpoint: `${issuer}/me`,
  jwks_uri: `${issuer}/jwks`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
  token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
}

const claimsOf = ({ nonce }: OAuthAnswer): JsonObject => ({
  iss: issuer,
  aud: 'client-7',
  sub: 'user-7',
  iat: now / 1000,
  exp: now / 1000 + 300,
  nonce,
})

interface Bend {
  readonly document?: JsonObject
  readonly claims?: JsonObject
  readonly without?: string
  readonly key?: typeof own
  readonly alg?: string
  readonly noIdToken?: boolean
  readonly me?: ScriptedAnswer
}

/** The provider as it should be, but for one thing. */
function provider(bend: Bend = {}): OAuthSignIn['upstream'] {
  return ({ url }: OutgoingCall, answer: OAuthAnswer) => {
    switch (url.pathname) {
      case '/.well-known/openid-configuration':
        return { json: { ...document, ...bend.document } }
      case '/token': {
        const { [bend.without ?? '']: _, ...claims } = { ...claimsOf(answer), ...bend.claims }
        const token = { access_token: 'at-conformance-81726354', token_type: 'Bearer' }
        return { json: bend.noIdToken ? token : { ...token, id_token: jwt(claims, bend) } }
      }
      case '/jwks':
        return { json: { keys: [{ ...own.publicKey.export({ format: 'jwk' }), kid: 'one' }] } }
      default:
        return bend.me ?? { json: { sub: 'user-7', name: 'Ada L.', email: 'ada@example.com' } }
    }
  }
}

function jwt(claims: JsonObject, { key = own, alg = 'RS256' }: Bend): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const text = `${part({ alg, kid: 'one' })}.${part(claims)}`
  const pem = createPrivateKey(key.privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const signature =
    alg === 'none' ? '' : sign('sha256', Buffer.from(text), pem).toString('base64url')
  return `${text}.${signature}`
}

const refused = (name: string, bend: Bend, over: Partial<OAuthRefusal> = {}): OAuthRefusal => ({
  name,
  upstream: provider(bend),
  ...over,
})

conformingOAuth((title, run) => t.test(title, async () => run()), {
  manifest: readFileSync(
    new URL('../../../plugins/oauth/oidc/manifest.json', import.meta.url),
    'utf8',
  ),
  create,
  clientId: 'client-7',
  settings,
  signIns: [
    {
      name: 'id token and user info',
      upstream: provider(),
      identity: {
        subject: 'user-7',
        displayName: 'Ada L.',
        email: 'ada@example.com',
        emailVerified: false,
      },
    },
    {
      name: 'the id token stands before the user info',
      upstream: provider({
        claims: { email: 'own@example.com', email_verified: true },
        me: { json: { sub: 'user-7', email: 'other@example.com', preferred_username: 'ada' } },
      }),
      identity: {
        subject: 'user-7',
        username: 'ada',
        email: 'own@example.com',
        emailVerified: true,
      },
    },
    {
      name: 'a provider without user info',
      upstream: provider({ document: { userinfo_endpoint: undefined } as never }),
      identity: { subject: 'user-7' },
    },
    {
      name: 'the user info of somebody else is not taken',
      upstream: provider({ me: { json: { sub: 'user-8', email: 'eve@example.com' } } }),
      identity: { subject: 'user-7', email: undefined },
    },
  ],
  refusals: [
    refused('another nonce', { claims: { nonce: 'another' } }, { message: /nonce/ }),
    refused('no nonce', { without: 'nonce' }),
    refused('another issuer', { claims: { iss: 'https://evil.example' } }),
    refused('another audience', { claims: { aud: 'client-8' } }),
    refused('several audiences', { claims: { aud: ['client-7', 'client-8'], azp: 'client-8' } }),
    refused('an id token that has expired', { claims: { exp: now / 1000 - 60 } }),
    refused('an id token without a subject', { without: 'sub' }),
    refused('an empty subject', { claims: { sub: '' } }),
    refused('a subject that is a number', { claims: { sub: 7 } }),
    refused('a foreign signature', { key: foreign }),
    refused('no signature', { alg: 'none' }),
    refused('no id token though openid was requested', { noIdToken: true }),
    refused('a document of another issuer', { document: { issuer: 'https://evil.example' } }),
    refused('a document of another issuer at this host', { document: { issuer: `${issuer}/t` } }),
    refused('a token endpoint elsewhere', {
      document: { token_endpoint: 'https://evil.example/token' },
    }),
    refused('signing keys elsewhere', { document: { jwks_uri: 'https://evil.example/jwks' } }),
    refused('a state of another sign-in', {}, { params: { iss: 'https://evil.example' } }),
    refused(
      'user info of nobody',
      { noIdToken: true, me: { json: { name: 'Ada' } } },
      {
        settings: { ...settings, scopes: 'profile' },
      },
    ),
  ],
  optional: ({ url }) => url.pathname === '/me',
})

t.test('without the scope openid the user info alone states who it is', async () => {
  conformingOAuth((title, run) => t.test(`user info: ${title}`, async () => run()), {
    manifest: readFileSync(
      new URL('../../../plugins/oauth/oidc/manifest.json', import.meta.url),
      'utf8',
    ),
    create,
    clientId: 'client-7',
    settings: { ...settings, scopes: 'profile' },
    signIns: [
      {
        name: 'user info',
        upstream: provider({ noIdToken: true }),
        identity: { subject: 'user-7', displayName: 'Ada L.' },
      },
    ],
    refusals: [],
    subjectAt: { call: ({ url }) => url.pathname === '/me', member: 'sub' },
  })
})
