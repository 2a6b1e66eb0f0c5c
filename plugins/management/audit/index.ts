/** The audit log for those who answer for the gateway: admins see one another and users, root sees everything. */
import joi from 'joi'
import type { Management, ManagementRequest } from '../../../kernel/contract/management.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import {
  pagedQuery,
  signedIn,
  visible,
  visibleOnly,
} from '../../../kernel/toolkit/management/index.js'
import type { AuditRow } from '../../services/audit/index.js'
import { type AuditRecord, type AuditVerdict, auditPage, auditVerdict } from './responses.js'

/** Empty texts and zeros mean "any" in forms of the family. */
interface AuditForm {
  readonly p: number
  readonly page_size: number
  readonly actor: string
  readonly action: string
  readonly object: string
  readonly request_id: string
  readonly channel: number
  readonly start_timestamp: number
  readonly end_timestamp: number
}

const rootRole = 100

const word = joi.string().allow('').max(256).pattern(visible, visibleOnly).default('')
const seconds = joi.number().integer().min(0).max(253_402_300_799).empty('').default(0)
const list = pagedQuery({
  actor: word,
  action: word,
  object: word,
  request_id: word,
  channel: joi
    .number()
    .integer()
    .min(0)
    .max(2_147_483_647)
    .empty('')
    .default(0)
    .description('What was done to this channel. 0: to anything.'),
  start_timestamp: seconds,
  end_timestamp: seconds,
})
/** A day that the calendar has: JavaScript would read the 31st of February as the 3rd of March. */
const day = joi
  .string()
  .pattern(/^\d{4}-\d\d-\d\d$/, 'a day, as 2026-01-31')
  .custom((text: string, { error }) => {
    const time = Date.parse(`${text}T00:00:00Z`)
    const isDay = !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
    return isDay ? text : error('any.invalid')
  })
const verify = joi.object({ day: day.required() }).prefs({ stripUnknown: true })

export default function create({ services }: Kit<'audit'>): Management {
  const { audit } = services

  async function page(request: ManagementRequest<AuditForm>) {
    const { query } = request
    const { userId, role } = signedIn(request)
    const page = Math.max(query.p, 1)
    const { items, total } = await audit.page({
      page,
      pageSize: query.page_size,
      actor: query.actor || undefined,
      action: query.action || undefined,
      object: query.object || undefined,
      requestId: query.request_id || undefined,
      channelId: query.channel || undefined,
      from: query.start_timestamp || undefined,
      to: query.end_timestamp || undefined,
      visibleTo: role < rootRole ? { userId, below: rootRole } : undefined,
    })
    return { page, page_size: query.page_size, total, items: items.map(recordOf) }
  }

  async function verdict({
    query,
  }: ManagementRequest<{ readonly day: string }>): Promise<AuditVerdict> {
    const { head, broken, ...rest } = await audit.verify(query.day)
    return { ...rest, intact: broken === undefined, broken, head: hex(head) }
  }

  return {
    routes: {
      list: { query: list, response: auditPage, searches: true, handle: page },
      verify: { query: verify, response: auditVerdict, handle: verdict },
    },
  }
}

function recordOf(row: AuditRow): AuditRecord {
  return {
    id: row.id,
    created_at: Math.floor(row.createdAt.getTime() / 1000),
    actor_id: row.actorId,
    actor_name: row.actorName,
    actor_role: row.actorRole,
    via: row.via,
    ip: row.address,
    action: row.action,
    object: row.object,
    object_name: row.objectName ?? '',
    detail: row.detail,
    before_hash: hex(row.beforeHash),
    after_hash: hex(row.afterHash),
    request_id: row.requestId,
    hash: hex(row.hash),
  }
}

function hex(hash: Buffer | null): string {
  return hash?.toString('hex') ?? ''
}
