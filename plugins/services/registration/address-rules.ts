/** Which mail addresses may join: those of listed domains, and no aliases, where the operator wants it so. */
import type { Settings } from '../../../kernel/contract/kit.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { mailAddress, mailDomain } from '../../../kernel/toolkit/management/index.js'

/** The address as it is kept. Throws `invalid_field`. */
export function admittedAddress(email: string, settings: Settings): string {
  const address = mailAddress(email)
  if (address === undefined) throw refusal('This is no mail address.')
  const at = address.lastIndexOf('@')
  if (settings.boolean('restrictsDomains')) {
    const domains = domainsOf(settings.string('domains'))
    if (!domains.includes(address.slice(at + 1))) {
      throw refusal('Addresses of this domain are not taken.')
    }
  }
  if (settings.boolean('refusesAliases') && /[+.]/.test(address.slice(0, at))) {
    throw refusal('Addresses with + or . before the @ are not taken.')
  }
  return address
}

/** What is wrong with the option's text. Undefined: nothing. */
export function faultOfDomains(text: string): string | undefined {
  const unsound = entries(text).find((entry) => mailDomain(entry) === undefined)
  return unsound === undefined ? undefined : `"${unsound.slice(0, 64)}" is no domain`
}

/** In ASCII; what is no domain is left out. */
export function domainsOf(text: string): readonly string[] {
  return entries(text).flatMap((entry) => mailDomain(entry) ?? [])
}

function entries(text: string): readonly string[] {
  return text
    .split(/[\s,]+/)
    .map((entry) => entry.replace(/^@/, ''))
    .filter((entry) => entry !== '')
}

function refusal(reason: string): Refusal {
  return new Refusal('invalid_field', { reason, param: 'email' })
}
