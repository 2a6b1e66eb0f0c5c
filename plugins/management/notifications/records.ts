/** A notice as its reader sees it: all of it except its text. */
import type { OutboxRecord } from '../../services/notifications/index.js'

export function recordOf(record: OutboxRecord) {
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
