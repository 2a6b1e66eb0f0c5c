/**
 * A TCP proxy before a server that can be cut, so that connections break and new ones are refused, or frozen, so that nothing
 * is answered any more, until it is mended.
 */
import { connect, createServer, type Socket } from 'node:net'

export interface CuttableProxy {
  /** The same address by way of the proxy. */
  readonly url: string
  /** Resolves once so many connections have been refused since. */
  cut(refusals: number): Promise<void>
  mend(): void
  /** From now on nothing comes back, as from a server that hangs; new connections are taken as well. */
  freeze(): void
}

export async function cuttableProxy(
  t: { teardown(run: () => Promise<void>): void },
  address: string,
): Promise<CuttableProxy> {
  const target = new URL(address)
  const open = new Set<Socket>()
  const held = new Set<Socket>()
  const answering = new Set<Socket>()
  let isCut = false
  let isFrozen = false
  let refusalsLeft = 0
  let refused: () => void = () => {}
  const server = createServer((client) => {
    if (isCut) {
      client.destroy()
      refusalsLeft -= 1
      if (refusalsLeft <= 0) refused()
      return
    }
    if (isFrozen) {
      held.add(client)
      client.on('close', () => held.delete(client))
      client.on('error', () => client.destroy())
      return
    }
    const server = connect(Number(target.port || 5432), target.hostname)
    // The server's words stay where they are while it hangs.
    answering.add(server)
    server.on('close', () => answering.delete(server))
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      open.add(one)
      one.pipe(other)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        open.delete(one)
        other.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const destroy = () => {
    for (const socket of [...open, ...held]) socket.destroy()
  }
  t.teardown(async () => {
    destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  const bound = server.address()
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0
  const url = new URL(address)
  url.hostname = '127.0.0.1'
  url.port = String(port)
  return {
    url: url.href,
    cut(refusals) {
      isCut = true
      refusalsLeft = refusals
      destroy()
      return new Promise((resolve) => {
        refused = resolve
      })
    },
    mend() {
      isCut = false
      isFrozen = false
      for (const server of answering) server.resume()
      for (const socket of held) socket.destroy()
    },
    freeze() {
      isFrozen = true
      for (const server of answering) server.pause()
    },
  }
}
