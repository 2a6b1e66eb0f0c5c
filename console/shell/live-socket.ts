/** One live socket, from its greeting to its end: by the protocol of nes. It never reconnects by itself. */
import type { NesError } from '@hapi/nes/lib/client.js'

/** Messages of `/live`: ids and counts, never anybody's data. */
export type LiveMessage = Readonly<Record<string, unknown>>

export interface LiveSocket {
  /** Resolves once the subscription is active; false: the person may not subscribe, or the socket is gone. */
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
  // A socket that breaks raises an error, and nothing else.
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
