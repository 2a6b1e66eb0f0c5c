/**
 * The open sockets and whose they are. One whose session ended, or whose user may less or more than when it was opened,
 * is closed: the console learns there that it has to look again.
 */
import type { WebSocket } from 'ws'
import type { Clock } from '../contract/kit.js'
import type { Principal } from '../contract/management.js'
import { liveLimits } from './limits.js'

/** Codes of our own when a socket is closed; the console signs nobody in by itself after `ended`. */
export const closeCodes = { stopping: 1001, ended: 4401 } as const

export interface LiveSession {
  readonly principal: Principal
  readonly cookie: string
  readonly secure: boolean
}

export interface LiveConnection extends LiveSession {
  readonly socket: WebSocket
  /** What has not been written yet. */
  waiting: number
  /** How many it listens to. */
  topics: number
}

/** Who would be there now with the same cookie. */
export type CurrentPrincipal = (visit: LiveSession) => Promise<Principal | undefined>

export class LiveConnections {
  private readonly all = new Set<LiveConnection>()
  private readonly countByUser = new Map<number, number>()

  get size(): number {
    return this.all.size
  }

  hasRoomFor(userId: number): boolean {
    const { socketsMax, socketsPerUserMax } = liveLimits
    return this.all.size < socketsMax && (this.countByUser.get(userId) ?? 0) < socketsPerUserMax
  }

  add(visit: LiveSession, socket: WebSocket): LiveConnection {
    const connection: LiveConnection = { ...visit, socket, waiting: 0, topics: 0 }
    const { userId } = visit.principal
    this.all.add(connection)
    this.countByUser.set(userId, (this.countByUser.get(userId) ?? 0) + 1)
    socket.once('close', () => {
      this.all.delete(connection)
      const left = (this.countByUser.get(userId) ?? 1) - 1
      if (left > 0) this.countByUser.set(userId, left)
      else this.countByUser.delete(userId)
    })
    return connection
  }

  /** Looks again whether they may be here: all, or those of some users. Tabs of one browser are requested once. */
  async check(currentPrincipal: CurrentPrincipal, userIds?: ReadonlySet<number>): Promise<void> {
    const bySession = new Map<string, Promise<Principal | undefined>>()
    for (const connection of [...this.all]) {
      const { principal, socket } = connection
      if (userIds !== undefined && !userIds.has(principal.userId)) continue
      const session = principal.sessionId ?? ''
      const answer = bySession.get(session) ?? currentPrincipal(connection)
      bySession.set(session, answer)
      if (!isSame(principal, await answer)) socket.close(closeCodes.ended, 'the session has ended')
    }
  }

  closeAll(code: number, reason: string): void {
    for (const { socket } of this.all) socket.close(code, reason)
  }

  /** Resolves when nobody is left, or it took too long. */
  gone(clock: Clock, ms: number): Promise<void> {
    if (this.all.size === 0) return Promise.resolve()
    return new Promise((resolve) => {
      const cancel = clock.after(ms, resolve)
      for (const { socket } of this.all) {
        socket.once('close', () => {
          if (this.all.size > 0) return
          cancel()
          resolve()
        })
      }
    })
  }

  terminateAll(): void {
    for (const { socket } of this.all) socket.terminate()
  }
}

function isSame(before: Principal, now: Principal | undefined): boolean {
  return now !== undefined && now.userId === before.userId && now.role === before.role
}
