/** Security events of the caller's own account, a page at a time. */
import type { ManagementRequest, ManagementRoute } from '../../../kernel/contract/management.js'
import { pagedQuery, signedIn } from '../../../kernel/toolkit/management/index.js'
import type { AccountNotices, SecurityEvent } from '../../services/account-notices/index.js'
import { type SecurityEventRecord, securityEventPage } from './responses.js'

interface Paging {
  readonly p: number
  readonly page_size: number
}

/** `page` is another name of `p`. */
const query = pagedQuery().rename('page', 'p', { ignoreUndefined: true, override: true })

export function securityEventsRoute(notices: AccountNotices): ManagementRoute {
  async function handle(request: ManagementRequest<Paging>) {
    const { userId } = signedIn(request)
    const page = Math.max(request.query.p, 1)
    const { page_size } = request.query
    const { items, total } = await notices.page({ userId, page, pageSize: page_size })
    return { page, page_size, total, items: items.map(recordOf) }
  }

  return { query, response: securityEventPage, handle }
}

function recordOf({ at, ...event }: SecurityEvent): SecurityEventRecord {
  return { ...event, at: Math.floor(at.getTime() / 1000) }
}
