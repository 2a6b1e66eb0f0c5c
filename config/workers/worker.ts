/** What a worker has that a process alone has not: its peers, and a primary that tells it to stop. */
import cluster from 'node:cluster'
import { readRole, type WorkerRole } from '../environment.js'
import type { Ready, ToPrimary, ToWorker } from './messages.js'
import { createPeers, type WorkerPeers } from './peers.js'

export interface WorkerProcess {
  readonly role: WorkerRole
  readonly peers: WorkerPeers
  /** It listens. */
  ready(ready: Ready): void
  /** Calls it where the primary has it stop, and where the primary is no more. */
  onStop(stop: (reason: string) => void): void
  /** Lines of the log that the primary dropped, as far as this one accounts for them. */
  dropped(): number
}

/** Messages that wait for a primary that does not read; beyond them they are lost. */
const unreadMax = 1_000

/** Undefined: this process is none of several. */
export function workerProcess(): WorkerProcess | undefined {
  const { worker } = cluster
  const role = worker && readRole()
  if (role === undefined) return undefined
  // By itself a worker would exit in the middle of everything once its primary is gone.
  worker!.exitedAfterDisconnect = true
  // What the runtime itself sends to a primary that was killed cannot be sent; `disconnect` follows.
  worker!.on('error', () => {})
  const send = sender()
  const peers = createPeers(role, send)
  let stop = (reason: string) => {
    early = reason
  }
  let early: string | undefined
  let dropped = 0
  process.on('message', (message: ToWorker) => {
    if (message.kind === 'stop') stop('the program stops')
    else if (message.kind === 'dropped') dropped += message.lines
    else peers.take(message)
  })
  process.on('disconnect', () => stop('the process that started this one is gone'))
  return {
    role,
    peers,
    ready: (ready) => send({ kind: 'ready', ...ready }),
    onStop(then) {
      stop = then
      if (early !== undefined) then(early)
    },
    dropped: () => dropped,
  }
}

function sender(): (message: ToPrimary) => void {
  let unread = 0
  const sent = () => {
    unread -= 1
  }
  return (message) => {
    if (!process.connected || unread >= unreadMax) return
    unread += 1
    process.send?.(message, undefined, undefined, sent)
  }
}
