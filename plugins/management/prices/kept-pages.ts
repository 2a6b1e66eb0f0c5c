/**
 * The page of prices as text, made once for all who see the same and kept until anything on it changes. Anyone may read it as often as
 * they like, and with thousands of models it takes tens of milliseconds to make.
 */
import type { Answer } from '../../../kernel/contract/management.js'
import { enveloped, revalidated } from '../../../kernel/toolkit/management/index.js'
import type { Channels } from '../../services/channels/index.js'
import type { ModelRegistry } from '../../services/model-registry/index.js'
import { type PageServices, pricingPage, type Viewer } from './pricing-page.js'

/** Makes a page from what `KeptServices` has; of the same sources it makes the same. */
type Make<Services> = (services: Services, viewer: Viewer) => Answer

export interface KeptServices extends PageServices {
  readonly channels: Pick<Channels, 'models' | 'all'>
  readonly registry: Pick<ModelRegistry, 'describe' | 'revision'>
}

/** Each set of groups has a page of its own; a gateway has few. */
const keptMax = 64

export function keptPages<Services extends KeptServices = KeptServices>(
  make: Make<Services> = pricingPage,
  /** What else stands on the page; compared by identity. */
  also?: keyof Services,
): Make<Services> {
  const pages = new Map<string, Answer>()
  let madeOf: readonly unknown[] = []

  return (services, viewer) => {
    const { routing, channels, registry, prices } = services
    const sources = [channels.all(), registry.revision(), prices, also && services[also]]
    if (sources.some((source, at) => source !== madeOf[at]) || pages.size >= keptMax) {
      pages.clear()
      madeOf = sources
    }
    const key = JSON.stringify([routing.usableGroups(viewer), routing.autoRoutes(viewer)])
    const known = pages.get(key)
    if (known !== undefined) return known
    const made = revalidated(enveloped(make(services, viewer)).body.toString())
    pages.set(key, made)
    return made
  }
}
