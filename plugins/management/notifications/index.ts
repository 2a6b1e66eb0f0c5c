/** What users set for themselves, foremost how they are notified, and what became of the notices (management/README.md section 3). */
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Answer, Management, ManagementRequest } from '../../../kernel/contract/management.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { signedIn } from '../../../kernel/toolkit/management/index.js'
import type { OutboxQuery, OutboxRecord } from '../../services/notifications/index.js'
import { noticeId, noticesQuery, outboxQuery, type Paging, settingForm } from './forms.js'

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
      setting: { handle: setting },
      changeSetting: { body: settingForm(extensions.list('notifier')), handle: changeSetting },
      test: { handle: test },
      notices: { query: noticesQuery, handle: notices },
      outbox: {
        query: outboxQuery,
        handle: ({ query }: ManagementRequest<Paging>) => paged(pageOf(query)),
      },
      retry: { params: noticeId, handle: retry },
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

function recordOf(record: OutboxRecord) {
  return {
    id: Number(record.id),
    user_id: record.userId ?? 0,
    username: record.username,
    type: record.type,
    state: record.state,
    attempts: record.attempts,
    reason: record.reason,
    created_at: seconds(record.createdAt),
    next_at: seconds(record.nextAt),
    finished_at: record.finishedAt === undefined ? 0 : seconds(record.finishedAt),
  }
}

function seconds(at: Date): number {
  return Math.floor(at.getTime() / 1000)
}
