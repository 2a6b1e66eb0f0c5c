/**
 * Signing in with Telegram: its page sends the browser back with fields that are signed with the token of a bot. Nobody
 * is called; who may be believed follows from the signature and its age alone.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { isObject } from '../../../kernel/contract/json.js'
import type { OutgoingKit } from '../../../kernel/contract/kit.js'
import type {
  AuthorizationRequest,
  OAuthAnswer,
  OAuthIdentity,
  OAuthProvider,
} from '../../../kernel/contract/oauth.js'
import { someText } from '../../../kernel/toolkit/json/index.js'
import { digitsSubject } from '../../../kernel/toolkit/oauth/index.js'

type Fields = OAuthAnswer['params']

export default function create({ settings, clock }: OutgoingKit): OAuthProvider {
  /** The page the widget of Telegram opens; the browser comes back to ours with the fields in the hash. */
  function authorize({ state, redirectUri }: AuthorizationRequest): URL {
    const back = new URL(redirectUri)
    back.searchParams.set('state', state)
    const address = new URL('https://oauth.telegram.org/auth')
    address.searchParams.set('bot_id', botIdIn(settings.string('botToken')))
    address.searchParams.set('origin', back.origin)
    address.searchParams.set('return_to', back.href)
    return address
  }

  async function identify({ params }: OAuthAnswer): Promise<OAuthIdentity> {
    const { hash, ...fields } = telegramFields(unpacked(params))
    assertSigned(fields, hash, settings.string('botToken'))
    assertFresh(fields.auth_date, clock.now())
    const name = [fields.first_name, fields.last_name].filter((part) => part).join(' ')
    return {
      subject: digitsSubject('Telegram', fields.id),
      username: someText(fields.username),
      displayName: someText(name),
    }
  }

  return {
    authorize,
    identify,
    ready: () => /^\d+:./.test(settings.string('botToken')),
  }
}

/** It stands before the token and is no secret. */
function botIdIn(token: string): string {
  return token.split(':', 1)[0] ?? ''
}

/** What comes in the hash is JSON in base64url; what a script on a page was given are the fields themselves. */
function unpacked(params: Fields): Fields {
  const { tgAuthResult: packed, ...rest } = params
  if (packed === undefined) return params
  const fields = fieldsIn(String(packed))
  if (fields === undefined) throw new Error('What Telegram brought back cannot be read.')
  const texts = Object.entries(fields).map(([name, value]) => [
    name,
    // An id is a number there.
    typeof value === 'number' ? String(value) : value,
  ])
  // Beside them nothing counts: fields given twice would be one signature for two things.
  for (const name of known)
    if (name in rest) throw new Error(`Telegram's field ${name} is twice there.`)
  return Object.fromEntries(texts)
}

function fieldsIn(packed: string): object | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(packed, 'base64url').toString('utf8'))
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

const known: ReadonlySet<string> = new Set([
  'auth_date',
  'first_name',
  'hash',
  'id',
  'last_name',
  'photo_url',
  'username',
])
/** What the gateway's own address of a sign-in takes beside them. */
const own: ReadonlySet<string> = new Set(['code', 'state'])

function telegramFields(params: Fields): Fields {
  const entries = Object.entries(params).filter(([name]) => !own.has(name))
  for (const [name, value] of entries) {
    if (!known.has(name)) throw new Error('The widget of Telegram has no such field.')
    if (typeof value !== 'string') throw new Error(`Telegram's field ${name} is no text.`)
    // Fields are signed line by line: a value with a line break could pass for two fields.
    if (value.includes('\n')) throw new Error(`Telegram's field ${name} is more than a line.`)
  }
  return Object.fromEntries(entries)
}

function assertSigned(fields: Fields, hash: string | undefined, botToken: string): void {
  if (botToken === '') throw new Error('The token of the bot of Telegram is not set.')
  const lines = Object.entries(fields).map(([name, value]) => `${name}=${value}`)
  const key = createHash('sha256').update(botToken).digest()
  const signature = createHmac('sha256', key).update(lines.sort().join('\n')).digest()
  const given = /^[0-9a-f]{64}$/.test(hash ?? '') ? Buffer.from(hash!, 'hex') : Buffer.alloc(0)
  if (given.length === signature.length && timingSafeEqual(given, signature)) return
  throw new Error("Telegram's fields are not signed with the token of this gateway's bot.")
}

const oldestMs = 5 * 60_000
/** How far the clocks may differ. */
const aheadMsMax = 60_000

function assertFresh(authDate: string | undefined, now: number): void {
  if (!/^\d{1,12}$/.test(authDate ?? ''))
    throw new Error('Telegram returned no time of the sign-in.')
  const age = now - Number(authDate) * 1000
  if (age > oldestMs) throw new Error('The sign-in with Telegram is more than 5 minutes old.')
  if (age < -aheadMsMax) throw new Error('The sign-in with Telegram lies in the future.')
}
