/** Where payers come back to and providers report to: public addresses an admin set, which no request can name. */
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { Options } from '../options/index.js'

export interface Addresses {
  /** Origin of the console, without a slash at the end. */
  readonly pages: string
  /** The same for callbacks. */
  readonly callbacks: string
}

/** Throws a `Refusal` that names the option at fault. */
export function addressesOf(options: Pick<Options, 'list'>, callbackAddress: string): Addresses {
  const known = knownAddresses(options, callbackAddress)
  if (known !== undefined) return known
  const reason =
    'An admin sets the option ServerAddress first: payers and providers must know where to.'
  throw new Refusal('conflict', { reason, param: 'ServerAddress' })
}

/** Undefined: no admin has set one. */
export function knownAddresses(
  options: Pick<Options, 'list'>,
  callbackAddress: string,
): Addresses | undefined {
  const option = options.list().find(({ key }) => key === 'ServerAddress')
  const pages = webAddress(option?.value ?? '')
  if (pages === undefined) return undefined
  return { pages, callbacks: webAddress(callbackAddress) ?? pages }
}

/** Where the provider of a gateway reports to. */
export function callbackOf({ callbacks }: Addresses, gateway: string): string {
  return `${callbacks}/api/payment/${gateway}/callback`
}

function webAddress(text: string): string | undefined {
  const address = text.trim().replace(/\/+$/, '')
  return URL.canParse(address) && /^https?:/i.test(address) ? address : undefined
}
