/**
 * How many connections one address may hold at once (S14). Trusted proxies speak for many clients and are
 * not counted.
 */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'

export function capConnections(
  server: Server,
  trusts: (address: string) => boolean,
  connectionsMax: number,
): void {
  const held = new Map<string, number>()
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? ''
    if (address === '' || trusts(address)) return
    const count = (held.get(address) ?? 0) + 1
    if (count > connectionsMax) {
      socket.destroy()
      return
    }
    held.set(address, count)
    socket.once('close', () => {
      const left = (held.get(address) ?? 1) - 1
      if (left === 0) held.delete(address)
      else held.set(address, left)
    })
  })
}
