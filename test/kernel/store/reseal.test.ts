/** A change of the master key: who may start meanwhile, and what happens to everything that is sealed. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { openSecretBox } from '../../../kernel/store/open-secret-box.js'
import { reseal } from '../../../kernel/store/reseal.js'
import { sealedColumns } from '../../../kernel/store/sealed-places.js'
import { databaseKind, silentLog, type Teardown, testDatabase } from '../../kit/database.js'

t.setTimeout(240_000)

const first = 'the first of the secrets'
const second = 'the second of the secrets'
const third = 'the third of the secrets'
const always = () => false

type Secrets = readonly [cryptoSecret?: string, cryptoSecretPrevious?: string]

async function installation(t: Teardown) {
  const database = await testDatabase(t)
  const { knex } = database
  const dataDir = await mkdtemp(join(tmpdir(), 'waybill-rotation-'))
  t.teardown(() => rm(dataDir, { recursive: true }))
  const start = (...[cryptoSecret, cryptoSecretPrevious]: Secrets) =>
    openSecretBox({ database, dataDir, cryptoSecret, cryptoSecretPrevious })
  /** A start with both, and the whole of the work. */
  const rotate = async (...secrets: Secrets) => {
    const { rotation } = await start(...secrets)
    await reseal({ rotation: rotation!, database, log: silentLog }, always)
  }
  const option = async (key: string, value: string) => {
    await knex('options').insert({ key, value, sealed: true }).onConflict('key').merge()
  }
  const textAt = async (key: string): Promise<string> =>
    (await knex('options').where({ key }).first('value'))?.value
  return { database, knex, dataDir, start, rotate, option, textAt }
}

const refused = (message: RegExp) => ({ name: 'MasterKeyRefused', message })

t.test(`${databaseKind}: until all is sealed anew, a start needs both keys`, async (t) => {
  const { start, rotate } = await installation(t)
  const { secrets: before, rotation: none } = await start(first)
  t.equal(none, undefined)
  await t.rejects(start(second, third), refused(/Neither CRYPTO_SECRET nor CRYPTO_SECRET_PREV/))
  await t.rejects(start(second), refused(/set CRYPTO_SECRET_PREVIOUS to the one that was in use/))

  const sealed = before.seal('options:a:value', 'secret')
  const { secrets: both } = await start(second, first)
  t.equal(both.open('options:a:value', sealed), 'secret')
  t.same(both.derive('cookie'), before.derive('cookie'), 'derived keys stay')
  await t.rejects(start(first), refused(/sealed with a newer key already/))
  await t.rejects(start(second), refused(/still being sealed anew with this key/))
  await t.rejects(start(third, first), refused(/Neither/))
  await t.rejects(start(third, second), refused(/Neither/))

  await rotate(second, first)
  const { secrets: after, rotation } = await start(second)
  t.equal(rotation, undefined)
  t.same(after.derive('cookie'), before.derive('cookie'))
  t.throws(() => after.open('options:a:value', sealed), /another key/)
  await t.rejects(start(first), refused(/CRYPTO_SECRET is not the key/))
  await t.resolves(start(second, first), 'both still do')
  await rotate(third, second)
  await t.resolves(start(third), 'and again')
})

t.test(`${databaseKind}: there is a way back, and of two new keys one is refused`, async (t) => {
  const { start, rotate, option, textAt } = await installation(t)
  await start(first)
  const { secrets } = await start(second, first)
  await option('a', secrets.seal('options:a:value', 'secret'))
  await rotate(first, second)
  const { secrets: back } = await start(first)
  t.equal(back.open('options:a:value', await textAt('a')), 'secret')
  await t.rejects(start(second), refused(/is not the key/))
  const both = await Promise.allSettled([start(second, first), start(third, first)])
  t.same(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
})

t.test(`${databaseKind}: a generated key is followed by CRYPTO_SECRET`, async (t) => {
  const { start, rotate, option, textAt, dataDir } = await installation(t)
  const { secrets } = await start()
  await option('a', secrets.seal('options:a:value', 'secret'))
  await rotate(second)
  const { secrets: after, rotation } = await start(second)
  t.equal(rotation, undefined)
  t.equal(after.open('options:a:value', await textAt('a')), 'secret')
  await t.rejects(start(), refused(/secret.key is not the key/))
  await writeFile(join(dataDir, 'secret.key'), 'torn')
  await t.resolves(start(second), 'the file is nobody’s business any more')
})

t.test(`${databaseKind}: what somebody changes meanwhile stays as they left it`, async (t) => {
  const { knex, start, option, textAt } = await installation(t)
  const { secrets: old } = await start(first)
  const { secrets: now, rotation } = await start(second, first)
  const place = (key: string) => `options:${key}:value`
  for (const key of ['changed', 'gone', 'kept']) await option(key, old.seal(place(key), key))
  const [user] = await knex('users')
    .insert({ username: 'ada', password_hash: '', secrets: {} })
    .returning('id')
  const member = (name: string) => `users:${user.id}:secrets.${name}`
  const sealedOf = (box: typeof old, names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, box.seal(member(name), name)]))
  await knex('users').update({ secrets: sealedOf(old, ['a', 'b']) })

  const edits = new Map<string, () => Promise<unknown>>([
    [
      'options',
      async () => {
        await option('changed', now.seal(place('changed'), 'new'))
        await knex('options').where('key', 'gone').delete()
      },
    ],
    ['users', async () => knex('users').update({ secrets: sealedOf(now, ['a', 'c']) })],
  ])
  /** The first rows of a table are handed out after somebody has changed them. */
  const between = (table: string) => {
    const query = knex(table)
    const edit = edits.get(table)
    edits.delete(table)
    if (edit === undefined) return query
    const rows = query.then.bind(query)
    return Object.assign(query, {
      // biome-ignore lint/suspicious/noThenProperty: a query is one of those.
      then: (done: (found: unknown) => unknown, failed: (error: unknown) => unknown) =>
        rows(async (found) => {
          await edit()
          return found
        }).then(done, failed),
    })
  }
  const meanwhile = { knex: Object.assign(between, { raw: knex.raw.bind(knex) }) as typeof knex }
  await reseal({ rotation: rotation!, database: meanwhile, log: silentLog }, always)
  t.equal(edits.size, 0)
  const { secrets: after } = await start(second)
  t.equal(after.open(place('changed'), await textAt('changed')), 'new')
  t.equal(await textAt('gone'), undefined)
  t.equal(after.open(place('kept'), await textAt('kept')), 'kept')
  const { secrets: stored } = await knex('users').first('secrets')
  t.same(Object.keys(stored), ['a', 'c'])
  t.equal(after.open(member('c'), stored.c), 'c')
})

t.test(`${databaseKind}: work that was broken off goes on`, async (t) => {
  const { database, knex, start, option } = await installation(t)
  const { secrets: old } = await start(first)
  const keys = Array.from({ length: 1_100 }, (_, index) => `key ${index}`)
  await knex('options').insert(
    keys.map((key) => ({ key, value: old.seal(`options:${key}:value`, key), sealed: true })),
  )
  await option('plain', 'v1.text that is no envelope')
  const { rotation } = await start(second, first)
  const left = async () =>
    (await knex('options').where('value', 'like', `${rotation!.oldPrefix}%`)).length
  let requestCount = 0
  const terms = { rotation: rotation!, database, log: silentLog }
  await reseal(terms, () => ++requestCount > 600)
  const rest = await left()
  t.ok(rest > 0 && rest < keys.length, `${rest} are left`)
  await t.rejects(start(second), refused(/still being sealed anew/))
  await reseal(terms, always)
  t.equal(await left(), 0)
  const { secrets } = await start(second)
  for (const { key, value } of await knex('options').whereNot('key', 'plain')) {
    if (secrets.open(`options:${key}:value`, value) !== key) t.fail(key)
  }
})

t.test(
  `${databaseKind}: what does not open is named, and the key before stays needed`,
  async (t) => {
    const { database, knex, start, option } = await installation(t)
    const { secrets: old } = await start(first)
    await option('moved', old.seal('options:elsewhere:value', 'secret'))
    await option('sound', old.seal('options:sound:value', 'secret'))
    const { secrets, rotation } = await start(second, first)
    const results: unknown[] = []
    const log = { ...silentLog, error: (fields: object) => void results.push(fields) }
    const terms = { rotation: rotation!, database, log }
    await reseal(terms, always)
    t.match(results, [{ count: 1, places: ['options:moved:value'] }])
    await t.rejects(start(second), refused(/still being sealed anew/))
    const { value } = await knex('options').where('key', 'sound').first('value')
    t.equal(secrets.open('options:sound:value', value), 'secret')
    await knex('options').where('key', 'moved').delete()
    await reseal(terms, always)
    await t.resolves(start(second))
  },
)

t.test(
  'every column that is named as one of secrets is among those that are sealed anew',
  async (t) => {
    const { knex } = await testDatabase(t)
    const named = await knex('information_schema.columns')
      .where('table_schema', 'public')
      .whereIn('data_type', ['text', 'jsonb', 'json', 'bytea', 'ARRAY'])
      .whereRaw("column_name ~ 'seal|secret|cipher|crypt'")
      .select('table_name', 'column_name')
    const known = new Set(sealedColumns.map(({ table, column }) => `${table}.${column}`))
    for (const { table_name, column_name } of named) {
      t.ok(known.has(`${table_name}.${column_name}`), `${table_name}.${column_name}`)
    }
    t.ok(named.length >= 5)
  },
)
