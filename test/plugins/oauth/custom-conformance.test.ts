/** The plugin behind providers of an admin, under the conformance kit: one that shows its secret by header, one by body. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import type { JsonObject } from '../../../kernel/contract/json.js'
import create from '../../../plugins/oauth/custom/index.js'
import { conformingOAuth, type OAuthSignIn } from '../../conformance/oauth.js'

const manifest = readFileSync(
  new URL('../../../plugins/oauth/custom/manifest.json', import.meta.url),
  'utf8',
)

const settings: JsonObject = {
  client_id: 'client-7',
  client_secret: 'a secret: of +two/ words',
  authorization_endpoint: 'https://id.example/authorize?tenant=7',
  token_endpoint: 'https://id.example/token',
  user_info_endpoint: 'https://api.example:8443/me',
}

const person = {
  sub: 'user-7',
  preferred_username: 'ada',
  name: 'Ada L.',
  email: 'ada@example.com',
  email_verified: true,
}

const upstream: OAuthSignIn['upstream'] = ({ url }) =>
  url.pathname === '/token'
    ? { json: { access_token: 'at-conformance-81726354', token_type: 'Bearer' } }
    : { json: person }

const identity = {
  subject: 'user-7',
  username: 'ada',
  displayName: 'Ada L.',
  email: 'ada@example.com',
  emailVerified: true,
  claims: person,
}

for (const auth_style of ['header', 'body']) {
  conformingOAuth((title, run) => t.test(`${auth_style}: ${title}`, async () => run()), {
    manifest,
    create,
    copy: true,
    clientId: 'client-7',
    settings: { ...settings, auth_style },
    signIns: [
      { name: 'all there is to know', upstream, identity },
      {
        name: 'the secret goes where it is looked for',
        upstream: (call, answer) => {
          if (call.url.pathname !== '/token') return upstream(call, answer)
          const basic = Buffer.from('client-7:a+secret%3A+of+%2Btwo%2F+words').toString('base64')
          const byHeader = call.headers.authorization === `Basic ${basic}`
          const byBody = call.body.includes('client_secret=a+secret%3A+of+%2Btwo%2F+words')
          const isRight = auth_style === 'header' ? byHeader && !byBody : byBody && !byHeader
          return isRight
            ? upstream(call, answer)
            : { status: 401, json: { error: 'invalid_client' } }
        },
        identity: { subject: 'user-7' },
      },
      {
        name: 'an address nobody vouches for',
        upstream: (call, answer) =>
          call.url.pathname === '/token'
            ? upstream(call, answer)
            : { json: { sub: 'user-8', email: 'ada@example.com', email_verified: 'true' } },
        identity: { subject: 'user-8', email: 'ada@example.com', emailVerified: false },
      },
    ],
    refusals: [],
    subjectAt: { call: ({ url }) => url.pathname === '/me', member: 'sub' },
  })
}

t.test('members of the answer are found by path', async () => {
  conformingOAuth((title, run) => t.test(`path: ${title}`, async () => run()), {
    manifest,
    create,
    copy: true,
    clientId: 'client-7',
    settings: {
      ...settings,
      user_id_field: 'data.0.id',
      username_field: 'data.0.login',
      email_field: 'urn.example/mail',
    },
    signIns: [
      {
        name: 'nested',
        upstream: (call, answer) =>
          call.url.pathname === '/token'
            ? upstream(call, answer)
            : { json: { data: [{ id: 7, login: 'ada' }], 'urn.example/mail': 'a@example.com' } },
        identity: { subject: '7', username: 'ada', email: 'a@example.com' },
      },
    ],
    refusals: [
      {
        name: 'a path that leads nowhere',
        upstream: (call, answer) =>
          call.url.pathname === '/token'
            ? upstream(call, answer)
            : { json: { data: [], id: 7, sub: '7' } },
        message: /returned no id/,
      },
    ],
  })
})
