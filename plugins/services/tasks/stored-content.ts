/** The bytes of a result that is stored, however long its upstream has forgotten it. */
import type { Knex } from 'knex'
import type { ByteSource } from '../../../kernel/contract/bytes.js'
import type { Log } from '../../../kernel/contract/kit.js'
import type { TaskStorage } from '../task-storage/index.js'
import { type Stretch, stretchOf } from './byte-range.js'
import { noSuchStretch } from './data-content.js'
import type { TaskRow } from './rows.js'
import { type StoredRow, storedOf } from './stored-rows.js'
import type { Content, ContentRequest } from './tasks.js'

export interface StoredContentDependencies {
  readonly knex: Knex
  readonly storage: Pick<TaskStorage, 'read'>
  readonly log: Log
}

/** Undefined: it is not there, or cannot be read now; the upstream may have it still. */
export type ReadStored = (
  row: Pick<TaskRow, 'id' | 'task_id'>,
  index: number,
  request: ContentRequest,
) => Promise<Content | undefined>

export function createStoredContent({ knex, storage, log }: StoredContentDependencies): ReadStored {
  return async ({ id, task_id: task }, index, { range }) => {
    const file = await storedOf(knex)
      .where({ task: id, result: index, state: 'stored' } as never)
      .first<StoredRow | undefined>()
    if (file === undefined) return undefined
    const size = Number(file.bytes)
    const stretch = stretchOf(range, size)
    if (stretch === 'outside') return noSuchStretch(size)
    try {
      const body = await storage.read(file, stretch)
      if (body !== undefined) return contentOf(file, body, stretch)
      log.error({ task, index, place: file.place }, 'a stored result is gone')
    } catch (err) {
      log.error({ err, task, index, place: file.place }, 'a stored result cannot be read')
    }
    return undefined
  }
}

function contentOf({ mime, bytes }: StoredRow, body: ByteSource, stretch?: Stretch): Content {
  const size = Number(bytes)
  const { from, to } = stretch ?? { from: 0, to: size }
  const isMedium = /^(?:image|video|audio)\//.test(mime)
  return {
    status: stretch === undefined ? 200 : 206,
    headers: {
      'content-type': mime,
      ...(!isMedium && { 'content-disposition': 'attachment' }),
      'content-length': String(to - from),
      'accept-ranges': 'bytes',
      ...(stretch !== undefined && { 'content-range': `bytes ${from}-${to - 1}/${size}` }),
    },
    body,
  }
}
