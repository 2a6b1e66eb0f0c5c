/**
 * The key of a channel: what signing in left behind, as JSON. Either flat, `{access_token, refresh_token, account_id}`,
 * or as the assistant's own `auth.json` has it, with these under `tokens`.
 */
import { isObject, type Json, type JsonObject } from '../../kernel/contract/json.js'
import { Refusal } from '../../kernel/toolkit/errors/index.js'

export interface Session {
  readonly accessToken: string
  /** Absent: it cannot be renewed. */
  readonly refreshToken?: string
  readonly accountId?: string
}

/** What a renewal brings. What is absent stays as it was. */
export interface Renewal {
  readonly access_token?: string
  readonly refresh_token?: string
  readonly id_token?: string
}

/** Throws `channel:invalid_key`. */
export function sessionOf(key: string): Session {
  const document = documentOf(key)
  const { access_token, refresh_token, id_token, account_id } = tokensOf(document)
  if (typeof access_token !== 'string') throw new Refusal('channel:invalid_key')
  return {
    accessToken: access_token,
    refreshToken: textOf(refresh_token),
    accountId:
      textOf(account_id) ??
      textOf(document.account_id) ??
      accountIn(access_token) ??
      accountIn(textOf(id_token) ?? ''),
  }
}

/** The same key with new tokens, in the shape it came in. */
export function renewedKey(key: string, renewal: Renewal, now: number): string {
  const document = documentOf(key)
  const reported = { last_refresh: new Date(now).toISOString() }
  const renewed = isObject(document.tokens)
    ? { ...document, tokens: { ...document.tokens, ...renewal }, ...reported }
    : { ...document, ...renewal, ...reported }
  return JSON.stringify(renewed)
}

/** Unix milliseconds at which a token ends; undefined where it holds none. */
export function endOf(token: string): number | undefined {
  const { exp } = claimsOf(token)
  return typeof exp === 'number' && Number.isFinite(exp) ? exp * 1000 : undefined
}

const authClaim = 'https://api.openai.com/auth'

function accountIn(token: string): string | undefined {
  const claim = claimsOf(token)[authClaim]
  return isObject(claim) ? textOf(claim.chatgpt_account_id) : undefined
}

/** Read, not verified: it is the service that has to believe them. */
function claimsOf(token: string): JsonObject {
  const [, claims = ''] = token.split('.')
  return parsed(Buffer.from(claims, 'base64url').toString('utf8')) ?? {}
}

function documentOf(key: string): JsonObject {
  const document = parsed(key)
  if (document === undefined) throw new Refusal('channel:invalid_key')
  return document
}

function tokensOf(document: JsonObject): JsonObject {
  return isObject(document.tokens) ? document.tokens : document
}

function parsed(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
