/** Discord, by answers as its documents show them. */
import t from 'tap'
import create from '../../../plugins/oauth/discord/index.js'
import { conformingOAuth, type OAuthSubject } from '../../conformance/index.js'
import { byPath, manifestText, signIn } from './recorded.js'

const tokenPath = '/api/oauth2/token'
const userPath = '/api/v10/users/@me'

const token = {
  access_token: '6qrZcUqja7812RVdnEKjpzOL4CvHBFG',
  token_type: 'Bearer',
  expires_in: 604_800,
  refresh_token: 'D43f5y0ahjqew82jZ4NViEr2YafMKhue',
  scope: 'identify email',
}
const nelly = {
  id: '80351110224678912',
  username: 'nelly',
  discriminator: '0',
  global_name: 'Nelly',
  avatar: '8342729096ea3675442027381ff50dfe',
  verified: true,
  email: 'nelly@discord.example',
}
const recorded = { [tokenPath]: { json: token }, [userPath]: { json: nelly } }

const subject: OAuthSubject = {
  manifest: manifestText('discord'),
  create,
  settings: { clientId: '157730590492196864', clientSecret: 'q-7Pz_discord-secret_4Kd' },
  clientId: '157730590492196864',
  signIns: [
    {
      name: 'a person with a confirmed address',
      upstream: byPath(recorded),
      identity: {
        subject: '80351110224678912',
        username: 'nelly',
        displayName: 'Nelly',
        email: 'nelly@discord.example',
        emailVerified: true,
      },
    },
    {
      name: 'a person whose address nobody confirmed',
      upstream: byPath({ ...recorded, [userPath]: { json: { ...nelly, verified: false } } }),
      identity: {
        subject: '80351110224678912',
        email: 'nelly@discord.example',
        emailVerified: false,
      },
    },
    {
      name: 'a person without address and display name',
      upstream: byPath({
        ...recorded,
        [userPath]: { json: { ...nelly, email: null, global_name: null } },
      }),
      identity: {
        subject: '80351110224678912',
        displayName: undefined,
        email: undefined,
        emailVerified: undefined,
      },
    },
  ],
  refusals: [
    {
      name: 'a wrong code',
      upstream: byPath({
        [tokenPath]: {
          status: 400,
          json: { error: 'invalid_grant', error_description: 'Invalid "code" in request.' },
        },
      }),
      message: /^Discord refused the code: invalid_grant\.$/,
    },
    {
      name: 'a fault that repeats the secret',
      upstream: byPath({
        [tokenPath]: { status: 401, json: { error: 'q-7Pz_discord-secret_4Kd' } },
      }),
      message: /it gave no reason/,
    },
    {
      name: 'a token that is refused',
      upstream: byPath({
        ...recorded,
        [userPath]: { status: 401, json: { message: '401: Unauthorized', code: 0 } },
      }),
      message: /^Discord answered who it is with status 401/,
    },
    {
      name: 'an id that came as a number',
      upstream: byPath({ ...recorded, [userPath]: { text: '{"id": 80351110224678912}' } }),
      message: /no id/,
    },
  ],
  subjectAt: { call: ({ url }) => url.pathname === userPath, member: 'id' },
}

conformingOAuth((title, run) => t.test(title, async () => run()), subject)

t.test('ids beyond what a number can hold keep every digit', async (t) => {
  for (const id of ['9007199254740993', '18446744073709551615']) {
    const answers = { [userPath]: { json: { ...nelly, id } } }
    t.equal((await signIn(subject, { answers })).identity.subject, id)
  }
})

t.test('only `true` confirms an address', async (t) => {
  for (const verified of ['true', 1, null, undefined]) {
    const answers = { [userPath]: { json: { ...nelly, verified } } }
    t.equal((await signIn(subject, { answers })).identity.emailVerified, false)
  }
})

t.test('the gateway proves itself by a header, and the code by its verifier', async (t) => {
  const { calls, answer } = await signIn(subject)
  t.strictSame(
    calls.map(({ method, url }) => `${method} ${url}`),
    [`POST https://discord.com${tokenPath}`, `GET https://discord.com${userPath}`],
  )
  const pair = Buffer.from('157730590492196864:q-7Pz_discord-secret_4Kd').toString('base64')
  t.equal(calls[0]?.headers.authorization, `Basic ${pair}`)
  t.strictSame(Object.fromEntries(new URLSearchParams(calls[0]?.body)), {
    grant_type: 'authorization_code',
    code: answer.params.code,
    redirect_uri: answer.redirectUri,
    code_verifier: answer.codeVerifier,
  })
  t.equal(calls[1]?.headers.authorization, `Bearer ${token.access_token}`)
})
