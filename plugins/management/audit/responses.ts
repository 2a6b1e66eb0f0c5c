/** What the audit area returns. */
import joi from 'joi'
import { pageOf, responseForm, unixSeconds } from '../../../kernel/toolkit/management/index.js'

export interface AuditRecord {
  readonly id: number
  readonly created_at: number
  readonly actor_id: number
  readonly actor_name: string
  readonly actor_role: number
  readonly via: string
  readonly ip: string
  readonly action: string
  readonly object: string
  readonly object_name: string
  readonly detail: string
  readonly before_hash: string
  readonly after_hash: string
  readonly request_id: string
  readonly hash: string
}

const text = joi.string().allow('')
const sha256 = joi.string().hex().allow('')

const auditEntry = responseForm<AuditRecord>({
  id: joi.number().integer(),
  created_at: unixSeconds,
  actor_id: joi.number().integer().description('0: nobody.'),
  actor_name: text,
  actor_role: joi.number().integer().description('0: none. 1: user. 10: admin. 100: root.'),
  via: joi.string().valid('session', 'accessToken', 'none'),
  ip: text,
  action: joi.string().example('tokens.create'),
  object: text.example('user 7'),
  object_name: text.description('What it was called then. Empty: unknown.').example('ada'),
  detail: text,
  before_hash: sha256.description('Of what it was before. Empty: unknown.'),
  after_hash: sha256.description('Of what it was afterwards. Empty: unknown.'),
  request_id: text,
  hash: sha256.description('Of this entry and of the one before it.'),
}).id('AuditEntry')

export const auditPage = pageOf(auditEntry)

export interface AuditVerdict {
  readonly day: string
  readonly rows: number
  readonly heads: number
  readonly head: string
  readonly intact: boolean
  readonly broken?: { readonly id: number; readonly fault: 'link' | 'content' | 'missing' }
}

export const auditVerdict = responseForm<AuditVerdict>({
  day: joi.string().example('2026-01-31'),
  rows: joi.number().integer().min(0).description('Entries that hold.'),
  heads: joi
    .number()
    .integer()
    .min(0)
    .description('Hashes of the day that were kept outside the database and compared.'),
  head: sha256.description('Hash of the last entry that holds. Empty: there is none.'),
  intact: joi.boolean(),
  broken: joi
    .object({
      id: joi.number().integer(),
      fault: joi.string().valid('link', 'content', 'missing'),
    })
    .optional()
    .description('The first entry that does not hold. Absent: all of them do.'),
}).id('AuditVerdict')
