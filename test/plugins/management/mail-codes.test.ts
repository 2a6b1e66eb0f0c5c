/** Codes sent by mail: how long, how often, and by whom they count. */
import { createHash } from 'node:crypto'
import t from 'tap'
import { wholeDatabase } from '../../spec/whole-database.js'
import { joiningFixture, tally, verdict } from '../services/joining-fixture.js'

const gateway = await joiningFixture(t)
const { clock, mails, stored, database } = gateway
const codes = gateway.mailCodes

let addresses = 0
const newAddress = () => `person${++addresses}@example.com`

async function sent(email: string, purpose: 'verification' | 'reset' = 'verification') {
  await codes.send(email, purpose)
  const mail = mails.at(-1)!
  return { ...mail, value: String(mail.notice.values[0]) }
}

const use = (email: string, code: string) => verdict(codes.use(email, 'verification', code))
const wrong = (code: string) => `${code.slice(0, -1)}${code.endsWith('0') ? '1' : '0'}`

t.test('a code of eight letters counts once, for its address and purpose', async (t) => {
  const email = newAddress()
  const { address, notice, value } = await sent(email.toUpperCase())
  t.equal(address, email, 'one spelling of every address')
  t.match(notice, { type: 'verification', title: /Test gate/, content: /\{\{value\}\}/ })
  t.match(value, /^[0-9a-hjkmnp-tv-z]{4}-[0-9a-hjkmnp-tv-z]{4}$/)
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

t.test('[LIMIT-4] a code stands however often others guess, and however it is typed', async (t) => {
  const email = newAddress()
  const { value } = await sent(email)
  for (let tries = 0; tries < 50; tries++) {
    t.equal(await use(email, wrong(value)), 'mail_code_invalid')
  }
  t.equal(await use(email, 'x'.repeat(10_000)), 'mail_code_invalid')
  const typed = value.replace('-', ' ').replace('0', 'O').replace('1', 'l').toUpperCase()
  t.equal(await use(email, ` ${typed}`), 'done')
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

t.test('whoever asks again, the owner has one code and three mails of it', async (t) => {
  const email = newAddress()
  const before = mails.length
  const first = await sent(email)
  clock.advance(59_999)
  await codes.send(email, 'verification')
  t.equal(mails.length, before + 1, 'it lies in the mailbox already')
  clock.advance(1)
  for (let minutes = 1; minutes < 9; minutes++) {
    const { value } = await sent(email)
    t.equal(value, first.value, 'the same again, so that none spoils another')
    clock.advance(60_000)
  }
  t.equal(mails.length, before + 3)
  t.match(mails.at(-1)?.notice.content, /valid for 8 minutes/)
  t.equal(await use(email, first.value), 'done')
  t.not((await sent(email)).value, first.value, 'one that was used does not come again')
  clock.advance(600_000)
  await codes.send(email, 'reset')
  const later = await sent(email)
  t.equal(await use(email, later.value), 'done', 'nor does one that is over')
})

t.test('of many requested at once, one mail goes out', async (t) => {
  const email = newAddress()
  const before = mails.length
  await Promise.all(Array.from({ length: 20 }, () => codes.send(email, 'verification')))
  t.equal(mails.length, before + 1)
})

t.test('a link leads where the admin states, and nobody spoils it by guessing', async (t) => {
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
  const { notifications } = gateway
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
