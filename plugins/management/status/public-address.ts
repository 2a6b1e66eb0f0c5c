/** The public address: links in mails, the way back from sign-in providers and code samples all begin with it. */
import { Refusal } from '../../../kernel/toolkit/errors/index.js'

const key = 'ServerAddress'

/** Throws a `Refusal` that names what is wrong. Empty: there is none. */
export function checkPublicAddress(text: string): void {
  if (text === '') return
  if (!/^https?:\/\//i.test(text) || /\s/.test(text) || !URL.canParse(text)) {
    fail('must be an address that begins with http:// or https://')
  }
  const { username, password, pathname } = new URL(text)
  if (username !== '' || password !== '') fail('must not hold a user name or password')
  if (/[?#]/.test(text)) fail('must end before ? and #')
  if (pathname !== '/') fail('must be the address alone, without a path such as /v1')
}

function fail(fault: string): never {
  const reason = `${key} ${fault}: as https://gateway.example.`
  throw new Refusal('invalid_field', { reason, param: key })
}
