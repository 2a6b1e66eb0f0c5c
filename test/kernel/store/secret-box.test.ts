/** Envelopes open only where they belong, and only with the key of the installation. */
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { openSecretBox } from '../../../kernel/store/open-secret-box.js'
import { createSeals, createSecretBox, prefixOf } from '../../../kernel/store/secret-box.js'
import { databaseKind, type Teardown, testDatabase } from '../../kit/database.js'

t.setTimeout(240_000)

async function directory(t: Teardown): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'waybill-key-'))
  t.teardown(() => rm(made, { recursive: true }))
  return made
}

const master = Buffer.alloc(32, 7)
const place = 'channels:12:key'

t.test('a sealed secret opens at its own place only', async (t) => {
  const box = createSeals(master)
  for (const secret of ['', 'sk-plain', 'schlüssel ✓', 'x'.repeat(100_000)]) {
    const sealed = box.seal(place, secret)
    t.equal(box.open(place, sealed), secret)
    t.notMatch(sealed, 'sk-plain')
    t.throws(() => box.open('channels:13:key', sealed), { name: 'SealBroken' })
  }
  t.not(box.seal(place, 'same'), box.seal(place, 'same'), 'never the same text twice')
})

t.test('another key and damaged envelopes are refused', async (t) => {
  const box = createSeals(master)
  const sealed = box.seal(place, 'secret')
  const other = createSeals(Buffer.alloc(32, 8))
  t.throws(() => other.open(place, sealed), /another key/)
  const [version, id, body = ''] = sealed.split('.')
  const borrowed = other.seal(place, 'secret').split('.')[1]
  t.throws(() => other.open(place, `${version}.${borrowed}.${body}`), { name: 'SealBroken' })
  const bytes = Buffer.from(body, 'base64url')
  for (let at = 0; at < bytes.length; at += 1) {
    const bent = Buffer.from(bytes)
    bent[at] = (bent[at] ?? 0) ^ 1
    const text = `${version}.${id}.${bent.toString('base64url')}`
    t.throws(() => box.open(place, text), { name: 'SealBroken' })
  }
  for (const text of ['', 'secret', 'v2.a.b', `v1.${id}.`, `${sealed}.more`]) {
    t.throws(() => box.open(place, text), { name: 'SealBroken' }, text)
  }
})

t.test('with a key beside it, seals are of the one and open of both', async (t) => {
  const before = createSeals(Buffer.alloc(32, 8))
  const box = createSeals(master, [Buffer.alloc(32, 8)])
  const sealed = before.seal(place, 'secret')
  t.ok(sealed.startsWith(prefixOf(Buffer.alloc(32, 8))))
  t.equal(box.open(place, sealed), 'secret')
  t.throws(() => box.open('channels:13:key', sealed), { name: 'SealBroken' })
  const anew = box.seal(place, 'secret')
  t.ok(anew.startsWith(prefixOf(master)))
  t.equal(createSeals(master).open(place, anew), 'secret')
  t.throws(() => before.open(place, anew), /another key/)
})

t.test('derived keys differ by purpose and hang on the root alone', async (t) => {
  const root = Buffer.alloc(32, 1)
  const box = createSecretBox(createSeals(master), root)
  t.equal(box.derive('cookie').length, 32)
  const other = createSecretBox(createSeals(Buffer.alloc(32, 8)), Buffer.from(root))
  t.same(box.derive('cookie'), other.derive('cookie'))
  t.notSame(box.derive('cookie'), box.derive('image'))
  t.notSame(box.derive('seal'), createSecretBox(createSeals(master), master).derive('seal'))
})

t.test(
  `${databaseKind}: without CRYPTO_SECRET a key is made once, for its owner alone`,
  async (t) => {
    const database = await testDatabase(t)
    const dataDir = await directory(t)
    const opened = await Promise.all([1, 2, 3].map(() => openSecretBox({ database, dataDir })))
    const boxes = opened.map(({ secrets }) => secrets)
    const sealed = boxes[0]?.seal(place, 'secret') ?? ''
    for (const box of boxes) t.equal(box.open(place, sealed), 'secret')
    for (const box of boxes) t.same(box.derive('cookie'), boxes[0]?.derive('cookie'))
    t.same(await readdir(dataDir), ['secret.key'])
    t.equal((await stat(join(dataDir, 'secret.key'))).mode & 0o777, 0o600)
    const { secrets: again } = await openSecretBox({ database, dataDir })
    t.equal(again.open(place, sealed), 'secret')
    const stored = await database.knex('facts').pluck('value')
    const key = (await readFile(join(dataDir, 'secret.key'), 'utf8')).trim()
    t.notMatch(stored.join(), key)
  },
)

t.test(`${databaseKind}: another key than the one in use refuses to start`, async (t) => {
  const database = await testDatabase(t)
  const dataDir = await directory(t)
  const cryptoSecret = 'a long enough secret'
  const { secrets: box } = await openSecretBox({ database, dataDir, cryptoSecret })
  const { secrets: again } = await openSecretBox({ database, dataDir, cryptoSecret })
  t.same(again.derive('cookie'), box.derive('cookie'))
  t.equal(again.open(place, box.seal(place, 'secret')), 'secret')
  t.same(await readdir(dataDir), [], 'no file is made beside it')

  const refused = { name: 'MasterKeyRefused' }
  const start = (secret?: string) => openSecretBox({ database, dataDir, cryptoSecret: secret })
  await t.rejects(start('another secret, long'), {
    ...refused,
    message: /CRYPTO_SECRET is not the/,
  })
  await t.rejects(start(), { ...refused, message: /neither CRYPTO_SECRET nor .*secret.key/ })
  t.same(await readdir(dataDir), [], 'no key is made where another one is needed')
  await writeFile(join(dataDir, 'secret.key'), Buffer.alloc(32).toString('base64'))
  await t.rejects(start(), { ...refused, message: /secret.key is not the key/ })
  await writeFile(join(dataDir, 'secret.key'), 'torn')
  await t.rejects(start(), { ...refused, message: /does not hold a key/ })
})

t.test('a secret that is short or a placeholder is refused', async (t) => {
  const database = await testDatabase(t)
  const dataDir = await directory(t)
  const start = (cryptoSecret: string) => openSecretBox({ database, dataDir, cryptoSecret })
  await t.rejects(start('random_string'), { name: 'MasterKeyRefused', message: /placeholder/ })
  await t.rejects(start('fifteen letters'), {
    name: 'MasterKeyRefused',
    message: /shorter than 16/,
  })
  t.same(await database.knex('facts').select(), [])
})
