/** Models the caller can reach, with prices and what they are: `GET /api/catalogue/`. */
import { requestWhole } from './request.js'
import type { components } from './schema.js'

export type CatalogueModel = components['schemas']['CatalogueModel']
export type CatalogueDetail = components['schemas']['CatalogueDetail']
export type ModelSpeed = components['schemas']['ModelSpeed']

/** What holds for all models of an answer. */
export interface CatalogueTerms {
  /** Factor by group. */
  readonly ratios: Readonly<Record<string, number>>
  /** Description by group. */
  readonly groups: Readonly<Record<string, string>>
  readonly endpoints: Readonly<Record<string, { readonly path: string; readonly method: string }>>
}

export interface Catalogue extends CatalogueTerms {
  readonly models: readonly CatalogueModel[]
}

export async function readCatalogue(): Promise<Catalogue> {
  const { data, beside } = await requestWhole<readonly CatalogueModel[]>('GET', '/api/catalogue/')
  return { models: data, ...termsIn(beside) }
}

/** Of the last day, by name; without models nobody called. */
export async function readSpeeds(): Promise<ReadonlyMap<string, ModelSpeed>> {
  const { data } = await requestWhole<readonly ModelSpeed[]>('GET', '/api/catalogue/speed')
  return new Map(data.map((speed) => [speed.model_name, speed]))
}

export async function readModel(
  name: string,
): Promise<CatalogueTerms & { readonly model: CatalogueDetail }> {
  const { data, beside } = await requestWhole<CatalogueDetail>('GET', '/api/catalogue/model', {
    query: { name },
  })
  return { model: data, ...termsIn(beside) }
}

function termsIn(beside: Readonly<Record<string, unknown>>): CatalogueTerms {
  return {
    ratios: (beside.group_ratio ?? {}) as CatalogueTerms['ratios'],
    groups: (beside.usable_group ?? {}) as CatalogueTerms['groups'],
    endpoints: (beside.supported_endpoint ?? {}) as CatalogueTerms['endpoints'],
  }
}
