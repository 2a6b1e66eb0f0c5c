/**
 * The one door for what consoles say: they greet, answer the heartbeat and choose what they listen to. nes would also
 * run requests for them, and fails as a whole at messages of an odd shape, so nothing else reaches it.
 */
import { type RawData, WebSocket } from 'ws'
import { isObject } from '../contract/json.js'
import { liveLimits } from './limits.js'
import { livePathShape } from './topics.js'

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
    if (this.heard === 0 || now - this.countedFrom > liveLimits.messagesMs) {
      this.heard = 0
      this.countedFrom = now
    }
    this.heard += 1
    return this.heard > liveLimits.messagesMax
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
    subs === undefined ||
    (Array.isArray(subs) && subs.length <= liveLimits.topicsMax && subs.every(isPath))
  )
}

function isPath(path: unknown): boolean {
  return typeof path === 'string' && livePathShape.test(path)
}
