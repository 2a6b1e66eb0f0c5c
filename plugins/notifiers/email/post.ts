/**
 * One mail handed to the mail server: connecting, TLS, sign-in and the mail itself within 30 seconds together (API-9).
 * Credentials go over TLS only, but to a server within a private network.
 */
import type { Socket } from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import { createTransport } from 'nodemailer'
import type { OutgoingKit, Settings } from '../../../kernel/contract/kit.js'
import type { Notice, NoticeOutcome } from '../../../kernel/contract/notifier.js'
import { letterOf, senderOf } from './letter.js'
import { outcomeOfFault } from './outcome.js'

/** For connection and operation together. */
const deadlineMs = 30_000
const implicitTlsPort = 465

type PostKit = Pick<OutgoingKit, 'settings' | 'dial' | 'clock'>

/** @param tls more authorities to trust; absent: those of the runtime */
export async function post(
  notice: Notice,
  to: string,
  kit: PostKit,
  tls: ConnectionOptions = {},
): Promise<NoticeOutcome> {
  const { settings, clock } = kit
  const from = senderOf(settings)
  const host = settings.string('server')
  if (host === '' || from === undefined) {
    return { kind: 'refused', reason: 'No mail server is configured.' }
  }
  let socket: Socket | undefined
  const ending = new AbortController()
  let stop = () => {}
  const late = new Promise<NoticeOutcome>((resolve) => {
    stop = clock.after(deadlineMs, () =>
      resolve({ kind: 'later', reason: 'The mail server took longer than 30 seconds.' }),
    )
  })

  async function send(): Promise<NoticeOutcome> {
    socket = await kit.dial(host, settings.number('port'))
    // Until the library listens, nobody else would.
    socket.on('error', () => {})
    if (ending.signal.aborted) {
      socket.destroy()
      return late
    }
    const transport = createTransport({ ...wayOver(socket, settings), tls })
    try {
      await transport.sendMail({ ...letterOf(notice, from!, to), signal: ending.signal })
      return { kind: 'delivered' }
    } finally {
      transport.close()
    }
  }

  try {
    return await Promise.race([send().catch(outcomeOfFault), late])
  } finally {
    stop()
    ending.abort()
    socket?.destroy()
  }
}

/** How the connection is used. Certificates are always checked. */
function wayOver(socket: Socket, settings: Settings) {
  const port = settings.number('port')
  const account = settings.string('account')
  const starttls = settings.string('starttls')
  const auth = account !== '' && { user: account, pass: settings.string('token') }
  const mustHide = auth !== false && !isNear(socket.remoteAddress ?? '')
  return {
    host: settings.string('server'),
    port,
    connection: socket,
    secure: settings.boolean('ssl') || port === implicitTlsPort,
    requireTLS: starttls === 'required' || mustHide,
    ignoreTLS: starttls === 'never',
    ...(auth !== false && { auth }),
    connectionTimeout: deadlineMs,
    greetingTimeout: deadlineMs,
    socketTimeout: deadlineMs,
    socketCloseTimeout: 0,
    maxResponseSize: 65_536,
  }
}

/** Loopback, or an address of a private network. */
function isNear(address: string): boolean {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  return /^(?:127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|::1$|f[cd][0-9a-f]{2}:)/i.test(
    plain,
  )
}
