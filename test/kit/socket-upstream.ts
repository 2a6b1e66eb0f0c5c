/**
 * A scripted realtime upstream: a real WebSocket server on loopback that greets as it is reported, remembers what it was
 * queried and states what the test wants it to say.
 */
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'

export type RealtimeEvent = Readonly<Record<string, unknown>>

/** How a request for a WebSocket is met. */
export type Welcome = (request: IncomingMessage, socket: Socket, letIn: () => void) => void

export interface UpstreamSession {
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly socket: WebSocket
  /** Everything that came so far. */
  readonly received: RealtimeEvent[]
  /** Resolves with the next event of this type that was not waited for yet. */
  next(type: string): Promise<RealtimeEvent>
  send(event: RealtimeEvent): void
  /** Resolves with the code when the socket is gone. */
  readonly closed: Promise<number>
}

export interface SocketUpstream {
  readonly url: string
  readonly sessions: UpstreamSession[]
  /** Requests for a socket, let in or not. */
  readonly requests: IncomingMessage[]
  /** One welcome per request, the last one for all further ones. */
  welcome(...welcomes: Welcome[]): void
  /** What is stated first to everyone who is let in. */
  greeting: readonly RealtimeEvent[]
  /** Resolves with the session of this number, counted from 0. */
  session(index: number): Promise<UpstreamSession>
}

export const greet: Welcome = (_, __, letIn) => letIn()

/** Refuses with a status and a JSON body. */
export function turnAway(status: number, body: unknown): Welcome {
  return (_, socket) => {
    const text = JSON.stringify(body)
    socket.end(
      `HTTP/1.1 ${status} No\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
    )
  }
}

const sessionCreated: RealtimeEvent = {
  type: 'session.created',
  event_id: 'event_1',
  session: { id: 'sess_1', object: 'realtime.session', output_modalities: ['text'] },
}

export async function socketUpstream(t: {
  teardown(run: () => Promise<void>): void
}): Promise<SocketUpstream> {
  let welcomes: Welcome[] = [greet]
  const waiting: { index: number; resolve: (session: UpstreamSession) => void }[] = []
  const server = createServer((_, response) => response.writeHead(404).end())
  const sockets = new WebSocketServer({ noServer: true })

  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    upstream.requests.push(request)
    socket.on('error', () => {})
    const welcome = welcomes.length > 1 ? welcomes.shift()! : welcomes[0]!
    welcome(request, socket, () => {
      sockets.handleUpgrade(request, socket, head, (opened) => take(opened, request))
    })
  })

  function take(socket: WebSocket, request: IncomingMessage): void {
    upstream.sessions.push(sessionOver(socket, request))
    for (const event of upstream.greeting) socket.send(JSON.stringify(event))
    for (const waiter of waiting.splice(0)) {
      const there = upstream.sessions[waiter.index]
      if (there === undefined) waiting.push(waiter)
      else waiter.resolve(there)
    }
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(
    () =>
      new Promise((resolve) => {
        for (const { socket } of upstream.sessions) socket.terminate()
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  const upstream: SocketUpstream = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sessions: [],
    requests: [],
    greeting: [sessionCreated],
    welcome: (...next) => {
      welcomes = next
    },
    session: (index) =>
      new Promise((resolve) => {
        const there = upstream.sessions[index]
        if (there === undefined) waiting.push({ index, resolve })
        else resolve(there)
      }),
  }
  return upstream
}

function sessionOver(socket: WebSocket, { url = '', headers }: IncomingMessage): UpstreamSession {
  const { received, next } = eventsOf(socket)
  return {
    url,
    headers,
    socket,
    received,
    next,
    send: (event) => socket.send(JSON.stringify(event)),
    closed: closeOf(socket),
  }
}

/** Collects the events of a socket, so that a test can wait for one by its type. */
export function eventsOf(socket: WebSocket): Pick<UpstreamSession, 'received' | 'next'> {
  const received: RealtimeEvent[] = []
  const unseen: RealtimeEvent[] = []
  let waiting: { type: string; resolve: (event: RealtimeEvent) => void }[] = []
  socket.on('message', (data) => {
    const event = JSON.parse(String(data)) as RealtimeEvent
    received.push(event)
    const waiter = waiting.find(({ type }) => type === event.type)
    if (waiter === undefined) {
      unseen.push(event)
      return
    }
    waiting = waiting.filter((other) => other !== waiter)
    waiter.resolve(event)
  })
  return {
    received,
    next: (type) =>
      new Promise((resolve) => {
        const at = unseen.findIndex((event) => event.type === type)
        if (at < 0) waiting.push({ type, resolve })
        else resolve(unseen.splice(at, 1)[0]!)
      }),
  }
}

export function closeOf(socket: WebSocket): Promise<number> {
  socket.on('error', () => {})
  return new Promise((resolve) => {
    socket.on('close', (code) => resolve(code))
  })
}

/** Events of an answer, as an upstream writes them. */
export const answer = {
  created: (id: string) => ({
    type: 'response.created',
    event_id: `event_${id}_1`,
    response: { id, object: 'realtime.response', status: 'in_progress', usage: null },
  }),
  text: (id: string, delta: string) => ({
    type: 'response.output_text.delta',
    event_id: `event_${id}_2`,
    response_id: id,
    item_id: 'item_1',
    output_index: 0,
    content_index: 0,
    delta,
  }),
  audio: (id: string, bytes: number) => ({
    type: 'response.output_audio.delta',
    event_id: `event_${id}_3`,
    response_id: id,
    item_id: 'item_1',
    output_index: 0,
    content_index: 0,
    delta: Buffer.alloc(bytes).toString('base64'),
  }),
  done: (id: string, usage?: RealtimeEvent, over: RealtimeEvent = {}) => ({
    type: 'response.done',
    event_id: `event_${id}_4`,
    response: {
      id,
      object: 'realtime.response',
      status: 'completed',
      ...(usage !== undefined && { usage }),
      ...over,
    },
  }),
  usage: (textIn: number, textOut: number, audioIn = 0, audioOut = 0, cached = 0) => ({
    total_tokens: textIn + textOut + audioIn + audioOut,
    input_tokens: textIn + audioIn,
    output_tokens: textOut + audioOut,
    input_token_details: {
      text_tokens: textIn,
      audio_tokens: audioIn,
      image_tokens: 0,
      cached_tokens: cached,
      cached_tokens_details: { text_tokens: cached, audio_tokens: 0, image_tokens: 0 },
    },
    output_token_details: { text_tokens: textOut, audio_tokens: audioOut },
  }),
}
