/**
 * The hash that ties a row to the one before it: over every field, each with its length, so that no two rows share one.
 * It is keyed, since whoever can write to the database could make a plain one anew; rows from before that have a plain one.
 */
import { createHash, createHmac } from 'node:crypto'
import type { AuditLine } from './audit.js'

/** @param key absent: as rows were tied before chains were keyed */
export function chainHash(line: AuditLine, previousHash: Buffer | null, key?: Buffer): Buffer {
  const digest = key === undefined ? createHash('sha256') : createHmac('sha256', key)
  const fields = [
    line.createdAt.toISOString(),
    String(line.actorId),
    line.actorName,
    String(line.actorRole),
    line.via,
    line.address,
    line.action,
    line.object,
    line.detail,
    line.beforeHash,
    line.afterHash,
    line.requestId,
    previousHash,
    // Rows from before objects had names are hashed as they were.
    ...(line.objectName === undefined ? [] : [line.objectName]),
  ]
  for (const field of fields) {
    const bytes = typeof field === 'string' ? Buffer.from(field) : field
    const length = Buffer.alloc(4)
    // No field is this long: what is not there differs from what is empty.
    length.writeUInt32BE(bytes?.length ?? 0xffff_ffff)
    digest.update(length)
    if (bytes !== null) digest.update(bytes)
  }
  return digest.digest()
}
