/**
 * A gateway whose every kind of secret is in use gets another master key: it works while they are sealed anew and
 * afterwards, nothing of the key before is left anywhere in the database, and then the new key alone will do.
 */

import { Secret, TOTP } from 'otpauth'
import t, { type Test } from 'tap'
import { builtInRoots } from '../../config/built-in.js'
import { core } from '../../config/core.js'
import { boot } from '../../kernel/boot.js'
import type { Environment } from '../../kernel/contract/services/system.js'
import { createLog } from '../../kernel/log/log.js'
import { order } from '../../plugins/stages/line.js'
import { FakeClock } from '../kit/clock.js'
import { databaseKind, testDatabase } from '../kit/database.js'
import { defaultEnvironment } from '../kit/gateway.js'
import { knowSetupCode, management, root } from '../kit/management.js'
import { chat, json, scriptedUpstream } from '../kit/upstream.js'
import { wholeDatabase } from '../spec/whole-database.js'

const first = 'the first secret of this gateway'
const second = 'the second secret of this gateway'
const person = { username: 'ada', password: 'correct horse battery' }
const model = 'gpt-4o-mini'

t.setTimeout(240_000)

const database = await testDatabase(t)
const clock = new FakeClock(Date.now())
const upstream = await scriptedUpstream(t)
upstream.script(json(200, chat.whole('Hi.', 10, 10)))

async function start(secrets: Pick<Environment, 'cryptoSecret' | 'cryptoSecretPrevious'>) {
  const lines: string[] = []
  let tell: () => void = () => {}
  const resealed = new Promise<void>((done) => {
    tell = done
  })
  const write = (line: string) => {
    lines.push(line)
    if (line.includes('CRYPTO_SECRET_PREVIOUS can be removed')) tell()
  }
  const gateway = await boot({
    environment: { ...defaultEnvironment, ...secrets },
    roots: builtInRoots,
    order,
    core,
    log: createLog({ name: 'test', level: 'trace', stream: { write } }),
    version: 'v0.0.0',
    clock,
    database,
  })
  knowSetupCode(gateway.address, gateway.service('setup').code())
  // A second stop does nothing.
  t.teardown(gateway.stop)
  return { ...gateway, resealed, lines, admin: management(gateway.address) }
}

type Running = Awaited<ReturnType<typeof start>>

const channel = {
  type: 1,
  models: model,
  group: 'default',
  base_url: upstream.url,
} as const

/** Everything a gateway seals, through its own ways. */
async function fill({ admin, address, service }: Running) {
  await admin.setUp()
  await admin.credit(1, 1_000_000)
  await admin.option('SMTPToken', 'the password of the mail')
  await admin.option('GitHubClientSecret', 'the secret at GitHub')
  const relaying = await admin.channel({ ...channel, name: 'relaying', key: 'key-of-the-channel' })
  const several = { ...channel, name: 'several', key: 'key-one\nkey-two', models: 'other' }
  await admin.must('POST', '/api/channel/', { mode: 'multi_to_single', channel: several })
  const setting = { proxy: 'http://user:password@127.0.0.1:9' }
  await admin.channel({ ...channel, name: 'proxied', key: 'key-proxied', models: 'third', setting })
  const token = await admin.token()
  const removed = await admin.token({ name: 'removed' })
  await admin.must('DELETE', `/api/token/${removed.id}`)
  await admin.must('POST', '/api/custom-oauth-provider/', {
    name: 'Company',
    slug: 'company',
    client_id: 'gateway',
    client_secret: 'the secret at Company',
    authorization_endpoint: 'https://id.example/auth',
    token_endpoint: 'https://id.example/token',
    user_info_endpoint: 'https://id.example/me',
  })
  await admin.must('POST', '/api/user/', person)
  const ada = management(address)
  await ada.login(person.username, person.password)
  const proof = await ada.prove('two_factor', person.password)
  const { secret, backup_codes } = await ada.must('POST', '/api/user/2fa/setup', {}, proof)
  await ada.must('POST', '/api/user/2fa/enable', { code: codeOf(secret) })
  clock.advance(30_000)
  await ada.must('PUT', '/api/user/setting', {
    notify_type: 'webhook',
    webhook_url: 'https://hooks.example/notices',
    webhook_secret: 'secret-of-a-webhook',
  })
  const notice = { type: 'test', title: 'A notice', content: 'That waits.', values: [] }
  const { id } = await database.knex('users').where('username', person.username).first('id')
  await service('notifications').notify(id, notice)
  const flow = await flowOf(address)
  return { relaying, token, secret, codes: backup_codes as string[], flow, ada: id as number }
}

type Filled = Awaited<ReturnType<typeof fill>>

function codeOf(secret: string): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now() })
}

/** A sign-in that waits for the second factor. */
async function flowOf(address: string): Promise<string> {
  const { body } = await management(address).login(person.username, person.password)
  return body.data.flow_token
}

async function enters(address: string, flow_token: string, code: string): Promise<number> {
  const form = { flow_token, code }
  return (await management(address).call('POST', '/api/user/login/2fa', form)).status
}

async function works(t: Test, { admin, address, service }: Running, filled: Filled, code: string) {
  const { token, relaying, flow } = filled
  const answer = await fetch(`${address}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'hello' }] }),
  })
  t.equal(answer.status, 200, await answer.text())
  t.equal(upstream.requests.at(-1)?.headers.authorization, 'Bearer key-of-the-channel')
  await admin.login(root.username, root.password)
  const { key } = await admin.must('POST', `/api/token/${token.id}/key`, {})
  t.equal(`sk-${key.replace(/^sk-/, '')}`, `sk-${token.key.replace(/^sk-/, '')}`)
  const proof = await admin.prove('channel_key')
  const result = await admin.must('POST', `/api/channel/${relaying}/key`, {}, proof)
  t.equal(result.key, 'key-of-the-channel')
  t.equal(service('channels').all().length, 3, 'every channel could be read')
  t.equal(await enters(address, flow, code), 200, 'a sign-in begun before goes on')
  const mine = await database.knex('outbox').where('user_id', filled.ada).select('payload')
  t.ok(mine.length > 0 && mine.every(({ payload }) => payload !== ''), 'a notice waits')
}

/** Every envelope in every column of every table, by the id of its key. */
async function keyIds(): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, string[]>()
  for (const [table, rows] of await wholeDatabase(database.knex)) {
    for (const text of rows) {
      for (const [, id = ''] of text.matchAll(/v1\.([0-9a-f]{8})\.[\w-]{38,}/g)) {
        found.set(id, [...(found.get(id) ?? []), table])
      }
    }
  }
  return found
}

t.test(`${databaseKind}: every secret outlives a change of the master key`, async (t) => {
  const before = await start({ cryptoSecret: first })
  const filled = await fill(before)
  await before.idle()
  await before.stop()
  const old = await keyIds()
  t.equal(old.size, 1)
  t.same(
    [...new Set([...old.values()].flat())].sort(),
    [
      ...['channel_keys', 'channels', 'facts', 'oauth_providers', 'one_time', 'options'],
      ...['outbox', 'tokens', 'totp', 'users'],
    ],
    'every table that keeps secrets has one',
  )
  await t.rejects(start({ cryptoSecret: second }), { name: 'MasterKeyRefused' })

  const both = await start({ cryptoSecret: second, cryptoSecretPrevious: first })
  await both.resealed
  const [oldId = ''] = old.keys()
  const now = await keyIds()
  t.same(now.get(oldId), undefined, 'nothing of the key before is left')
  t.ok([...now.values()].flat().length >= [...old.values()].flat().length)
  await works(t, both, filled, codeOf(filled.secret))
  const flow = await flowOf(both.address)
  t.notMatch(both.lines.join('\n'), /does not open|"level":50/)
  await both.idle()
  await both.stop()

  await t.rejects(start({ cryptoSecret: first }), { name: 'MasterKeyRefused' })
  const after = await start({ cryptoSecret: second })
  await works(t, after, { ...filled, flow }, filled.codes[0] ?? '')
  await after.idle()
  await after.stop()
})
