/** Sessions of nobody: tokens that end when a test states so. */
import type { JsonObject } from '../../kernel/contract/json.js'

/** As the service makes them, but for the signature. */
export function jwt(claims: JsonObject): string {
  const part = (value: JsonObject) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ alg: 'RS256', typ: 'JWT' })}.${part(claims)}.c2lnbmF0dXJl`
}

export const auth = 'https://api.openai.com/auth'

/** `end` in Unix milliseconds. */
export function accessToken(end: number, name = 'one'): string {
  const claim = { chatgpt_account_id: 'acc-of-the-token', chatgpt_plan_type: 'plus' }
  return jwt({ exp: Math.floor(end / 1000), jti: name, [auth]: claim })
}

export function sessionKey(fields: JsonObject): string {
  return JSON.stringify({ refresh_token: 'refresh-0', account_id: 'acc-1', ...fields })
}
