/** Telegram: what its login widget signs, and everything that is not quite it. */
import { createHash, createHmac } from 'node:crypto'
import t from 'tap'
import create from '../../../plugins/oauth/telegram/index.js'
import { conformingOAuth, type OAuthRefusal, type OAuthSubject } from '../../conformance/index.js'
import { bench } from '../../conformance/oauth-bench.js'
import { manifestText } from './recorded.js'

type Params = Readonly<Record<string, string>>

const botToken = '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw'
const now = Date.UTC(2026, 10, 1, 12)
const seconds = now / 1000

const durov: Params = {
  id: '5000000001',
  first_name: 'Ada',
  last_name: 'Lovelace',
  username: 'ada',
  photo_url: 'https://t.me/i/userpic/320/ada.jpg',
  auth_date: String(seconds - 20),
}

/** As Telegram signs, written out anew. */
function signed(fields: Params, token = botToken): Params {
  const text = Object.keys(fields)
    .sort()
    .map((name) => `${name}=${fields[name]}`)
    .join('\n')
  const key = createHash('sha256').update(token).digest()
  return { ...fields, hash: createHmac('sha256', key).update(text).digest('hex') }
}

const nobody = () => undefined

function refusal(name: string, params: Params, message: RegExp): OAuthRefusal {
  return { name, params, message, upstream: nobody }
}

const good = signed(durov)
const { hash: goodHash = '', ...unsigned } = good

const subject: OAuthSubject = {
  manifest: manifestText('telegram'),
  create,
  now,
  settings: { botToken, botName: 'waybill_bot' },
  signIns: [
    {
      name: 'a person with everything',
      params: good,
      upstream: nobody,
      identity: { subject: '5000000001', username: 'ada', displayName: 'Ada Lovelace' },
    },
    {
      name: 'a person with a first name alone',
      params: signed({ id: '7', first_name: 'Bo', auth_date: durov.auth_date! }),
      upstream: nobody,
      identity: { subject: '7', username: undefined, displayName: 'Bo', email: undefined },
    },
  ],
  refusals: [
    refusal('no signature', unsigned, /not signed/),
    refusal('an empty signature', { ...good, hash: '' }, /not signed/),
    refusal('a shortened signature', { ...good, hash: goodHash.slice(0, 62) }, /not signed/),
    refusal('a longer signature', { ...good, hash: `${goodHash}00` }, /not signed/),
    refusal('a signature by another bot', signed(durov, `${botToken}x`), /not signed/),
    refusal('another person under the same signature', { ...good, id: '1' }, /not signed/),
    refusal('a later time under the same signature', { ...good, auth_date: `${seconds}` }, /not s/),
    refusal('a field less under the same signature', without(good, 'username'), /not signed/),
    refusal('a sign-in of long ago', signedAt(-301), /more than 5 minutes old/),
    refusal('a sign-in of the future', signedAt(61), /in the future/),
    refusal('a time that is none', signed({ ...durov, auth_date: 'now' }), /no time/),
    refusal('a time that is missing', signed(without(durov, 'auth_date')), /no time/),
    refusal('a field Telegram has not', signed({ ...durov, admin: 'true' }), /no such field/),
    refusal('nobody', signed(without(durov, 'id')), /no id/),
    refusal('an id that is no number', signed({ ...durov, id: '7 ' }), /no id/),
  ],
}

conformingOAuth((title, run) => t.test(title, async () => run()), subject)

t.test('the signature is the one Telegram’s document describes', async (t) => {
  // Made by hashlib and hmac of Python: the lines in order of their names, the SHA-256 of the token as key.
  const fields = { id: '42', first_name: 'A', auth_date: '1793534380' }
  const hash = 'b734db6881ef7eb2e50f1b2c63eab8f782fd3f0fb740f20eb820647b258d81d2'
  t.equal(signed(fields).hash, hash)
})

t.test('the limits of age themselves are within', async (t) => {
  for (const offset of [-300, 60]) t.equal(await subjectOf(signedAt(offset)), '5000000001')
})

t.test('a name with a line break cannot pass for another person', async (t) => {
  // Somebody named "A\nid=1\nlast_name=B" would be signed with the very lines of the person 1.
  const theirs = signed({ id: '5', first_name: 'A\nid=1\nlast_name=B', auth_date: `${seconds}` })
  t.match(await errorOf(theirs), { message: "Telegram's field first_name is more than a line." })
  const split = { first_name: 'A', id: '1', last_name: 'B\nid=5' }
  const forged = { ...split, auth_date: `${seconds}`, hash: theirs.hash! }
  t.match(await errorOf(forged), { message: "Telegram's field last_name is more than a line." })
})

t.test('a field that stands twice is refused before anything is compared', async (t) => {
  for (const name of ['id', 'hash', 'auth_date']) {
    const twice = { ...good, [name]: [good[name], good[name]] } as unknown as Params
    t.match(await errorOf(twice), { message: `Telegram's field ${name} is no text.` })
  }
})

const packed = (fields: object) => ({
  tgAuthResult: Buffer.from(JSON.stringify(fields)).toString('base64url'),
})

t.test('the browser goes to the page of Telegram and is reported where to come back', async (t) => {
  const { provider } = bench(subject, { params: good })
  const redirectUri = 'https://gateway.example:8443/oauth/telegram'
  const ask = { state: 'a state', redirectUri, codeChallenge: '', nonce: '' }
  const address = await provider.authorize?.(ask)
  t.equal(`${address?.origin}${address?.pathname}`, 'https://oauth.telegram.org/auth')
  t.strictSame(Object.fromEntries(address?.searchParams ?? []), {
    bot_id: '110201543',
    origin: 'https://gateway.example:8443',
    return_to: `${redirectUri}?state=a+state`,
  })
  t.notMatch(address?.href, /AAHdqTcv/)
})

t.test('what comes back in the hash is read as Telegram packs it', async (t) => {
  const { id, ...rest } = good
  t.equal(await subjectOf(packed({ ...rest, id: Number(id) })), '5000000001')
  t.match(await errorOf(packed({ ...good, id: 1 })), { message: /not signed/ })
  t.match(await errorOf({ ...packed(good), id: '1' }), { message: /twice/ })
  t.match(await errorOf(packed({ ...good, id: [5] })), { message: /no text/ })
  for (const tgAuthResult of ['', 'false', 'bnVsbA', 'W10', '%%%']) {
    t.match(await errorOf({ tgAuthResult }), { message: /cannot be read/ }, tgAuthResult)
  }
})

t.test('without a token nothing is believed', async (t) => {
  const params = signed(durov, '')
  const at = bench(subject, { settings: { botName: 'waybill_bot' }, params })
  t.equal(at.provider.ready(), false)
  t.match(await at.refused(), { message: /not set/ })
})

function signedAt(offsetSeconds: number): Params {
  return signed({ ...durov, auth_date: String(seconds + offsetSeconds) })
}

function without(fields: Params, name: string): Params {
  const { [name]: _left, ...rest } = fields
  return rest
}

const errorOf = (params: Params) => bench(subject, { params }).refused()
const subjectOf = async (params: Params) => (await bench(subject, { params }).identify()).subject
