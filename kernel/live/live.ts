/**
 * Tells open consoles what changed, over nes. Consoles of every process hear of changed rows; of accounts, runs,
 * heartbeats and breakers each process tells the consoles of its own address what it knows itself. A console that missed something
 * reads it again when it looks: nothing here is the only word on anything.
 */
import type { JsonObject } from '../contract/json.js'
import type { Clock } from '../contract/kit.js'
import type { Live, LiveTopic } from '../contract/services/live.js'
import type { Peers } from '../contract/services/peers.js'
import type { LiveDependencies } from '../http/server.js'
import { noPeers } from '../peers.js'
import { LiveAuthenticator } from './authenticator.js'
import { closeCodes, LiveConnections } from './connections.js'
import { createElsewhere } from './elsewhere.js'
import { liveLimits } from './limits.js'
import { type Listener, type NesServer, startNes } from './nes-server.js'
import { pathOfTopic } from './topics.js'

interface LiveOptions {
  readonly clock: Clock
  readonly peers?: Peers
}

const accountPath = pathOfTopic('account')

export interface OpenLive extends Live {
  /** Whether anybody here would hear of it. */
  hears(topic: LiveTopic, userId?: number): boolean
  /** Says to the other processes of this address whose accounts are listened to here. */
  announce(): void
  /** Takes upgrades from then on. */
  open(dependencies: LiveDependencies): Promise<LiveAuthenticator>
  /** Announces the end to every console; later ones are turned away. */
  stop(): Promise<void>
}

export function createLive({ clock, peers = noPeers }: LiveOptions): OpenLive {
  const listeners = new Map<string, Map<string, Listener>>()
  const connections = new LiveConnections()
  let nes: NesServer | undefined
  let authenticator: LiveAuthenticator | undefined
  const elsewhere = createElsewhere({
    peers,
    accounts: () => usersAt('account'),
    publish: publishHere,
  })

  function publish(topic: LiveTopic, message: JsonObject, userId?: number): void {
    publishHere(topic, message, userId)
    elsewhere.publish(topic, message, userId)
  }

  function publishHere(topic: LiveTopic, message: object, userId?: number): void {
    const path = pathOfTopic(topic)
    const of = listeners.get(path)
    if (of === undefined) return
    for (const listener of of.values()) {
      if (userId === undefined || userId === listener.connection.principal.userId) {
        send(listener, path, message)
      }
    }
  }

  function usersAt(topic: LiveTopic): readonly number[] {
    const of = listeners.get(pathOfTopic(topic))?.values() ?? []
    return [...new Set([...of].map(({ connection }) => connection.principal.userId))]
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
        if (path === accountPath) elsewhere.announceSoon()
      },
      unsubscribed(path, id) {
        const of = listeners.get(path)
        of?.delete(id)
        if (of?.size === 0) listeners.delete(path)
        if (path === accountPath) elsewhere.announceSoon()
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
      if (topic === 'account' && userId !== undefined && elsewhere.hears(userId)) return true
      const of = listeners.get(pathOfTopic(topic))
      if (of === undefined || userId === undefined) return of !== undefined
      return [...of.values()].some(({ connection }) => connection.principal.userId === userId)
    },
    announce: () => elsewhere.announceSoon(),
    open,
    stop,
  }
}
