/** Usage over days in figures: everybody's for admins, their own for users (X12). */
import type {
  Management,
  ManagementRequest,
  ManagementRoute,
} from '../../../kernel/contract/management.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { exact, signedIn } from '../../../kernel/toolkit/management/index.js'
import {
  forms,
  mustBeWhole,
  type RankingForm,
  refused,
  type ScopeForm,
  scopeOf,
  spanOf,
} from './forms.js'
import { overviewRecord, rankingRecord } from './records.js'
import { channelModelsForm, errorsForm, overviewForm, rankingForm } from './responses.js'

/** Of one user's usage, or of everybody's. */
type Reading<Form> = (form: Form, userId: number | undefined) => Promise<unknown>

interface ModelsForm {
  readonly channel: number
  readonly days: number
}

const daySeconds = 86_400

export default function create({ services, clock }: Kit<'usage-log'>): Management {
  const log = services['usage-log']

  const overview: Reading<ScopeForm> = async (form, userId) =>
    overviewRecord(await log.overview(spanOf(form), scopeOf(form, userId)))

  const errors: Reading<ScopeForm> = (form, userId) =>
    log.errorCounts(spanOf(form), scopeOf(form, userId))

  const ranking: Reading<RankingForm> = async (form, userId) => {
    const { dimension, order, limit } = form
    mustBeWhole(form)
    if (userId !== undefined && (dimension === 'channel' || dimension === 'user')) {
      throw refused('dimension', 'The usage of one user is not kept by channel.')
    }
    return rankingRecord(await log.ranking({ ...spanOf(form), dimension, order, limit, userId }))
  }

  /** Since the beginning of the first day (UTC). */
  async function channelModels({ query }: ManagementRequest<ModelsForm>) {
    const today = Math.floor(clock.now() / 1000 / daySeconds) * daySeconds
    const found = await log.modelsOfChannel(query.channel, today - (query.days - 1) * daySeconds)
    const models = found.models.map((use) => ({
      ...use,
      quota: exact(use.quota),
      tokens: exact(use.tokens),
    }))
    return { rows: found.rows, models }
  }

  return {
    routes: {
      channelModels: {
        query: forms.channelModels,
        response: channelModelsForm,
        searches: true,
        handle: channelModels,
      },
      overview: {
        query: forms.scope,
        response: overviewForm,
        searches: true,
        handle: ofAll(overview),
      },
      ranking: {
        query: forms.ranking,
        response: rankingForm,
        searches: true,
        handle: ofAll(ranking),
      },
      errors: { query: forms.scope, response: errorsForm, searches: true, handle: ofAll(errors) },
      overviewOwn: {
        query: forms.ownScope,
        response: overviewForm,
        searches: true,
        handle: ofCaller(overview),
      },
      rankingOwn: {
        query: forms.ownRanking,
        response: rankingForm,
        searches: true,
        handle: ofCaller(ranking),
      },
      errorsOwn: {
        query: forms.ownScope,
        response: errorsForm,
        searches: true,
        handle: ofCaller(errors),
      },
    },
  }
}

function ofAll<Form extends { readonly user?: number }>(
  read: Reading<Form>,
): ManagementRoute['handle'] {
  return ({ query }: ManagementRequest<Form>) => read(query, query.user || undefined)
}

function ofCaller<Form>(read: Reading<Form>): ManagementRoute['handle'] {
  return (request: ManagementRequest<Form>) => read(request.query, signedIn(request).userId)
}
