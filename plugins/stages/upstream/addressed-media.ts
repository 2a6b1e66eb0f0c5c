/**
 * Media that an upstream's answer names by address, where the client requested bytes. The address is the upstream's word, so it is
 * treated as one a stranger named (X1); at the origin of the channel, which an admin named, it may be private. No key goes there.
 */
import type { Reserved } from '../../../kernel/contract/line/record.js'
import type { Cancel, Egress } from '../../../kernel/contract/services/egress.js'
import { readAll } from '../../../kernel/toolkit/body/index.js'
import { limits } from '../../../kernel/toolkit/limits/index.js'
import { brokenReply, garbledReply } from './failure-error.js'

const headersTimeoutMs = 30_000
const idleTimeoutMs = 60_000

export interface Fetcher {
  readonly egress: Egress
  readonly cancel: Cancel
}

export interface Fetched {
  readonly bytes: Buffer
  /** Content type it was served with. */
  readonly type: string
}

/** One after the other; all of them together are bounded as one reply is. */
export async function fetchEach(
  urls: readonly string[],
  state: Pick<Reserved, 'channel' | 'room'>,
  fetcher: Fetcher,
): Promise<readonly Fetched[]> {
  const found: Fetched[] = []
  let left = limits.replyBytesMax
  for (const url of urls) {
    const file = await fetchOne(url, left, state, fetcher)
    left -= file.bytes.length
    found.push(file)
  }
  return found
}

async function fetchOne(
  url: string,
  bytesMax: number,
  { channel, room }: Pick<Reserved, 'channel' | 'room'>,
  { egress, cancel }: Fetcher,
): Promise<Fetched> {
  const place = placeOf(url)
  if (place === undefined) throw garbledReply('its answer names no address that can be fetched.')
  if (bytesMax <= 0) throw brokenReply('upstream_too_large')
  const isOwn = place.origin === placeOf(channel.baseUrl)?.origin
  const reply = await egress.open({
    ...{ method: 'GET', url: place.href, headers: {}, headersTimeoutMs, idleTimeoutMs, cancel },
    ...(isOwn ? { namedBy: 'admin', proxy: channel.proxy } : { namedBy: 'user' }),
  })
  cancel.abort = () => reply.body.abort()
  if (reply.status !== 200) {
    reply.body.abort()
    throw garbledReply(`the file its answer names could not be fetched (status ${reply.status}).`)
  }
  const bytes = await readAll(reply.body, bytesMax, room)
  return { bytes, type: reply.headers['content-type'] ?? 'application/octet-stream' }
}

function placeOf(address: string): URL | undefined {
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
  return url.protocol === 'https:' || url.protocol === 'http:' ? url : undefined
}
