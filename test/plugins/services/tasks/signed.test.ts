/** Addresses of results that work without a key: what is accepted, and every way to change one. */
import { createHash } from 'node:crypto'
import t from 'tap'
import { createSigned } from '../../../../plugins/services/tasks/signed.js'
import { FakeClock } from '../../../kit/clock.js'

const clip = { taskId: 'task_1', userId: 7, operation: 'video' } as const
const lifeMs = 15 * 60_000

function signed(serverAddress?: string, clock = new FakeClock()) {
  const secrets = { derive: (purpose: string) => createHash('sha256').update(purpose).digest() }
  const addresses = createSigned({ secrets, clock, serverAddress: () => serverAddress })
  return { ...addresses, clock }
}

function queryOf(address: string): Record<string, string> {
  return Object.fromEntries(new URL(address, 'http://gateway.example').searchParams)
}

t.test('[API-6] an address works for its task, result and user, for 15 minutes', (t) => {
  const { of, check, clock } = signed()
  const address = of(clip, 2)
  t.match(address, /^\/v1\/tasks\/task_1\/results\/2\?uid=7&expires=\d+&signature=[0-9a-f]{64}$/)
  const query = queryOf(address)
  t.strictSame(check('task_1', 2, query), { userId: 7 })
  clock.advance(lifeMs - 1000)
  t.strictSame(check('task_1', 2, query), { userId: 7 })
  clock.advance(1000)
  t.throws(() => check('task_1', 2, query), { code: 'signature_invalid', status: 403 })
  t.end()
})

t.test('[API-6] a picture of Midjourney has the path its clients know', (t) => {
  const { of, check } = signed('https://gateway.example')
  const picture = { ...clip, operation: 'midjourney' } as const
  t.match(of(picture, 0), /^https:\/\/gateway\.example\/mj\/image\/task_1\?uid=7&/)
  t.match(of(picture, 1), /^https:\/\/gateway\.example\/v1\/tasks\/task_1\/results\/1\?/)
  t.strictSame(check('task_1', 0, queryOf(of(picture, 0))), { userId: 7 })
  t.end()
})

t.test('[API-6] the key of another purpose signs nothing here', (t) => {
  const { of, check } = signed()
  const clock = new FakeClock()
  const secrets = { derive: () => Buffer.alloc(32) }
  const others = createSigned({ secrets, clock, serverAddress: () => undefined })
  t.throws(() => check('task_1', 0, queryOf(others.of(clip, 0))), { code: 'signature_invalid' })
  t.throws(() => others.check('task_1', 0, queryOf(of(clip, 0))), { code: 'signature_invalid' })
  t.end()
})

type Query = Record<string, string>

/** Each makes something else of the query of result 1 of task_1. */
const tampered: Readonly<Record<string, (query: Query) => unknown>> = {
  'another user': (query) => ({ ...query, uid: '8' }),
  'a user with a zero before it': (query) => ({ ...query, uid: '07' }),
  'a user with a plus sign': (query) => ({ ...query, uid: '+7' }),
  'a user with a blank': (query) => ({ ...query, uid: '7 ' }),
  'a user with a fraction': (query) => ({ ...query, uid: '7.0' }),
  'a user as a power': (query) => ({ ...query, uid: '7e0' }),
  'an empty user': (query) => ({ ...query, uid: '' }),
  'no user': ({ uid: _, ...query }) => query,
  'several users': (query) => ({ ...query, uid: ['7', '8'] }),
  'a later end': (query) => ({ ...query, expires: String(Number(query.expires) + 1) }),
  'an earlier end': (query) => ({ ...query, expires: String(Number(query.expires) - 1) }),
  'an end in milliseconds': (query) => ({ ...query, expires: `${query.expires}000` }),
  'an end with a zero before it': (query) => ({ ...query, expires: `0${query.expires}` }),
  'an end that never comes': (query) => ({ ...query, expires: 'Infinity' }),
  'no end': ({ expires: _, ...query }) => query,
  'several ends': (query) => ({ ...query, expires: [query.expires, query.expires] }),
  'a digit moved from the end to the user': ({ uid, expires, ...query }) => ({
    ...query,
    uid: `${uid}${expires?.[0]}`,
    expires: expires?.slice(1),
  }),
  'no signature': ({ signature: _, ...query }) => query,
  'an empty signature': (query) => ({ ...query, signature: '' }),
  'a signature cut short': (query) => ({ ...query, signature: query.signature?.slice(0, -1) }),
  'a signature with more behind it': (query) => ({ ...query, signature: `${query.signature}0` }),
  'a signature in capitals': (query) => ({ ...query, signature: query.signature?.toUpperCase() }),
  'another digit in the signature': (query) => ({
    ...query,
    signature: query.signature?.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
  }),
  'a signature of as many other characters': (query) => ({ ...query, signature: 'ä'.repeat(32) }),
  'a signature among several': (query) => ({ ...query, signature: [query.signature, 'x'] }),
}

for (const [how, tamper] of Object.entries(tampered)) {
  t.test(`[API-6] an address with ${how} is refused`, (t) => {
    const { of, check } = signed()
    const query = queryOf(of(clip, 1))
    t.strictSame(check('task_1', 1, query), { userId: 7 }, 'as it was made it works')
    const changed = tamper(query) as Query
    t.throws(() => check('task_1', 1, changed), { code: 'signature_invalid', status: 403 })
    t.end()
  })
}

t.test('[API-6] an address is good for no other task and no other result', (t) => {
  const { of, check } = signed()
  const query = queryOf(of({ ...clip, taskId: 'task_1' }, 23))
  t.strictSame(check('task_1', 23, query), { userId: 7 })
  for (const [task, index] of [
    ['task_2', 23],
    ['task_1', 2],
    ['task_12', 3],
    ['task_1', 0],
    ['', 23],
  ] as const) {
    t.throws(() => check(task, index, query), { code: 'signature_invalid' }, `${task} ${index}`)
  }
  t.end()
})

t.test('[API-6] one that lasts longer than 15 minutes is refused, whoever signed it', (t) => {
  const { check, clock } = signed()
  const ahead = signed(undefined, new FakeClock(clock.now() + 60_000))
  const query = queryOf(ahead.of(clip, 0))
  t.throws(() => check('task_1', 0, query), { code: 'signature_invalid' })
  t.strictSame(ahead.check('task_1', 0, query), { userId: 7 })
  t.end()
})
