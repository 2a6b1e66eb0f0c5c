/** Addresses of pictures: at this gateway, signed for 15 minutes (API-6), or the upstream's own. */
import type { Inbound } from '../../../kernel/contract/endpoint.js'
import type { Content, TaskRecord, TaskResults } from '../../services/tasks/index.js'
import type { PictureOf } from './task-object.js'

/** Index of the picture among the results of its task: it is the first of them. */
const pictureIndex = 0

export function pictureAddress(
  results: Pick<TaskResults, 'signed'>,
  isForwarded: boolean,
  inbound: Pick<Inbound, 'client' | 'secure'>,
): PictureOf {
  return (record) => {
    const url = pictureIn(record)
    if (url === undefined || !isForwarded) return url
    const signed = new URL(results.signed.of(record, pictureIndex), originOf(inbound))
    return `${signed.origin}/mj/image/${record.taskId}${signed.search}`
  }
}

function pictureIn({ results }: TaskRecord): string | undefined {
  const picture = results[pictureIndex]
  return picture?.type === 'image' ? picture.url : undefined
}

/** Where the client found the gateway: its pictures stand there where no address of the server is set. */
function originOf({ client, secure = false }: Pick<Inbound, 'client' | 'secure'>): string {
  const origin = `${secure ? 'https' : 'http'}://${client.headers.host ?? 'localhost'}`
  return URL.canParse(origin) ? origin : 'http://localhost'
}

/** `GET /mj/image/{id}`, for whoever has the signed address. */
export async function openPicture(
  { params, client }: Pick<Inbound, 'params' | 'client'>,
  results: TaskResults,
): Promise<Content> {
  const taskId = params.id ?? ''
  results.signed.check(taskId, pictureIndex, stated(client.query))
  const { range } = client.headers
  return results.content(taskId, pictureIndex, range === undefined ? {} : { range })
}

function stated(query: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}
