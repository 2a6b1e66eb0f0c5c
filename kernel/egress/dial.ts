/** One TCP connection to a host an admin named, for protocols that are not HTTP. */
import { connect, type LookupFunction, type Socket } from 'node:net'
import type { Clock } from '../contract/kit.js'
import { egressError } from '../toolkit/errors/egress-error.js'
import { limits } from '../toolkit/limits/limits.js'

export interface DialDependencies {
  readonly clock: Clock
  readonly lookup: LookupFunction
  /** Every connection that is not closed yet. */
  readonly open: Set<Socket>
}

/** Rejects with an `EgressError`, after `limits.connectMs` at the latest. */
export function dial(host: string, port: number, dependencies: DialDependencies): Promise<Socket> {
  const { clock, lookup, open } = dependencies
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, lookup, autoSelectFamily: true })
    open.add(socket)
    // Whoever dialled may listen too; without any listener a connection that breaks would end the process.
    socket.on('error', () => {})
    const fail = (error: Error) => reject(egressError(error, 'connecting'))
    const cancel = clock.after(limits.connectMs, () => socket.destroy(new Error('no connection')))
    socket.once('close', () => {
      cancel()
      open.delete(socket)
    })
    socket.once('error', fail)
    socket.once('connect', () => {
      cancel()
      socket.off('error', fail)
      resolve(socket)
    })
  })
}
