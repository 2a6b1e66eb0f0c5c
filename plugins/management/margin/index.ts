/** What is earned and what it costs upstream, for admins: nobody else is told of costs. */
import type { Management, ManagementRequest } from '../../../kernel/contract/management.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { type BillForm, forms, type OverviewForm, type RankingForm, scopeOf } from './forms.js'
import { billRecord, overviewRecord, rankingRecord } from './records.js'
import { billForm, overviewForm, rankingForm } from './responses.js'
import { refused, spanOf } from './span.js'

/** Lines of a bill, which a page compares in one piece. */
const linesMax = 20_000

export default function create({ services }: Kit<'usage-log'>): Management {
  const log = services['usage-log']

  async function overview({ query }: ManagementRequest<OverviewForm>) {
    return overviewRecord(await log.margins(spanOf(query), scopeOf(query)))
  }

  async function ranking({ query }: ManagementRequest<RankingForm>) {
    const { by: dimension, order, limit } = query
    return rankingRecord(await log.marginRanking({ ...spanOf(query), dimension, order, limit }))
  }

  async function bill({ query }: ManagementRequest<BillForm>) {
    const days = await log.costDays(spanOf(query), query.channel, linesMax)
    if (days.length <= linesMax) return days.map(billRecord)
    throw refused('from', `These are more than ${linesMax} lines; choose fewer days.`)
  }

  return {
    routes: {
      overview: {
        query: forms.overview,
        response: overviewForm,
        searches: true,
        handle: overview,
      },
      ranking: { query: forms.ranking, response: rankingForm, searches: true, handle: ranking },
      bill: { query: forms.bill, response: billForm, searches: true, handle: bill },
    },
  }
}
