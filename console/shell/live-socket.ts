/** One live socket, from its greeting to its end: nes spoken to the gateway. It never comes back by itself. */
import type { NesError } from '@hapi/nes/lib/client.js'

/** What `/live` tells: ids and counts, never anybody's data. */
export type LiveMessage = Readonly<Record<string, unknown>>

export interface LiveSocket {
  /** Resolves once it is heard what happens there; false: the person may not hear it, or the socket is gone. */
  subscribe(path: string): Promise<boolean>
  unsubscribe(path: string): void
  close(): void
}

export interface SocketOptions {
  heard(path: string, message: LiveMessage): void
  /** Once, whoever ended it. */
  over(): void
}

/** A proxy that lets no socket through may leave the question unanswered. */
const greetingMs = 10_000

/** Rejects where no socket can be had. */
export async function openSocket({ heard, over }: SocketOptions): Promise<LiveSocket> {
  const { Client } = await import('@hapi/nes/lib/client.js')
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
  const client = new Client(`${scheme}://${location.host}/live`)
  let isOver = false
  const end = () => {
    if (isOver) return
    isOver = true
    over()
  }
  const ignore = () => undefined
  client.onError = ignore
  await client.connect({ reconnect: false, timeout: greetingMs })
  client.onDisconnect = end
  // A socket that breaks is told as an error, and as nothing else.
  client.onError = ({ type }: NesError) => {
    if (type === 'ws') end()
  }

  return {
    subscribe: (path) =>
      client
        .subscribe(path, (message) => heard(path, message as LiveMessage))
        .then(
          () => true,
          () => false,
        ),
    unsubscribe(path) {
      client.unsubscribe(path, undefined).catch(ignore)
    },
    close() {
      void client.disconnect()
      end()
    },
  }
}
