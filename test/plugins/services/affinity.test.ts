/** Affinity: which requests are tied to which channel, for how long, and who can touch whose tie. */

import { readFileSync } from 'node:fs'
import t from 'tap'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Peers } from '../../../kernel/contract/services/peers.js'
import { noPeers } from '../../../kernel/peers.js'
import { readManifest } from '../../../kernel/registry/manifest.js'
import create, {
  type Affinity,
  type AffinityMatch,
  type AffinityQuery,
} from '../../../plugins/services/affinity/index.js'
import { FakeClock } from '../../kit/clock.js'
import { silentLog, testDatabase } from '../../kit/database.js'
import { optionsOver } from './options/options-fixture.js'

const manifestFile = new URL('../../../plugins/services/affinity/manifest.json', import.meta.url)
const manifest = readManifest(readFileSync(manifestFile, 'utf8'), 'manifest.json')
const database = await testDatabase(t)

t.beforeEach(async () => {
  await database.knex('options').delete()
})

const group = 'channel_affinity_setting'

async function setup(
  rules?: readonly JsonObject[],
  given: JsonObject = {},
  peers: Peers = noPeers,
) {
  const clock = new FakeClock()
  const options = optionsOver(database, { manifests: [manifest] })
  const affinity = create({
    settings: options.of(manifest),
    services: { options, changes: database.changes, peers },
    clock,
    log: silentLog,
  })
  await options.start()
  await affinity.start?.()
  const put = (fields: JsonObject) =>
    options.put(
      Object.fromEntries(
        Object.entries(fields).map(([name, value]) => [
          `${group}.${name}`,
          typeof value === 'object' ? JSON.stringify(value) : value,
        ]),
      ),
    )
  await put({ ...(rules && { rules }), ...given })
  return { affinity, clock, options, put }
}

const query: AffinityQuery = {
  userId: 1,
  userGroup: 'default',
  model: 'gpt-5',
  path: '/v1/responses',
  headers: {},
  body: { prompt_cache_key: 'k1' },
}

const session = '57a121ec-f78c-48c3-a745-e3036a3ecc33'
const cli = { 'user-agent': 'Claude-CLI/2.1.90 (external, cli)' }
const messages: AffinityQuery = {
  ...query,
  model: 'claude',
  path: '/v1/messages',
  headers: { ...cli, 'x-claude-code-session-id': session },
  body: {},
}

const byHeader = { name: 'h', key_sources: [{ type: 'request_header', key: 'X-Session' }] }
const withSession = (value: string): AffinityQuery => ({
  ...query,
  headers: { 'x-session': value },
})

function matched(affinity: Affinity, request: AffinityQuery): AffinityMatch {
  const match = affinity.match(request)
  if (match === undefined) throw new Error('no rule matches')
  return match
}

function answer(
  affinity: Affinity,
  request: AffinityQuery,
  channelId: number,
  cachedTokens = 0,
): void {
  affinity.remember(matched(affinity, request), { channelId, cachedTokens })
}

t.test('the default rules tie the two assistants and nothing else', async (t) => {
  const { affinity } = await setup()
  const inBody = (user_id: string): AffinityQuery => ({
    ...messages,
    headers: cli,
    body: { metadata: { user_id } },
  })
  const rows: readonly (readonly [string, AffinityQuery, string | undefined])[] = [
    ['responses with a cache key', query, 'code-assistant-cli'],
    ['responses compacted', { ...query, path: '/v1/responses/compact' }, 'code-assistant-cli'],
    ['responses without a cache key', { ...query, body: {} }, undefined],
    ['responses with an empty cache key', { ...query, body: { prompt_cache_key: '' } }, undefined],
    ['another path', { ...query, path: '/v1/chat/completions' }, undefined],
    ['a path that only begins so', { ...query, path: '/v1/responses/resp_1' }, undefined],
    ['no body', { ...query, body: undefined }, undefined],
    ['a session in the header', messages, 'messages-cli'],
    ['a session as text', inBody(`user_0f_account__session_${session}`), 'messages-cli'],
    ['a session as JSON', inBody(`{"device_id":"d","session_id":"${session}"}`), 'messages-cli'],
    ['a user id without a session', inBody('user_0f_account_'), undefined],
    ['counting tokens', { ...messages, path: '/v1/messages/count_tokens' }, undefined],
    [
      'another client',
      { ...messages, headers: { 'x-claude-code-session-id': session } },
      undefined,
    ],
  ]
  for (const [name, request, rule] of rows) t.equal(affinity.match(request)?.rule, rule, name)
  const keys = [
    messages,
    inBody(`user_0f_account__session_${session}`),
    inBody(`{"device_id":"d","account_uuid":"","session_id":"${session}"}`),
  ].map((request) => matched(affinity, request).key)
  t.equal(new Set(keys).size, 1, 'one session is one key wherever it stands')
  answer(affinity, query, 4)
  t.strictSame(matched(affinity, query).skipRetry, false, 'a tie of the defaults traps nobody')
})

t.test('[ROUTE-16] the first rule that finds a key counts', async (t) => {
  const rule = (name: string, fields: JsonObject = {}): JsonObject => ({
    ...byHeader,
    name,
    ...fields,
  })
  const { affinity } = await setup([
    rule('off', { enabled: false }),
    rule('model', { model_regex: ['^claude', '^o\\d'] }),
    rule('path', { path_regex: ['/images/'] }),
    rule('agent', { user_agent_include: ['Nobody', 'CURL/'] }),
    rule('no key', { key_sources: [{ type: 'gjson', path: 'session.0.id' }] }),
    rule('cut', { value_regex: '^s-(\\d+)$' }),
    rule('rest'),
  ])
  const given = withSession('x')
  const rows: readonly (readonly [string, AffinityQuery])[] = [
    ['model', { ...given, model: 'o3' }],
    ['path', { ...given, path: '/v1/images/edits' }],
    ['agent', { ...given, headers: { 'x-session': 'x', 'user-agent': 'curl/8.5' } }],
    ['no key', { ...given, body: { session: [{ id: 7 }] } }],
    ['cut', withSession('s-12')],
    ['rest', given],
  ]
  for (const [name, request] of rows) t.equal(affinity.match(request)?.rule, name)
  t.equal(affinity.match(query), undefined, 'without the header')
})

t.test('a good answer ties the key to its channel, and every match is counted', async (t) => {
  const { affinity } = await setup([byHeader, { ...byHeader, name: 'idle' }])
  const request = withSession('a')
  t.equal(matched(affinity, request).channelId, undefined)
  answer(affinity, request, 7, 100)
  t.equal(matched(affinity, request).channelId, 7)
  answer(affinity, request, 7, 900)
  t.equal(matched(affinity, withSession('b')).channelId, undefined)
  t.strictSame(await affinity.stats(), [
    { rule: 'h', entries: 1, hits: 2, misses: 3, cachedTokens: 1000 },
    { rule: 'idle', entries: 0, hits: 0, misses: 0, cachedTokens: 0 },
  ])
})

t.test('what takes part in a tie is what the rule includes', async (t) => {
  const request = withSession('a')
  const others: Readonly<Record<string, AffinityQuery>> = {
    model: { ...request, model: 'other' },
    group: { ...request, userGroup: 'vip' },
    path: { ...request, path: '/v1/other' },
  }
  const rows = [
    [{}, []],
    [{ include_model_name: true }, ['model']],
    [{ include_using_group: true }, ['group']],
    [{ include_model_name: true, include_using_group: true }, ['model', 'group']],
  ] as const
  for (const [fields, apart] of rows) {
    const { affinity } = await setup([{ ...byHeader, ...fields }])
    answer(affinity, request, 7)
    const missed = Object.keys(others).filter(
      (name) => matched(affinity, others[name]!).channelId === undefined,
    )
    t.strictSame(missed, apart, JSON.stringify(fields))
  }
})

t.test('two rules share ties unless they include their name', async (t) => {
  for (const named of [false, true]) {
    const { affinity } = await setup([
      { ...byHeader, name: 'one', model_regex: ['^one$'], include_rule_name: named },
      { ...byHeader, name: 'two', include_rule_name: named },
    ])
    answer(affinity, { ...withSession('a'), model: 'one' }, 7)
    const other = matched(affinity, { ...withSession('a'), model: 'two' })
    t.equal(other.rule, 'two')
    t.equal(other.channelId, named ? undefined : 7)
  }
})

t.test('two users never share a tie, whatever the rule leaves out', async (t) => {
  const groups = { name: 'g', key_sources: [{ type: 'context_string', key: 'group' }] }
  for (const rule of [byHeader, groups]) {
    const { affinity } = await setup([rule])
    const mine = withSession('shared')
    const theirs = { ...mine, userId: 2 }
    answer(affinity, mine, 7)
    t.equal(matched(affinity, theirs).channelId, undefined, `${rule.name}: not seen`)
    answer(affinity, theirs, 8)
    t.equal(matched(affinity, mine).channelId, 7, `${rule.name}: not moved`)
    affinity.forget(matched(affinity, theirs), 8)
    t.equal(matched(affinity, mine).channelId, 7, `${rule.name}: not forgotten`)
  }
})

t.test('no choice of texts makes two keys one', async (t) => {
  const { affinity } = await setup([
    { ...byHeader, include_using_group: true, include_model_name: true, include_rule_name: true },
  ])
  const key = (userId: number, userGroup: string, model: string, value: string) =>
    matched(affinity, { ...withSession(value), userId, userGroup, model }).key
  const keys = [
    key(1, 'a', 'b', 'c'),
    key(1, 'a', 'b","c', 'c'),
    key(1, 'a","b', 'c', 'c'),
    key(1, 'ab', '', 'c'),
    key(1, 'a', '', 'bc'),
    key(11, 'a', 'b', 'c'),
    key(1, '1', 'b', 'c'),
    key(1, 'a', 'b', 'c\u0000'),
  ]
  t.equal(new Set(keys).size, keys.length)
})

t.test('a tie ends when its time is over, and every good answer renews it', async (t) => {
  const { affinity, clock, put } = await setup([
    { ...byHeader, ttl_seconds: 10 },
    { name: 'plain', key_sources: [{ type: 'user' }] },
  ])
  const request = withSession('a')
  answer(affinity, request, 7)
  answer(affinity, query, 8)
  clock.advance(9_000)
  answer(affinity, request, 7)
  clock.advance(9_000)
  t.equal(matched(affinity, request).channelId, 7, 'renewed')
  clock.advance(1_001)
  t.equal(matched(affinity, request).channelId, undefined, 'over; a match alone renews nothing')
  t.equal(matched(affinity, query).channelId, 8, 'the default is an hour')
  clock.advance(3_600_000)
  t.equal(matched(affinity, query).channelId, undefined)
  await put({ default_ttl_seconds: 5 })
  answer(affinity, query, 8)
  clock.advance(5_001)
  t.equal(matched(affinity, query).channelId, undefined, 'the default can be changed')
  t.strictSame(
    (await affinity.stats()).map(({ entries }) => entries),
    [0, 0],
  )
})

t.test('the longest unused ties go first, and the bound can be changed at any time', async (t) => {
  const { affinity, clock, put } = await setup([{ ...byHeader, ttl_seconds: 60 }], {
    max_entries: 3,
  })
  const alive = () =>
    ['a', 'b', 'c', 'd'].filter((name) => affinity.match(withSession(name))?.channelId === 7)
  for (const name of ['a', 'b', 'c']) answer(affinity, withSession(name), 7)
  affinity.match(withSession('a'))
  answer(affinity, withSession('d'), 7)
  t.strictSame(alive(), ['a', 'c', 'd'])
  clock.advance(30_000)
  await put({ max_entries: 2 })
  t.strictSame(alive(), ['c', 'd'], 'the last used stay')
  await put({ max_entries: 4 })
  t.strictSame(alive(), ['c', 'd'])
  answer(affinity, withSession('a'), 7)
  answer(affinity, withSession('b'), 7)
  t.strictSame(alive(), ['a', 'b', 'c', 'd'])
  clock.advance(30_001)
  t.strictSame(alive(), ['a', 'b'], 'a change of the bound gives nobody more time')
})

t.test('an answer from elsewhere moves the tie, unless the first one stays', async (t) => {
  for (const [moves, channel] of [
    [true, 8],
    [false, 7],
  ] as const) {
    const { affinity } = await setup([byHeader], { switch_on_success: moves })
    const request = withSession('a')
    answer(affinity, request, 7)
    answer(affinity, request, 8)
    t.equal(matched(affinity, request).channelId, channel)
    affinity.forget(matched(affinity, request), channel)
    answer(affinity, request, 9)
    t.equal(matched(affinity, request).channelId, 9, 'once forgotten, the next answer ties anew')
  }
})

t.test('a channel that cannot take the request is forgotten, a newer tie is not', async (t) => {
  const { affinity } = await setup([byHeader])
  const request = withSession('a')
  answer(affinity, request, 7)
  const slow = matched(affinity, request)
  answer(affinity, request, 8)
  affinity.forget(slow, 7)
  t.equal(matched(affinity, request).channelId, 8)
  affinity.forget(slow, 8)
  t.equal(matched(affinity, request).channelId, undefined)
  affinity.forget(slow, 8)
})

t.test('a rule forbids retries only where a channel is remembered', async (t) => {
  const { affinity } = await setup([{ ...byHeader, skip_retry_on_failure: true }])
  t.equal(matched(affinity, withSession('a')).skipRetry, false)
  answer(affinity, withSession('a'), 7)
  t.equal(matched(affinity, withSession('a')).skipRetry, true)
})

t.test('a request under way while ties are cleared does not bring its tie back', async (t) => {
  const { affinity } = await setup([byHeader, { name: 'u', key_sources: [{ type: 'user' }] }])
  const session = withSession('a')
  answer(affinity, session, 7)
  const [underWay, other] = [matched(affinity, session), matched(affinity, query)]
  affinity.clear('h')
  affinity.remember(underWay, { channelId: 7, cachedTokens: 5 })
  affinity.remember(other, { channelId: 8, cachedTokens: 0 })
  t.equal(matched(affinity, session).channelId, undefined)
  t.equal(matched(affinity, query).channelId, 8, 'those of another rule are made as ever')
  t.match((await affinity.stats())[0], { cachedTokens: 5 }, 'what it read counts all the same')
  answer(affinity, session, 9)
  t.equal(matched(affinity, session).channelId, 9, 'the next one makes its own')
})

t.test('ties can be cleared by rule or all at once, in every process', async (t) => {
  const { affinity } = await setup([byHeader, { name: 'u', key_sources: [{ type: 'user' }] }])
  const fill = () => {
    for (const name of ['a', 'b']) answer(affinity, withSession(name), 7)
    answer(affinity, query, 7)
  }
  const entries = async () => (await affinity.stats()).map(({ entries }) => entries)
  fill()
  t.equal(affinity.clear('h'), 2)
  t.strictSame(await entries(), [0, 1])
  t.equal(affinity.clear('h'), 0)
  fill()
  t.equal(affinity.clear(), 3)
  t.strictSame(await entries(), [0, 0])
  t.equal(affinity.clear(), 0)
  fill()
  await heard('rule h')
  t.strictSame(await entries(), [0, 1])
  fill()
  await heard('all')
  t.strictSame(await entries(), [0, 0])
})

async function heard(id: string): Promise<void> {
  await database.knex.transaction((trx) => database.changes.note(trx, 'affinity', id))
  await database.changes.settled()
}

t.test('rules take effect at once; the ties of a rule that is gone go with it', async (t) => {
  const { affinity, put } = await setup([byHeader])
  const request = withSession('a')
  answer(affinity, request, 7)
  const under = matched(affinity, request)
  await put({ enabled: false })
  t.equal(affinity.match(request), undefined)
  await put({ enabled: true })
  t.equal(matched(affinity, request).channelId, 7)
  await put({ rules: [{ ...byHeader, name: 'new' }] })
  t.equal(matched(affinity, request).channelId, undefined)
  affinity.remember(under, { channelId: 7, cachedTokens: 0 })
  t.strictSame(
    (await affinity.stats()).map(({ rule, entries }) => [rule, entries]),
    [['new', 0]],
  )
  await put({ rules: [] })
  t.equal(affinity.match(request), undefined)
})

t.test('rules that cannot be used are not stored, and the ones in force stay', async (t) => {
  const { affinity, put } = await setup([byHeader])
  const bad = [{ ...byHeader, model_regex: ['('] }]
  await t.rejects(put({ rules: bad, default_ttl_seconds: 5 }), {
    code: 'invalid_field',
    param: `${group}.rules`,
  })
  const rows = await database.knex('options').where({ key: `${group}.default_ttl_seconds` })
  t.strictSame(rows, [], 'nothing of the same request is stored')
  t.equal(matched(affinity, withSession('a')).rule, 'h')
  for (const [name, value] of [
    ['max_entries', 0],
    ['max_entries', 1_000_001],
    ['default_ttl_seconds', 0],
    ['default_ttl_seconds', 1.5],
    ['enabled', 'maybe'],
  ] as const) {
    await t.rejects(put({ [name]: value }), {
      code: 'invalid_field',
      param: `${group}.${name}`,
    })
  }
})

t.test('stored rules that cannot be read leave everything else alone', async (t) => {
  await database
    .knex('options')
    .insert({ key: `${group}.rules`, value: '[{"name":""}]', sealed: false })
  const { affinity } = await setup()
  t.equal(affinity.match(query), undefined)
  t.strictSame(await affinity.stats(), [])
})

t.test('hostile requests are no keys, and cost no memory', async (t) => {
  const { affinity } = await setup([
    { ...byHeader, name: 'evil', value_regex: '^(a+)+$' },
    { name: 'body', key_sources: [{ type: 'gjson', path: 'metadata.user_id' }] },
    byHeader,
  ])
  const begun = performance.now()
  t.equal(matched(affinity, withSession(`${'a'.repeat(4000)}b`)).rule, 'h')
  t.ok(performance.now() - begun < 1000, 'matched in good time')
  t.equal(affinity.match(withSession('a'.repeat(4097))), undefined, 'a huge header is no key')
  t.match(matched(affinity, withSession('c'.repeat(4096))).key, /^[\w-]{43}$/)
  const bodies = [
    '{"__proto__":{"metadata":{"user_id":"x"}}}',
    '{"metadata":{"__proto__":{"user_id":"x"}}}',
    '{"metadata":[{"user_id":"x"}]}',
    '{"metadata":{"user_id":{"toString":"x"}}}',
    '{"metadata":{"user_id":["x"]}}',
    '{"metadata":"user_id"}',
    '{"metadata":null}',
    `{"metadata":${'['.repeat(5000)}${']'.repeat(5000)}}`,
  ]
  for (const body of bodies) {
    t.equal(affinity.match({ ...query, body: JSON.parse(body) }), undefined, body.slice(0, 50))
  }
  t.equal(
    affinity.match({ ...query, headers: Object.create({ 'x-session': 'inherited' }) }),
    undefined,
  )
})
