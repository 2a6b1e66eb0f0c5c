/** LINUX DO, by answers as its document of the interface describes them. */
import t from 'tap'
import create from '../../../plugins/oauth/linuxdo/index.js'
import { conformingOAuth, type OAuthSubject } from '../../conformance/index.js'
import { byPath, manifestText, signIn } from './recorded.js'

const token = {
  access_token: 'ory_at_5Zc1jv8Yp0-linuxdo-canary',
  token_type: 'bearer',
  expires_in: 3600,
}
const member = {
  id: 4815,
  username: 'neo',
  name: 'Neo',
  avatar_template: 'https://linux.do/user_avatar/linux.do/neo/{size}/1.png',
  active: true,
  trust_level: 2,
  silenced: false,
  external_ids: null,
}
const recorded = { '/oauth2/token': { json: token }, '/api/user': { json: member } }
const settings = { clientId: 'linuxdo-client', clientSecret: 'linuxdo-secret-4Kd81' }

const memberWith = (part: object) =>
  byPath({ ...recorded, '/api/user': { json: { ...member, ...part } } })

const subject: OAuthSubject = {
  manifest: manifestText('linuxdo'),
  create,
  settings,
  clientId: 'linuxdo-client',
  signIns: [
    {
      name: 'a member',
      upstream: byPath(recorded),
      identity: {
        subject: '4815',
        username: 'neo',
        displayName: 'Neo',
        email: undefined,
        claims: { trust_level: 2 },
      },
    },
    {
      name: 'a new member, whom nobody trusts yet',
      upstream: memberWith({ trust_level: 0, name: '' }),
      identity: { subject: '4815', displayName: undefined, claims: { trust_level: 0 } },
    },
  ],
  refusals: [
    {
      name: 'a wrong code',
      upstream: byPath({ '/oauth2/token': { status: 400, json: { error: 'invalid_grant' } } }),
      message: /^LINUX DO refused the code: invalid_grant\.$/,
    },
    {
      name: 'a fault that repeats the secret',
      upstream: byPath({ '/oauth2/token': { json: { error: 'linuxdo-secret-4Kd81' } } }),
      message: /it gave no reason/,
    },
    {
      name: 'a trust level below the lowest',
      settings: { ...settings, minimumTrustLevel: 3 },
      upstream: byPath(recorded),
      message: /^This account of LINUX DO has the trust level 2; 3 is needed\.$/,
    },
    {
      name: 'a trust level nobody reported',
      upstream: memberWith({ trust_level: undefined }),
      message: /no trust level/,
    },
    {
      name: 'a trust level that is text',
      upstream: memberWith({ trust_level: '4' }),
      message: /no trust level/,
    },
    { name: 'an inactive member', upstream: memberWith({ active: false }), message: /not active/ },
    {
      name: 'a member of whom nothing states whether they are active',
      upstream: memberWith({ active: undefined }),
      message: /not active/,
    },
    { name: 'a silenced member', upstream: memberWith({ silenced: true }), message: /silenced/ },
  ],
  subjectAt: { call: ({ url }) => url.pathname === '/api/user', member: 'id' },
}

conformingOAuth((title, run) => t.test(title, async () => run()), subject)

t.test('the lowest trust level itself may sign in', async (t) => {
  const { identity } = await signIn(subject, { settings: { ...settings, minimumTrustLevel: 2 } })
  t.equal(identity.subject, '4815')
})

t.test('the gateway proves itself by a header', async (t) => {
  const { calls, answer } = await signIn(subject)
  t.strictSame(
    calls.map(({ method, url }) => `${method} ${url}`),
    ['POST https://connect.linux.do/oauth2/token', 'GET https://connect.linux.do/api/user'],
  )
  const pair = Buffer.from('linuxdo-client:linuxdo-secret-4Kd81').toString('base64')
  t.equal(calls[0]?.headers.authorization, `Basic ${pair}`)
  t.strictSame(Object.fromEntries(new URLSearchParams(calls[0]?.body)), {
    grant_type: 'authorization_code',
    code: answer.params.code,
    redirect_uri: answer.redirectUri,
    code_verifier: answer.codeVerifier,
  })
  t.equal(calls[1]?.headers.authorization, `Bearer ${token.access_token}`)
})
