/**
 * Where passkeys are at home: the domain they are bound to and the origins they are taken from. Both come from the
 * options and never from a request, or any page could pass for this one.
 */
import type { Settings } from '../../../kernel/contract/kit.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'

export interface PasskeyHome {
  /** What people know this gateway by. */
  name(): string
  /** Throws a `Refusal` where the options name no address a browser would make passkeys for. */
  place(): PasskeyPlace
}

export interface PasskeyPlace {
  readonly name: string
  readonly rpId: string
  readonly origins: string[]
}

export interface PasskeyHomeDependencies {
  readonly settings: Settings
  /** The text of an option of another area; empty: there is none. */
  option(key: string): string
  /** Where the gateway listens; its address where none is set. */
  readonly port: number
}

export function passkeyHome({ settings, option, port }: PasskeyHomeDependencies): PasskeyHome {
  const name = () => settings.string('rpDisplayName') || option('SystemName') || 'Waybill'

  function place(): PasskeyPlace {
    const address = option('ServerAddress').trim() || `http://localhost:${port}`
    const named = settings.string('origins').split(',')
    const given = named.map((text) => text.trim()).filter((text) => text !== '')
    const urls = (given.length > 0 ? given : [address]).flatMap(urlOf)
    const safe = urls.filter((url) => isSafe(url) || settings.boolean('allowInsecureOrigin'))
    const rpId = settings.string('rpId').trim() || urlOf(address)[0]?.hostname || ''
    const origins = safe.filter((url) => isWithin(url, rpId)).map(({ origin }) => origin)
    if (origins.length > 0) return { name: name(), rpId, origins }
    const reason =
      'Passkeys need the public address of this gateway with https: option ServerAddress, or passkey.rp_id and passkey.origins.'
    throw new Refusal('conflict', { reason })
  }

  return { name, place }
}

function urlOf(text: string): URL[] {
  return URL.canParse(text) ? [new URL(text)] : []
}

function isSafe({ protocol, hostname }: URL): boolean {
  if (protocol === 'https:') return true
  return protocol === 'http:' && (hostname === 'localhost' || hostname.endsWith('.localhost'))
}

function isWithin({ hostname }: URL, rpId: string): boolean {
  return rpId !== '' && (hostname === rpId || hostname.endsWith(`.${rpId}`))
}
