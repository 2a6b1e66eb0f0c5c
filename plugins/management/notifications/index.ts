/** What users set for themselves, foremost how they are notified, and what became of the notices (management/README.md section 3). */
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Answer, Management, ManagementRequest } from '../../../kernel/contract/management.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { noData, signedIn } from '../../../kernel/toolkit/management/index.js'
import type { OutboxQuery } from '../../services/notifications/index.js'
import { noticeId, noticesQuery, outboxQuery, type Paging, settingForm } from './forms.js'
import { recordOf } from './records.js'
import { noticePage, testOutcome, userSetting } from './responses.js'

const adminRole = 10

export default function create({ services }: Kit<'notifications' | 'extensions'>): Management {
  const { notifications, extensions } = services

  async function setting(request: ManagementRequest) {
    const { values, secrets } = await notifications.settingOf(signedIn(request).userId)
    const fields = await notifications.ways()
    return { ...values, stored_secrets: secrets, fields }
  }

  async function changeSetting(request: ManagementRequest<unknown, JsonObject>): Promise<Answer> {
    const { userId, role } = signedIn(request)
    const changes = request.body
    if (changes.upstream_model_update_notify_enabled === true && role < adminRole) {
      throw new Refusal('forbidden', { param: 'upstream_model_update_notify_enabled' })
    }
    await notifications.changeSetting(userId, changes)
    const detail = Object.keys(changes).sort().join(', ')
    return { answer: true, data: null, audit: { object: `user ${userId}`, detail } }
  }

  async function test(request: ManagementRequest) {
    const outcome = await notifications.test(signedIn(request).userId)
    return {
      delivered: outcome.kind === 'delivered',
      reason: outcome.kind === 'delivered' ? '' : outcome.reason,
    }
  }

  function notices(request: ManagementRequest<Paging>) {
    return paged({ ...pageOf(request.query), userId: signedIn(request).userId })
  }

  async function paged(query: OutboxQuery) {
    const { items, total } = await notifications.page(query)
    const { page, pageSize } = query
    return { page, page_size: pageSize, total, items: items.map(recordOf) }
  }

  async function retry({ params: { id = '' } }: ManagementRequest): Promise<Answer> {
    await notifications.retry(id)
    return { answer: true, data: null, audit: { object: `notice ${id}`, detail: 'retry' } }
  }

  return {
    routes: {
      setting: { response: userSetting, handle: setting },
      changeSetting: {
        body: settingForm(extensions.list('notifier')),
        response: noData,
        handle: changeSetting,
      },
      test: { response: testOutcome, handle: test },
      notices: { query: noticesQuery, response: noticePage, handle: notices },
      outbox: {
        query: outboxQuery,
        response: noticePage,
        handle: ({ query }: ManagementRequest<Paging>) => paged(pageOf(query)),
      },
      retry: { params: noticeId, response: noData, handle: retry },
    },
  }
}

function pageOf({ p, page_size, state, user_id }: Paging): OutboxQuery {
  return {
    page: Math.max(p, 1),
    pageSize: page_size,
    ...(state !== undefined && { state }),
    ...(user_id !== undefined && { userId: user_id }),
  }
}
