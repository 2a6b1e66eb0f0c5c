/** The ledger as those who answer for it see it: sums, open holds, the book, and a check of its invariants. */
import joi from 'joi'
import type { Answer, Management, ManagementRequest } from '../../../kernel/contract/management.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import {
  noFields,
  pagedQuery,
  visible,
  visibleOnly,
} from '../../../kernel/toolkit/management/index.js'
import type { PageOf } from '../../services/ledger/index.js'
import { checkRecord, entryRecord, holdRecord, overviewRecord } from './records.js'
import * as responses from './responses.js'

interface PageForm {
  readonly p: number
  readonly page_size: number
}

/** An empty text and zero mean "any" in forms of the family. */
interface EntryForm extends PageForm {
  readonly request_id?: string
  readonly user_id?: number
}

const entryQuery = pagedQuery({
  request_id: joi.string().max(128).pattern(visible, visibleOnly).empty(''),
  user_id: joi
    .number()
    .integer()
    .min(1)
    .max(2_147_483_647)
    .empty(joi.valid('', 0, '0')),
}).oxor('request_id', 'user_id')

export default function create({ services }: Kit<'ledger'>): Management {
  const { ledger } = services

  async function overview() {
    return overviewRecord(await ledger.overview(), await ledger.inspection.state())
  }

  async function holds({ query }: ManagementRequest<PageForm>) {
    const page = pageOf(query)
    return listed(page, await ledger.openHolds(page), holdRecord)
  }

  async function entries({ query }: ManagementRequest<EntryForm>) {
    const page = pageOf(query)
    const requested = { ...page, requestId: query.request_id, userId: query.user_id }
    return listed(page, await ledger.entries(requested), entryRecord)
  }

  async function check({ signal }: ManagementRequest): Promise<Answer> {
    const data = checkRecord(await ledger.inspection.run('whole', signal))
    return { answer: true, data, audit: { object: 'ledger', detail: `${data.breaches} breaches` } }
  }

  return {
    routes: {
      overview: { response: responses.overview, searches: true, handle: overview },
      holds: { query: pagedQuery(), response: responses.holdPage, searches: true, handle: holds },
      entries: {
        query: entryQuery,
        response: responses.entryPage,
        searches: true,
        handle: entries,
      },
      check: { body: noFields, response: responses.ledgerCheck, handle: check },
    },
  }
}

function pageOf({ p, page_size }: PageForm) {
  return { page: Math.max(p, 1), pageSize: page_size }
}

function listed<Item, Shown>(
  { page, pageSize }: ReturnType<typeof pageOf>,
  { items, total }: PageOf<Item>,
  record: (item: Item) => Shown,
) {
  return { page, page_size: pageSize, total, items: items.map(record) }
}
