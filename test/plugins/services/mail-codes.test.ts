/** Codes sent by mail: how long, how often, and by whom they count. */
import { createHash } from 'node:crypto'
import t from 'tap'
import { wholeDatabase } from '../../spec/whole-database.js'
import { joiningHouse, tally, verdict } from './joining-house.js'

const house = await joiningHouse(t)
const { clock, mails, stored, database } = house
const codes = house['mail-codes']

let addresses = 0
const newAddress = () => `person${++addresses}@example.com`

async function sent(email: string, purpose: 'verification' | 'reset' = 'verification') {
  await codes.send(email, purpose)
  const mail = mails.at(-1)!
  return { ...mail, value: String(mail.notice.values[0]) }
}

const use = (email: string, code: string) => verdict(codes.use(email, 'verification', code))
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

t.test('a code of six digits counts once, for its address and purpose', async (t) => {
  const email = newAddress()
  const { address, notice, value } = await sent(email.toUpperCase())
  t.equal(address, email, 'one spelling of every address')
  t.match(notice, { type: 'verification', title: /Test gate/, content: /\{\{value\}\}/ })
  t.match(value, /^\d{6}$/)
  t.equal(await use(newAddress(), value), 'mail_code_invalid')
  t.equal(await verdict(codes.use(email, 'reset', value)), 'mail_code_invalid')
  t.equal(await use(email, value), 'done')
  t.equal(await use(email, value), 'mail_code_invalid')
})

t.test('of fifty who bring the right code at once, one has it', async (t) => {
  const email = newAddress()
  const { value } = await sent(email)
  const answers = await Promise.all(Array.from({ length: 50 }, () => use(email, value)))
  t.same(tally(answers), { done: 1, mail_code_invalid: 49 })
})

t.test('after five tries a code is gone, the right one included', async (t) => {
  const email = newAddress()
  const { value } = await sent(email)
  for (let tries = 0; tries < 4; tries++) await use(email, wrong(value))
  const last = newAddress()
  const other = await sent(last)
  for (let tries = 0; tries < 5; tries++) {
    t.equal(await use(last, wrong(other.value)), 'mail_code_invalid')
  }
  t.equal(await use(email, value), 'done', 'the fifth try still counts')
  t.equal(await use(last, other.value), 'mail_code_invalid')
  t.equal(await use(last, 'x'.repeat(10_000)), 'mail_code_invalid')
})

t.test('a code is over after ten minutes, a link after fifteen', async (t) => {
  const [soon, late, link, lateLink] = [newAddress(), newAddress(), newAddress(), newAddress()]
  const values = [await sent(soon), await sent(late)].map(({ value }) => value)
  const links = [await sent(link, 'reset'), await sent(lateLink, 'reset')].map(({ value }) =>
    String(new URL(value).searchParams.get('token')),
  )
  clock.advance(599_999)
  t.equal(await use(soon, values[0]!), 'done')
  clock.advance(1)
  t.equal(await use(late, values[1]!), 'mail_code_invalid')
  clock.advance(299_999)
  t.equal(await verdict(codes.use(link, 'reset', links[0]!)), 'done')
  clock.advance(1)
  t.equal(await verdict(codes.use(lateLink, 'reset', links[1]!)), 'mail_code_invalid')
})

t.test(
  'another is sent after a minute at the earliest, and takes the place of the first',
  async (t) => {
    const email = newAddress()
    const first = await sent(email)
    clock.advance(59_000)
    await t.rejects(codes.send(email, 'verification'), {
      code: 'rate_limit_exceeded',
      headers: { 'retry-after': '1' },
    })
    await codes.send(email, 'reset')
    clock.advance(1_000)
    const second = await sent(email)
    if (first.value !== second.value) t.equal(await use(email, first.value), 'mail_code_invalid')
    t.equal(await use(email, second.value), 'done')
  },
)

t.test('of many asked for at once, one mail goes out', async (t) => {
  const email = newAddress()
  const before = mails.length
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => verdict(codes.send(email, 'verification'))),
  )
  t.same(tally(answers), { done: 1, rate_limit_exceeded: 19 })
  t.equal(mails.length, before + 1)
})

t.test('a link leads where the admin says, and nobody spoils it by guessing', async (t) => {
  const email = 'o+dd&one@example.com'
  const { notice, value } = await sent(email, 'reset')
  t.equal(notice.type, 'reset')
  const link = new URL(value)
  t.equal(link.origin + link.pathname, 'https://gate.example/user/reset')
  t.equal(link.searchParams.get('email'), email)
  const token = String(link.searchParams.get('token'))
  t.equal(Buffer.from(token, 'base64url').length, 32)
  for (let tries = 0; tries < 20; tries++) {
    t.equal(await verdict(codes.use(email, 'reset', 'x'.repeat(43))), 'mail_code_invalid')
  }
  t.equal(await verdict(codes.use(email, 'reset', token)), 'done')
  t.equal(await verdict(codes.use(email, 'reset', token)), 'mail_code_invalid')
  stored.ServerAddress = ''
  t.match((await sent(newAddress(), 'reset')).value, /^\/user\/reset\?/)
  stored.ServerAddress = 'https://gate.example/'
})

t.test('a mail that cannot be written leaves no code', async (t) => {
  const email = newAddress()
  const { notifications } = house
  const mail = notifications.mail
  Object.assign(notifications, { mail: () => Promise.reject(new Error('no outbox')) })
  t.teardown(() => Object.assign(notifications, { mail }))
  await t.rejects(codes.send(email, 'verification'))
  t.same(await database.knex('mail_codes').where({ email }), [])
})

t.test('neither a code nor its plain hash stands in the database', async (t) => {
  const email = newAddress()
  const { value } = await sent(email, 'reset')
  const token = String(new URL(value).searchParams.get('token'))
  const text = [...(await wholeDatabase(database.knex)).values()].flat().join('\n')
  t.match(text, email)
  t.notMatch(text, token)
  t.notMatch(text, createHash('sha256').update(token).digest('hex'))
  await t.rejects(codes.send('no address', 'reset'), { code: 'invalid_field', param: 'email' })
})
