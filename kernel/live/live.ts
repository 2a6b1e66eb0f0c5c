/**
 * Tells open consoles what changed, over nes. Consoles of every process hear of changed rows; of accounts, runs,
 * heartbeats and breakers each process tells its own consoles what it knows itself. A console that missed something
 * reads it again when it looks: nothing here is the only word on anything.
 */
import type { Clock } from '../contract/kit.js'
import type { Live, LiveTopic } from '../contract/services/live.js'
import type { LiveDependencies } from '../http/server.js'
import { LiveAuthenticator } from './authenticator.js'
import { closeCodes, LiveConnections } from './connections.js'
import { liveLimits } from './limits.js'
import { type Listener, type NesServer, startNes } from './nes-server.js'
import { pathOfTopic } from './topics.js'

export interface OpenLive extends Live {
  /** Whether anybody here would hear of it. */
  hears(topic: LiveTopic, userId?: number): boolean
  /** Takes upgrades from then on. */
  open(dependencies: LiveDependencies): Promise<LiveAuthenticator>
  /** Announces the end to every console; later ones are turned away. */
  stop(): Promise<void>
}

export function createLive({ clock }: { readonly clock: Clock }): OpenLive {
  const listeners = new Map<string, Map<string, Listener>>()
  const connections = new LiveConnections()
  let nes: NesServer | undefined
  let authenticator: LiveAuthenticator | undefined

  function publish(topic: LiveTopic, message: object, userId?: number): void {
    const path = pathOfTopic(topic)
    const of = listeners.get(path)
    if (of === undefined) return
    for (const listener of of.values()) {
      if (userId === undefined || userId === listener.connection.principal.userId) {
        send(listener, path, message)
      }
    }
  }

  /** nes itself would send to one after the other, and a slow one would hold up the rest. */
  function send({ connection, publish: write }: Listener, path: string, message: object): void {
    if (connection.waiting >= liveLimits.waitingMax) {
      connection.socket.terminate()
      return
    }
    connection.waiting += 1
    const done = () => {
      connection.waiting -= 1
    }
    write(path, message).then(done, done)
  }

  async function open(dependencies: LiveDependencies): Promise<LiveAuthenticator> {
    nes = await startNes({
      opened: (visit, socket) => connections.add(visit, socket),
      subscribed(path, listener) {
        const of = listeners.get(path) ?? new Map<string, Listener>()
        listeners.set(path, of.set(listener.id, listener))
      },
      unsubscribed(path, id) {
        const of = listeners.get(path)
        of?.delete(id)
        if (of?.size === 0) listeners.delete(path)
      },
    })
    authenticator = new LiveAuthenticator(dependencies, connections, nes)
    return authenticator
  }

  async function stop(): Promise<void> {
    authenticator?.shut()
    connections.closeAll(closeCodes.stopping, 'the gateway stops')
    await connections.gone(clock, liveLimits.closeMs)
    connections.terminateAll()
    await nes?.stop()
  }

  return {
    publish,
    hears(topic, userId) {
      const of = listeners.get(pathOfTopic(topic))
      if (of === undefined || userId === undefined) return of !== undefined
      return [...of.values()].some(({ connection }) => connection.principal.userId === userId)
    },
    open,
    stop,
  }
}
