/**
 * The one door for what consoles say: they greet, answer the heartbeat and choose what they listen to. nes would also
 * run requests for them, and fails as a whole at messages of an odd shape, so nothing else reaches it.
 */
import { type RawData, WebSocket } from 'ws'
import { isObject } from '../contract/json.js'
import { livePathShape } from './topics.js'

/** A greeting names every subscription at once. */
export const messageBytesMax = 4096
/** What one console listens to at a time. */
export const topicsMax = 32
/** In the lifetime of one minute; a heartbeat takes four. */
const messagesMax = 120
const countedMs = 60_000

export class GatedSocket extends WebSocket {
  private heard = 0
  private countedFrom = 0

  override emit(event: string | symbol, ...given: unknown[]): boolean {
    if (event !== 'message') return super.emit(event, ...given)
    if (this.isTooMany(performance.now()) || !isLiveMessage(given[0] as RawData)) {
      this.close(1008, 'not taken here')
      return true
    }
    return super.emit(event, ...given)
  }

  private isTooMany(now: number): boolean {
    if (this.heard === 0 || now - this.countedFrom > countedMs) {
      this.heard = 0
      this.countedFrom = now
    }
    this.heard += 1
    return this.heard > messagesMax
  }
}

function isLiveMessage(data: RawData): boolean {
  const message = parsed(data)
  if (!isObject(message) || !isId(message.id)) return false
  switch (message.type) {
    case 'ping':
      return true
    case 'hello':
      return isHello(message.version, message.subs) && message.auth === undefined
    case 'sub':
    case 'unsub':
      return isPath(message.path)
    default:
      return false
  }
}

function parsed(data: RawData): unknown {
  try {
    return JSON.parse(String(data))
  } catch {
    return undefined
  }
}

function isId(id: unknown): boolean {
  return Number.isSafeInteger(id) || (typeof id === 'string' && id !== '' && id.length <= 64)
}

function isHello(version: unknown, subs: unknown): boolean {
  if (typeof version !== 'string') return false
  return (
    subs === undefined || (Array.isArray(subs) && subs.length <= topicsMax && subs.every(isPath))
  )
}

function isPath(path: unknown): boolean {
  return typeof path === 'string' && livePathShape.test(path)
}
