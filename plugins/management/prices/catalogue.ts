/**
 * The catalogue: the models of the page of prices with what they are, how fast they were and whether they could be reached over
 * the last day. Nothing of it is about a channel.
 */
import type { Answer } from '../../../kernel/contract/management.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { MergedFacts, ModelRegistry } from '../../services/model-registry/index.js'
import type { ModelSpeed } from '../../services/usage-log/index.js'
import type { KeptServices } from './kept-pages.js'
import { besideOf, type Listed, modelsFor, priced, type Viewer } from './pricing-page.js'

export interface CatalogueServices extends KeptServices {
  readonly registry: Pick<ModelRegistry, 'describe' | 'revision' | 'about'>
}

export interface SpeedServices extends KeptServices {
  readonly speeds: ReadonlyMap<string, ModelSpeed>
}

export function cataloguePage(services: CatalogueServices, viewer: Viewer): Answer {
  const listed = modelsFor(services, viewer)
  return {
    answer: true,
    data: listed.map((model) => catalogueModel(model, services.registry.about(model.name))),
    beside: besideOf(services, viewer, listed),
  }
}

export function speedPage(services: SpeedServices, viewer: Viewer): Answer {
  const found = modelsFor(services, viewer).flatMap(({ name }) => {
    const speed = services.speeds.get(name)
    return speed === undefined ? [] : [{ model_name: name, ...speedRecord(speed) }]
  })
  return { answer: true, data: found }
}

/** Throws where no group of the viewer reaches it: that it exists is nobody's business. */
export function modelPage(
  services: CatalogueServices & SpeedServices,
  viewer: Viewer,
  name: string,
): Answer {
  const listed = modelsFor(services, viewer, name)
  const [model] = listed
  if (model === undefined) throw new Refusal('gone_missing', { what: 'model', param: 'name' })
  const speed = services.speeds.get(name)
  return {
    answer: true,
    data: detailRecord(model, services.registry.about(name), speed),
    beside: besideOf(services, viewer, listed),
  }
}

export function catalogueModel(model: Listed, { vendor, about }: MergedFacts) {
  return {
    ...priced(model),
    vendor: vendor?.name ?? '',
    /** Of the table of known models, for its mark. */
    vendor_mark: vendor?.id ?? '',
    kind: about.kind ?? null,
    context_length: about.context_length ?? null,
    max_output: about.max_output ?? null,
    input_modalities: about.input_modalities ?? null,
    output_modalities: about.output_modalities ?? null,
    capabilities: about.capabilities ?? null,
  }
}

export function detailRecord(model: Listed, facts: MergedFacts, speed: ModelSpeed | undefined) {
  const { known, byAdmin } = facts
  return {
    ...catalogueModel(model, facts),
    set_by_operator: byAdmin,
    source: known?.source ?? '',
    source_date: known?.date ?? '',
    ...speedRecord(speed ?? { hours: [] }),
    hours: (speed?.hours ?? []).map(hourRecord),
  }
}

export function speedRecord({ tokensPerSecond, firstTokenMs, hours }: ModelSpeed) {
  return {
    tokens_per_second: tokensPerSecond ?? null,
    first_token_ms: firstTokenMs ?? null,
    availability: shareOf(hours),
  }
}

export function hourRecord(hour: ModelSpeed['hours'][number]) {
  return { at: hour.at, availability: shareOf([hour]) }
}

/** How many of a thousand are told apart; how many there were is not told. */
function shareOf(hours: ModelSpeed['hours']): number | null {
  const requests = hours.reduce((sum, hour) => sum + (hour.requests ?? 0), 0)
  const failed = hours.reduce((sum, hour) => sum + (hour.failed ?? 0), 0)
  if (requests + failed === 0) return null
  return Math.floor((requests / (requests + failed)) * 1_000) / 1_000
}
