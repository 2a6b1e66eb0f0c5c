/** The bot challenge: which token is queried about, what the verifier may answer, and how long it may take (AUTH-7). */
import t from 'tap'
import type { SecretBox } from '../../../kernel/contract/services/secrets.js'
import { createEgress } from '../../../kernel/egress/egress.js'
import createChallenge from '../../../plugins/services/challenge/index.js'
import type { RateLimits } from '../../../plugins/services/rate-limits/index.js'
import { FakeClock } from '../../kit/clock.js'
import { quietLog } from '../../kit/fakes.js'
import { hangUp, json, type Script, scriptedUpstream, silence } from '../../kit/upstream.js'
import { settingsOf } from '../management/management-fixture.js'
import { verdict } from './joining-fixture.js'

const clock = new FakeClock()
const upstream = await scriptedUpstream(t)
const egress = createEgress({ allowPrivateUpstreams: true, clock, log: quietLog })
t.teardown(() => egress.close())
const secretKey = 'a secret key for tests'
const on = { enabled: true, siteKey: 'site', secretKey, verifyUrl: `${upstream.url}/verify` }
const settings: Record<string, string | boolean> = { ...on }
const checks = new Map<string, (text: string) => void>()
const lines: string[] = []
const note = (fields: object, message: string) => void lines.push(JSON.stringify(fields) + message)
const challenge = createChallenge({
  settings: settingsOf(settings),
  clock,
  log: { ...quietLog, error: note, warn: note, info: note },
  services: {
    secrets: {} as SecretBox,
    'rate-limits': { window: () => ({}) } as unknown as RateLimits,
    egress,
    options: {
      of: () => settingsOf({}),
      list: () => [],
      put: async () => {},
      change: async () => {},
      check: (key, check) => void checks.set(key, check),
      seed: async () => {},
      reset: async () => {},
    },
  },
})

t.beforeEach(() => {
  Object.assign(settings, on)
  upstream.requests.length = 0
})

interface Shown {
  readonly header?: string | string[]
  readonly query?: unknown
}

function ask({ header, query }: Shown): Promise<unknown> {
  const headers = header === undefined ? {} : { 'x-turnstile-token': header }
  return verdict(challenge.require({ headers, query, address: '203.0.113.9' }))
}

t.test(
  '[AUTH-7] the token of the header is queried about, that of the query for older callers',
  async (t) => {
    upstream.script(json(200, { success: true }))
    t.equal(await ask({ header: 'from header', query: { turnstile: 'from query' } }), 'done')
    t.equal(await ask({ query: { turnstile: 'from query' } }), 'done')
    const forms = upstream.requests.map(({ text }) => Object.fromEntries(new URLSearchParams(text)))
    t.same(forms, [
      { secret: secretKey, response: 'from header', remoteip: '203.0.113.9' },
      { secret: secretKey, response: 'from query', remoteip: '203.0.113.9' },
    ])
    t.match(upstream.requests[0], {
      method: 'POST',
      path: '/verify',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
  },
)

t.test('[AUTH-7] without a token of its form nobody is queried', async (t) => {
  const rows: Shown[] = [
    {},
    { header: '' },
    { header: 'x'.repeat(2049) },
    { header: ['a', 'b'] },
    { query: { turnstile: '' } },
    { query: { turnstile: ['a'] } },
    { query: 'turnstile' },
  ]
  for (const shown of rows) t.equal(await ask(shown), 'challenge_required')
  t.equal(upstream.requests.length, 0)
})

t.test('[AUTH-7] only a clear yes lets anybody through', async (t) => {
  const text =
    (status: number, body: string): Script =>
    (_, response) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(body)
    }
  const rows: [Script, string][] = [
    [json(200, { success: true }), 'done'],
    [
      json(200, { success: false, 'error-codes': ['invalid-input-response'] }),
      'challenge_required',
    ],
    [json(200, { success: false, 'error-codes': ['timeout-or-duplicate'] }), 'challenge_required'],
    [json(200, { success: false }), 'challenge_required'],
    [
      json(200, { success: false, 'error-codes': ['invalid-input-secret'] }),
      'challenge_unavailable',
    ],
    [json(200, { success: false, 'error-codes': ['internal-error'] }), 'challenge_unavailable'],
    [json(200, { success: 'true' }), 'challenge_unavailable'],
    [json(200, [true]), 'challenge_unavailable'],
    [json(500, { success: true }), 'challenge_unavailable'],
    [json(302, { success: true }, { location: `${upstream.url}/yes` }), 'challenge_unavailable'],
    [text(200, ''), 'challenge_unavailable'],
    [text(200, '{"success": tru'), 'challenge_unavailable'],
    [text(200, `{"success": true, "pad": "${'x'.repeat(70_000)}"}`), 'challenge_unavailable'],
    [hangUp, 'challenge_unavailable'],
  ]
  for (const [script, expected] of rows) {
    upstream.script(script)
    t.equal(await ask({ header: 'a token nobody logs' }), expected)
  }
  t.ok(lines.length > 0)
  t.notMatch(lines.join('\n'), /a token nobody logs|a secret key/)
})

t.test('[AUTH-7] a verifier that is silent for ten seconds could not tell', async (t) => {
  const slow: Script = (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write('{"success"')
  }
  for (const script of [silence, slow]) {
    upstream.script(script)
    const answer = ask({ header: 'token' })
    const request = await upstream.request(0)
    let settled = false
    void answer.then(() => {
      settled = true
    })
    clock.advance(9_999)
    await new Promise(setImmediate)
    t.equal(settled, false)
    clock.advance(1)
    t.equal(await answer, 'challenge_unavailable')
    await request.aborted
    upstream.requests.length = 0
  }
  t.equal(clock.pending, 0)
})

t.test(
  '[AUTH-7] an address that may not be called is no reason to let anybody through',
  async (t) => {
    settings.verifyUrl = 'http://169.254.169.254/verify'
    t.equal(await ask({ header: 'token' }), 'challenge_unavailable')
  },
)

t.test('switched off it asks nothing; it is switched on once both keys are there', async (t) => {
  settings.enabled = false
  t.equal(challenge.siteKey(), undefined)
  t.equal(await ask({}), 'done')
  const check = (key: string, text: string) => () => checks.get(key)?.(text)
  const refused = (key: string) => ({ code: 'invalid_field', param: key })
  t.doesNotThrow(check('TurnstileCheckEnabled', 'true'))
  t.doesNotThrow(check('TurnstileSiteKey', ''))
  for (const missing of [{ siteKey: '' }, { secretKey: '' }]) {
    Object.assign(settings, on, missing)
    t.throws(check('TurnstileCheckEnabled', 'true'), refused('TurnstileCheckEnabled'))
    t.doesNotThrow(check('TurnstileCheckEnabled', 'false'))
  }
  Object.assign(settings, on)
  t.equal(challenge.siteKey(), 'site')
  t.throws(check('TurnstileSiteKey', ''), refused('TurnstileSiteKey'))
  t.throws(check('TurnstileVerifyUrl', 'file:///etc/passwd'), refused('TurnstileVerifyUrl'))
  t.throws(check('TurnstileVerifyUrl', 'verify'), refused('TurnstileVerifyUrl'))
  t.doesNotThrow(check('TurnstileVerifyUrl', 'https://verify.example/'))
})
