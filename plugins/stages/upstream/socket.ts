/**
 * A WebSocket to the upstream, until its first frame is there: several upstreams let anyone in and report only then that
 * the key is wrong or the model unknown, and that may still move to another channel (M14, S18).
 */
import type { Frame, FrameSocket } from '../../../kernel/contract/bytes.js'
import type { FrameTranslator } from '../../../kernel/contract/frames.js'
import type { Clock } from '../../../kernel/contract/kit.js'
import type { Reserved } from '../../../kernel/contract/line/record.js'
import type { SocketReply } from '../../../kernel/contract/line/reply.js'
import type { SocketSession } from '../../../kernel/contract/operation.js'
import type { SocketRequest } from '../../../kernel/contract/provider.js'
import type { Cancel, Egress } from '../../../kernel/contract/services/egress.js'
import { limits } from '../../../kernel/toolkit/limits/index.js'
import { brokenReply, FailureError } from './failure-error.js'
import { TranslatedSocket } from './translated-socket.js'

export interface SocketDependencies {
  readonly egress: Egress
  readonly clock: Clock
  /** RELAY_TIMEOUT; 0: none set. */
  readonly relayTimeoutMs: number
  readonly cancel: Cancel
  /** The outcome of this attempt is known already. */
  readonly over: () => boolean
  /** The upstream does not take the credentials. */
  readonly forget: () => void
  /** Undefined: the upstream speaks as the client does. */
  readonly translator: () => FrameTranslator | undefined
}

/** An upstream takes no longer to answer a request that holds nothing. */
const handshakeMs = 30_000
/** An upstream that waits for the client to speak first is let through after this. */
export const firstFrameMs = 3_000

export async function openSocket(
  state: Reserved,
  request: SocketRequest & { readonly proxy?: string | undefined },
  dependencies: SocketDependencies,
): Promise<SocketReply> {
  const { cancel } = dependencies
  const reply = await dependencies.egress.connect({
    ...request,
    namedBy: 'admin',
    handshakeTimeoutMs: Math.min(dependencies.relayTimeoutMs || limits.headersMs, handshakeMs),
    cancel,
  })
  if (reply.kind === 'refused') {
    if (reply.status === 401 || reply.status === 403) dependencies.forget()
    throw new FailureError(state.adapter.fail(reply.status, reply.headers, reply.head))
  }
  const opened = reply.socket
  cancel.abort = () => opened.close(1001, '')
  try {
    if (dependencies.over()) throw brokenReply('upstream_broke_off')
    const socket = translated(opened, dependencies)
    const session = state.work!.session!(state)
    return {
      kind: 'socket',
      socket,
      session,
      head: await openingFrames(socket, session, dependencies),
    }
  } catch (error) {
    opened.close(1001, '')
    throw error
  }
}

function translated(opened: FrameSocket, dependencies: SocketDependencies): FrameSocket {
  const translator = dependencies.translator()
  if (translator === undefined) return opened
  return new TranslatedSocket(opened, translator, dependencies.clock)
}

async function openingFrames(
  socket: FrameSocket,
  session: SocketSession,
  { clock, forget }: SocketDependencies,
): Promise<readonly Frame[]> {
  const first = await firstFrame(socket, clock)
  if (first === undefined) return []
  const failure = session.refusal(first.bytes)
  if (failure === undefined) return [first]
  if (failure.status === 401 || failure.status === 403) forget()
  throw new FailureError(failure)
}

function firstFrame(socket: FrameSocket, clock: Clock): Promise<Frame | undefined> {
  return new Promise((resolve, reject) => {
    const done = (frame?: Frame) => {
      cancelWait()
      socket.pause()
      resolve(frame)
    }
    const cancelWait = clock.after(firstFrameMs, done)
    socket.consume({
      frame: (bytes, binary) => done({ bytes, binary }),
      drained: () => {},
      closed() {
        cancelWait()
        reject(brokenReply('upstream_broke_off'))
      },
    })
  })
}
