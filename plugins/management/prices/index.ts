/** Prices: the public page of them, what other gateways may compare, and the editor of the operator (management/README.md section 10). */

import type {
  Management,
  ManagementRequest,
  Principal,
} from '../../../kernel/contract/management.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { permits } from '../../../kernel/toolkit/management/index.js'
import { cataloguePage, modelPage, speedPage } from './catalogue.js'
import { catalogueDetail, catalogueModels, modelSpeeds } from './catalogue-responses.js'
import { exampleRow } from './example-row.js'
import {
  type ChangeForm,
  type ChangeQuery,
  changeForm,
  changeQuery,
  type ExampleForm,
  exampleForm,
  type NameQuery,
  nameQuery,
  type PriceSearch,
  priceSearch,
  type UnitsQuery,
  unitsQuery,
} from './forms.js'
import { keptPages } from './kept-pages.js'
import { changeRow, priceRow } from './price-rows.js'
import type { Viewer } from './pricing-page.js'
import { ratioConfigs } from './ratio-config.js'
import * as responses from './responses.js'
import { checkSeen, seenOf } from './seen.js'
import { keptSpeeds } from './speeds.js'
import { unitsFor } from './units.js'

/** Nobody signed in sees what an ordinary user does. */
const anyone: Viewer = { group: 'default', role: 0 }

type PricesKit = Kit<
  'identity' | 'routing' | 'pricing' | 'channels' | 'model-registry' | 'catalog' | 'usage-log'
>

export default function create({ settings, services, clock, log }: PricesKit): Management {
  const { identity, routing, pricing, channels, catalog } = services
  const registry = services['model-registry']
  const ratioConfig = ratioConfigs()
  const pages = keptPages()
  const cataloguePages = keptPages(cataloguePage)
  const speedPages = keptPages(speedPage, 'speeds')
  const speeds = keptSpeeds(
    () => services['usage-log'].modelSpeeds([...registry.served().keys()]),
    { clock, log },
  )
  const sources = () => ({ routing, channels, registry, prices: pricing.current() })
  const viewerOfRequest = async ({ headers, secure }: ManagementRequest<unknown, unknown>) =>
    viewerOf(await identity.principal({ headers, secure }))

  async function page(request: ManagementRequest) {
    return pages(sources(), await viewerOfRequest(request))
  }

  async function catalogue(request: ManagementRequest) {
    return cataloguePages(sources(), await viewerOfRequest(request))
  }

  async function speed(request: ManagementRequest) {
    const viewer = await viewerOfRequest(request)
    return speedPages({ ...sources(), speeds: await speeds() }, viewer)
  }

  async function model(request: ManagementRequest<NameQuery>) {
    const viewer = await viewerOfRequest(request)
    return modelPage({ ...sources(), speeds: await speeds() }, viewer, request.query.name)
  }

  function ratios() {
    if (!settings.boolean('exposeRatio')) throw new Refusal('forbidden')
    return ratioConfig(pricing.current())
  }

  function list({ query: { p, page_size, keyword } }: ManagementRequest<PriceSearch>) {
    const prices = pricing.current()
    const wanted = keyword.normalize('NFC').toLowerCase()
    const found = prices.models().filter((model) => model.toLowerCase().includes(wanted))
    const page = Math.max(p, 1)
    const served = registry.served()
    const items = found
      .slice((page - 1) * page_size, page * page_size)
      .flatMap((model) => prices.quote(model) ?? [])
      .map((quote) => priceRow(quote, served.has(quote.model)))
    return { page, page_size, total: found.length, items }
  }

  function missing(): readonly string[] {
    const prices = pricing.current()
    return [...registry.served().keys()].filter((model) => !prices.priced(model))
  }

  async function change({ query, body }: ManagementRequest<ChangeQuery, ChangeForm>) {
    const { changes, seen } = body
    const rows = query.dry_run
      ? pricing.preview(changes)
      : await pricing.change(changes, (found) => checkSeen(found, seen))
    const served = registry.served()
    return {
      saved: !query.dry_run,
      seen: seenOf(rows),
      rows: rows.map((row) => changeRow(row, served.has(row.model))),
    }
  }

  function example({ body }: ManagementRequest<unknown, ExampleForm>) {
    const { model, card, group, quantity, dimensions } = body
    return exampleRow(pricing.example({ model, card, group, usage: { quantity, dimensions } }))
  }

  const units = ({ query }: ManagementRequest<UnitsQuery>) =>
    unitsFor(query.model, { registry, catalog })

  return {
    routes: {
      pricing: { response: responses.pricedModels, beside: responses.besidePrices, handle: page },
      catalogue: {
        response: catalogueModels,
        beside: responses.besidePrices,
        handle: catalogue,
      },
      speed: { response: modelSpeeds, handle: speed },
      model: {
        query: nameQuery,
        response: catalogueDetail,
        beside: responses.besidePrices,
        handle: model,
      },
      ratioConfig: { response: responses.ratioConfig, handle: ratios },
      list: { query: priceSearch, response: responses.pricePage, handle: list },
      missing: { response: responses.missingPrices, handle: missing },
      change: {
        query: changeQuery,
        body: changeForm,
        response: responses.priceChanges,
        handle: change,
      },
      units: { query: unitsQuery, response: responses.unitsFound, handle: units },
      example: { body: exampleForm, response: responses.cardExample, handle: example },
    },
  }
}

/** The page is for anyone; a token that may not read prices sees of it what a stranger sees. */
function viewerOf(principal: Principal | undefined): Viewer {
  if (principal === undefined) return anyone
  const { via, accessToken } = principal
  return via === 'session' || permits(accessToken?.scopes ?? [], 'money:read') ? principal : anyone
}
