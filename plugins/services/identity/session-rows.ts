/** Rows of sessions, and what others see of them. */
import { hash, randomBytes } from 'node:crypto'
import type { Principal } from '../../../kernel/contract/management.js'
import type { SessionView } from './identity.js'

/** A fresh id, and what is stored of it. */
export function drawn(): { readonly id: string; readonly idHash: Buffer } {
  const id = randomBytes(32).toString('base64url')
  return { id, idHash: hash('sha256', id, 'buffer') }
}

/** Of an access token: nothing, which no session has. */
export function hashOf({ sessionId = '' }: Principal): Buffer {
  return Buffer.from(sessionId, 'hex')
}

export interface Person {
  readonly id: number
  readonly username: string
  readonly role: number
  readonly group: string
}

export interface SessionRow extends Person {
  readonly created_at: Date
  readonly last_seen_at: Date
}

interface ListedRow {
  readonly sid: string
  readonly method: string
  readonly address: string
  readonly user_agent: string
  readonly created_at: Date
  readonly last_seen_at: Date
  readonly id_hash: Buffer
}

export function viewOf(row: ListedRow): SessionView {
  return {
    sid: row.sid,
    method: row.method,
    address: row.address,
    userAgent: row.user_agent,
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
    sessionId: row.id_hash.toString('hex'),
  }
}

export function principalOf(person: Person, idHash: Buffer): Principal {
  return {
    userId: person.id,
    username: person.username,
    role: person.role,
    group: person.group,
    via: 'session',
    sessionId: idHash.toString('hex'),
  }
}
