/**
 * Media that an upstream's answer names by address, where the client requested bytes. The address is the upstream's word, so it is
 * treated as one a stranger named (X1); at the origin of the channel, which an admin named, it may be private. No key goes there.
 */
import type { Clock } from '../../../kernel/contract/kit.js'
import type { Reserved } from '../../../kernel/contract/line/record.js'
import type { Cancel, Egress, EgressReply } from '../../../kernel/contract/services/egress.js'
import { readAll } from '../../../kernel/toolkit/body/index.js'
import { EgressError } from '../../../kernel/toolkit/errors/index.js'
import { limits } from '../../../kernel/toolkit/limits/index.js'
import { brokenReply, garbledReply, timeout } from './failure-error.js'

const headersTimeoutMs = 30_000
const idleTimeoutMs = 60_000

export interface Fetcher {
  readonly egress: Egress
  readonly cancel: Cancel
  readonly clock: Clock
}

export interface Fetched {
  readonly bytes: Buffer
  /** Content type it was served with. */
  readonly type: string
}

type Place = Pick<Reserved, 'channel' | 'room'>

/** One after the other; all of them together are bounded as one reply is, in bytes and in time. */
export async function fetchEach(
  urls: readonly string[],
  state: Place,
  { clock, egress, cancel }: Fetcher,
): Promise<readonly Fetched[]> {
  if (urls.length > limits.addressedMediaMax) throw brokenReply('upstream_too_large')
  return new Promise((resolve, reject) => {
    const own: Cancel = {}
    const cancelLimit = clock.after(limits.headersMs, () => {
      // The promise of a body that is aborted never settles.
      reject(timeout('the files its answer names'))
      own.abort?.()
    })
    cancel.abort = () => {
      cancelLimit()
      own.abort?.()
    }
    fetchAll(urls, state, egress, own).then(resolve, reject).finally(cancelLimit)
  })
}

async function fetchAll(
  urls: readonly string[],
  state: Place,
  egress: Egress,
  cancel: Cancel,
): Promise<readonly Fetched[]> {
  const found: Fetched[] = []
  let left = limits.replyBytesMax
  for (const url of urls) {
    const reply = await opened(url, state, egress, cancel)
    cancel.abort = () => reply.body.abort()
    const file = await fileOf(reply, left, state)
    left -= file.bytes.length
    found.push(file)
  }
  return found
}

async function opened(
  url: string,
  { channel }: Place,
  egress: Egress,
  cancel: Cancel,
): Promise<EgressReply> {
  const place = placeOf(url)
  if (place === undefined) throw garbledReply('its answer names no address that can be fetched.')
  const isOwn = place.origin === placeOf(channel.baseUrl)?.origin
  try {
    return await egress.open({
      ...{ method: 'GET', url: place.href, headers: {}, headersTimeoutMs, idleTimeoutMs, cancel },
      ...(isOwn ? { namedBy: 'admin', proxy: channel.proxy } : { namedBy: 'user' }),
    })
  } catch (error) {
    const isRefused = error instanceof EgressError && error.failure.code === addressRefused
    throw isRefused ? garbledReply('its answer names an address that may not be fetched.') : error
  }
}

/** It is about the address of a channel, which is at no fault here. */
const addressRefused = 'channel:address_refused'

async function fileOf(reply: EgressReply, bytesMax: number, { room }: Place): Promise<Fetched> {
  const { status, headers, body } = reply
  const type = headers['content-type'] ?? 'application/octet-stream'
  const fault = faultOf(status, type)
  if (fault !== undefined || bytesMax <= 0) {
    body.abort()
    throw fault === undefined ? brokenReply('upstream_too_large') : garbledReply(fault)
  }
  const bytes = await readAll(body, bytesMax, room)
  if (bytes.length === 0) throw garbledReply('the file its answer names is empty.')
  return { bytes, type }
}

function faultOf(status: number, type: string): string | undefined {
  if (status !== 200) return `the file its answer names could not be fetched (status ${status}).`
  return /^\s*text\/html/i.test(type) ? 'the file its answer names is a page.' : undefined
}

/** A fragment is nothing a server is sent. */
function placeOf(address: string): URL | undefined {
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
  url.hash = ''
  return url.protocol === 'https:' || url.protocol === 'http:' ? url : undefined
}
