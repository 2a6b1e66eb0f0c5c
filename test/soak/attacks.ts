/**
 * What strangers, and holders of one key, do to a gateway (config/SECURITY.md): each attack is one round that a process of
 * attackers repeats. They write by plain sockets, so that nothing of a client library stands in the way.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

export interface Aim {
  readonly port: number
  /** A key that is right, for attacks by its holder. */
  readonly key: string
}

export interface Attack {
  /** Rounds at once. */
  readonly lanes: number
  /** One round; resolves with the first line of the reply, or with how the connection ended. */
  round(aim: Aim): Promise<string>
}

/** Longest a round is kept up, milliseconds. */
const roundMsMax = 20_000
const megabyte = 1024 * 1024

/** Made once: an attacker has many rounds, and little memory. */
const bodies = {
  unread: values('{},', 66 * megabyte),
  values: values('{},', 60 * megabyte),
  members: members(8 * megabyte),
  number: Buffer.from(`{"model":"m","input":${'9'.repeat(8 * megabyte)}}`),
  small: Buffer.from('{"model":"m"}'),
}
const blanks = Buffer.alloc(megabyte, ' ')

export const attacks: Readonly<Record<string, Attack>> = {
  'tiny chunks': {
    lanes: 2,
    round: (aim) => chunked(aim, '/v1/chat/completions', '1\r\na\r\n', 135 * megabyte),
  },
  'tiny chunks by a key holder': {
    lanes: 1,
    round: (aim) => chunked(aim, '/v1/chat/completions', '1\r\na\r\n', 135 * megabyte, aim.key),
  },
  'tiny chunks of management': {
    lanes: 1,
    round: (aim) => chunked(aim, '/api/user/login', '1\r\n{\r\n', 20 * megabyte),
  },
  'a large body without a key': {
    lanes: 2,
    round: (aim) => whole(aim, '/v1/chat/completions', bodies.unread),
  },
  'many values by a key holder': {
    lanes: 1,
    round: (aim) => whole(aim, '/v1/chat/completions', bodies.values, aim.key),
  },
  'many members by a key holder': {
    lanes: 1,
    round: (aim) => whole(aim, '/v1/messages', bodies.members, aim.key),
  },
  'one long number by a key holder': {
    lanes: 1,
    round: (aim) => whole(aim, '/v1/responses', bodies.number, aim.key),
  },
  'bodies that are held': {
    lanes: 40,
    round: (aim) => held(aim, '/v1/chat/completions', 62 * megabyte),
  },
  'bodies that are held by a key holder': {
    lanes: 10,
    round: (aim) => held(aim, '/v1/chat/completions', 62 * megabyte, aim.key),
  },
  'bodies that trickle': {
    lanes: 40,
    round: (aim) => trickled(aim, '/v1/chat/completions', aim.key),
  },
  'wrong keys': {
    lanes: 2,
    round: (aim) =>
      whole(aim, '/v1/chat/completions', bodies.small, `sk-${Math.random().toString(36)}`),
  },
  'paths that look like keys': {
    lanes: 2,
    round: (aim) => plain(aim, `/v1/models/sk-${'a.'.repeat(7_000)}`),
  },
  'paths of tokens and backslashes': {
    lanes: 2,
    round: (aim) => plain(aim, `/v1/models/eyJ${'a-'.repeat(3_000)}${'%5C'.repeat(2_000)}`),
  },
}

/** `[{},{},…]`, of about this many bytes. */
function values(item: string, bytes: number): Buffer {
  return Buffer.from(`[${item.repeat(Math.floor(bytes / item.length))}0]`)
}

function members(bytes: number): Buffer {
  const each: string[] = []
  for (let at = 0; at * 12 < bytes; at += 1) each.push(`"k${at}":1`)
  return Buffer.from(`{${each.join()}}`)
}

function head(path: string, key: string | undefined, more: readonly string[]): string {
  return [
    `POST ${path} HTTP/1.1`,
    'host: localhost',
    'content-type: application/json',
    ...(key === undefined ? [] : [`authorization: Bearer ${key}`]),
    ...more,
    '\r\n',
  ].join('\r\n')
}

function plain(aim: Aim, path: string): Promise<string> {
  return fought(aim, async (socket) => {
    socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`)
  })
}

function whole(aim: Aim, path: string, body: Buffer, key?: string): Promise<string> {
  return fought(aim, async (socket) => {
    socket.write(head(path, key, [`content-length: ${body.length}`, 'connection: close']))
    for (let at = 0; at < body.length; at += megabyte) {
      await written(socket, body.subarray(at, at + megabyte))
    }
  })
}

function chunked(
  aim: Aim,
  path: string,
  chunk: string,
  bytesMax: number,
  key?: string,
): Promise<string> {
  const piece = Buffer.from(chunk.repeat(10_000))
  return fought(aim, async (socket) => {
    socket.write(head(path, key, ['transfer-encoding: chunked']))
    for (let sent = 0; sent < bytesMax; sent += piece.length) await written(socket, piece)
    socket.write('0\r\n\r\n')
  })
}

/** All but the last byte, and then nothing. */
function held(aim: Aim, path: string, bytes: number, key?: string): Promise<string> {
  return fought(aim, async (socket) => {
    socket.write(head(path, key, [`content-length: ${bytes}`]))
    for (let sent = 0; sent < bytes - megabyte; sent += megabyte) await written(socket, blanks)
  })
}

function trickled(aim: Aim, path: string, key: string): Promise<string> {
  return fought(aim, async (socket, over) => {
    socket.write(head(path, key, [`content-length: ${megabyte}`]))
    while (!over.aborted) {
      await written(socket, Buffer.from(' '))
      await pause(200, undefined, { signal: over })
    }
  })
}

function written(socket: Socket, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.write(bytes, (error) => (error ? reject(error) : resolve()))
  })
}

/** One connection from its beginning until there is a reply, it is cut, or the round has lasted long enough. */
async function fought(
  { port }: Aim,
  fight: (socket: Socket, over: AbortSignal) => Promise<void>,
): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.3' })
  const over = new AbortController()
  const ended = new Promise<string>((resolve) => {
    socket.on('data', (bytes) => resolve(bytes.toString('latin1').split('\r\n', 1)[0] ?? ''))
    socket.on('error', (error) => resolve(`error ${(error as NodeJS.ErrnoException).code}`))
    socket.on('close', () => resolve('closed'))
    setTimeout(() => resolve('still open'), roundMsMax).unref()
  })
  const writing = once(socket, 'connect')
    .then(() => fight(socket, over.signal))
    .catch(() => {})
  const outcome = await ended
  over.abort()
  socket.destroy()
  await writing
  return outcome
}
