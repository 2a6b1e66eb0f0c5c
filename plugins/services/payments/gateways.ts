/** Payment gateways that are plugins: those that are switched on and offer something at this moment. */
import type { Log, Settings } from '../../../kernel/contract/kit.js'
import type { Manifest } from '../../../kernel/contract/manifest.js'
import type { PaymentGateway, PaymentOffer } from '../../../kernel/contract/payment.js'
import type { Catalog } from '../../../kernel/contract/services/catalog.js'
import type { Extensions } from '../../../kernel/contract/services/extensions.js'
import { nameOf } from '../../../kernel/toolkit/service/index.js'
import type { Options } from '../options/index.js'
import type { GatewayLook } from './payments.js'

export interface LoadedGateway extends GatewayLook {
  readonly manifest: Manifest
  readonly plugin: PaymentGateway
  readonly offer: PaymentOffer
}

export interface Gateways {
  start(): Promise<void>
  /** Those in use, sorted by name. */
  all(): readonly LoadedGateway[]
  /** Undefined: there is none of this name in use. */
  named(name: string): LoadedGateway | undefined
  /** Every gateway there is, in use or not, sorted by name. */
  states(): readonly GatewayState[]
  /** The same where it is switched off: its provider may yet report on orders that were made before. */
  reporting(name: string): LoadedGateway | undefined
}

/** `incomplete`: something is missing without which callbacks could not be verified. */
interface GatewayState extends GatewayLook {
  readonly state: 'on' | 'off' | 'incomplete'
  readonly isTest: boolean
  /** How its provider reports. Empty: it does not. */
  readonly callback: readonly ('GET' | 'POST')[]
}

interface Loaded {
  readonly manifest: Manifest
  readonly settings: Settings
  readonly plugin: PaymentGateway
}

export interface GatewayDependencies {
  readonly extensions: Extensions
  readonly catalog: Pick<Catalog, 'onChange'>
  readonly options: Options
  readonly log: Log
}

export function createGateways({
  extensions,
  catalog,
  options,
  log,
}: GatewayDependencies): Gateways {
  let loaded: readonly Loaded[] = []

  async function load(manifest: Manifest): Promise<Loaded | undefined> {
    try {
      const plugin = await extensions.payment(nameOf(manifest))
      return { manifest, settings: options.of(manifest), plugin }
    } catch (err) {
      log.error({ err, plugin: manifest.id }, 'a payment gateway cannot be used')
      return undefined
    }
  }

  async function loadAll(): Promise<void> {
    const now: Loaded[] = []
    for (const manifest of extensions.list('payment')) {
      const one = await load(manifest)
      if (one !== undefined) now.push(one)
    }
    loaded = now
  }

  const found = (name: string) => loaded.find(({ manifest }) => nameOf(manifest) === name)

  return {
    async start() {
      catalog.onChange(loadAll)
      await loadAll()
    },
    states: () => loaded.map(stateOf),
    all: () => loaded.filter(isOn).flatMap((one) => offering(one) ?? []),
    named(name) {
      const one = found(name)
      return one && isOn(one) ? offering(one) : undefined
    },
    reporting(name) {
      const one = found(name)
      return one && offering(one)
    },
  }
}

/** Whether payments can be taken while the payer is away: amounts, not what is sold at a price of its own. */
export function canCharge({ plugin, offer }: LoadedGateway): boolean {
  return plugin.charge !== undefined && offer.products === undefined
}

function isOn({ manifest, settings }: Loaded): boolean {
  const name = manifest.payment?.switch
  return name === undefined || settings.boolean(name)
}

function stateOf(one: Loaded): GatewayState {
  const { manifest, plugin } = one
  const offer = plugin.offer()
  const whole = offer === undefined ? 'incomplete' : 'on'
  return {
    ...lookOf(manifest),
    state: isOn(one) ? whole : 'off',
    isTest: offer?.isTest ?? false,
    callback: manifest.payment?.callback ?? [],
  }
}

function offering({ manifest, plugin }: Loaded): LoadedGateway | undefined {
  const offer = plugin.offer()
  return offer && { ...lookOf(manifest), manifest, plugin, offer }
}

function lookOf(manifest: Manifest): GatewayLook {
  const { title, icon, translations } = manifest
  return {
    ...{ name: nameOf(manifest), title },
    ...(icon !== undefined && { icon }),
    ...(translations !== undefined && { translations }),
  }
}
