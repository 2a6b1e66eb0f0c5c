/** GitHub, by answers as its documents show them. */
import t from 'tap'
import create from '../../../plugins/oauth/github/index.js'
import { conformingOAuth, type OAuthSubject } from '../../conformance/index.js'
import { byPath, manifestText, signIn } from './recorded.js'

const token = {
  access_token: 'gho_16C7e42F292c6912E7710c838347Ae178B4a',
  scope: 'user:email',
  token_type: 'bearer',
}
const octocat = { login: 'octocat', id: 583231, name: 'The Octocat', email: 'blog@github.example' }
const main = {
  email: 'octocat@github.example',
  primary: true,
  verified: true,
  visibility: 'public',
}

const recorded = {
  '/login/oauth/access_token': { json: token },
  '/user': { json: octocat },
  '/user/emails': {
    json: [{ email: 'old@github.example', primary: false, verified: true, visibility: null }, main],
  },
}

function refused(error: string, description: string) {
  const json = { error, error_description: description, error_uri: 'https://docs.github.com/' }
  return byPath({ ...recorded, '/login/oauth/access_token': { json } })
}

const subject: OAuthSubject = {
  manifest: manifestText('github'),
  create,
  settings: { clientId: 'Iv1.8a61f9b3a7aba766', clientSecret: '9b1c-github-secret-7d20' },
  clientId: 'Iv1.8a61f9b3a7aba766',
  signIns: [
    {
      name: 'a person with a confirmed address',
      upstream: byPath(recorded),
      identity: {
        subject: '583231',
        username: 'octocat',
        displayName: 'The Octocat',
        email: 'octocat@github.example',
        emailVerified: true,
      },
    },
    {
      name: 'a person without a name, whose token knows no addresses',
      upstream: byPath({
        ...recorded,
        '/user': { json: { ...octocat, name: null } },
        '/user/emails': { status: 404, json: { message: 'Not Found' } },
      }),
      identity: { subject: '583231', displayName: undefined, email: undefined },
    },
  ],
  refusals: [
    {
      name: 'a wrong code',
      upstream: refused('bad_verification_code', 'The code passed is incorrect or expired.'),
      message: /^GitHub refused the code: bad_verification_code\.$/,
    },
    {
      name: 'a wrong secret',
      upstream: refused('incorrect_client_credentials', 'The client_secret is incorrect.'),
      message: /incorrect_client_credentials/,
    },
    {
      name: 'a fault that repeats the secret',
      upstream: refused('9b1c-github-secret-7d20', '9b1c-github-secret-7d20'),
      message: /^GitHub refused the code: it gave no reason\.$/,
    },
    {
      name: 'an id that a number cannot hold',
      upstream: byPath({ ...recorded, '/user': { text: '{"id": 9007199254740993}' } }),
      message: /no id/,
    },
    {
      name: 'an id below one',
      upstream: byPath({ ...recorded, '/user': { json: { ...octocat, id: 0 } } }),
      message: /no id/,
    },
  ],
  subjectAt: { call: ({ url }) => url.pathname === '/user', member: 'id' },
  optional: ({ url }) => url.pathname === '/user/emails',
}

conformingOAuth((title, run) => t.test(title, async () => run()), subject)

t.test('the code is redeemed by a form, with the secret in its body alone', async (t) => {
  const { calls, answer } = await signIn(subject)
  t.strictSame(
    calls.map(({ method, url }) => `${method} ${url}`),
    [
      'POST https://github.com/login/oauth/access_token',
      'GET https://api.github.com/user',
      'GET https://api.github.com/user/emails',
    ],
  )
  t.strictSame(Object.fromEntries(new URLSearchParams(calls[0]?.body)), {
    grant_type: 'authorization_code',
    client_id: 'Iv1.8a61f9b3a7aba766',
    client_secret: '9b1c-github-secret-7d20',
    code: answer.params.code,
    redirect_uri: answer.redirectUri,
    code_verifier: answer.codeVerifier,
  })
  t.equal(calls[0]?.headers['content-type'], 'application/x-www-form-urlencoded')
  for (const { headers } of calls) t.ok(headers['user-agent'], 'GitHub asks who calls')
  for (const { headers } of calls.slice(1)) {
    t.equal(headers.authorization, `Bearer ${token.access_token}`)
  }
})

t.test('an address is taken only where it is the main one and confirmed', async (t) => {
  const others = [
    { ...main, verified: false },
    { ...main, primary: false },
    { ...main, verified: 'true' },
    { ...main, primary: 1 },
    { ...main, email: 7 },
  ]
  for (const json of [[], ...others.map((one) => [one]), main, null, 'octocat@github.example']) {
    const { identity } = await signIn(subject, { answers: { '/user/emails': { json } } })
    t.equal(identity.subject, '583231')
    t.notOk('email' in identity || 'emailVerified' in identity, JSON.stringify(json))
  }
})

t.test('that no address could be read stands in the log', async (t) => {
  const answers = { '/user/emails': { status: 403, json: { message: 'Forbidden' } } }
  const { logged } = await signIn(subject, { answers })
  t.match(logged, [/GitHub returned no e-mail address .*status 403/])
})
