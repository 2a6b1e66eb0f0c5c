/** A real mail server on loopback that remembers what it was given, and certificates for it. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server'

interface Mail {
  readonly from: string
  readonly to: readonly string[]
  readonly text: string
  readonly secure: boolean
  readonly user: string
}

export interface MailServer {
  readonly port: number
  readonly mails: Mail[]
  /** Credentials that were shown, over TLS or not. */
  readonly shown: { readonly user: string; readonly secure: boolean }[]
}

interface Test {
  teardown(run: () => Promise<void>): void
}

/** Without TLS and sign-in unless reported. */
export async function mailServer(t: Test, options: SMTPServerOptions = {}): Promise<MailServer> {
  const mails: Mail[] = []
  const shown: { user: string; secure: boolean }[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    closeTimeout: 100,
    onAuth({ username = '', password }, { secure }, done) {
      shown.push({ user: username, secure })
      if (password === 'right') done(null, { user: username })
      else done(Object.assign(new Error('Bad words right here'), { responseCode: 535 }))
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        mails.push(mailOf(session, Buffer.concat(chunks).toString('utf8')))
        done()
      })
    },
    ...options,
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  t.teardown(() => new Promise((resolve) => server.close(() => resolve())))
  return { port: (server.server.address() as AddressInfo).port, mails, shown }
}

/** What stands behind `=` signs and in base64 is decoded: enough for plain words. */
export function decoded(text: string): string {
  return text
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

export interface Certificate {
  readonly key: string
  readonly cert: string
}

/** Its own authority, good for `localhost`. */
export function selfSigned(): Certificate {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-mail-'))
  try {
    const at = (name: string) => join(folder, name)
    execFileSync(
      'openssl',
      [
        ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'],
        ...['-keyout', at('key'), '-out', at('cert'), '-days', '2', '-subj', '/CN=localhost'],
        ...['-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'],
      ],
      { stdio: 'ignore' },
    )
    return { key: readFileSync(at('key'), 'utf8'), cert: readFileSync(at('cert'), 'utf8') }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function mailOf({ envelope, secure, user }: SMTPServerSession, text: string): Mail {
  const { mailFrom, rcptTo } = envelope
  const from = mailFrom === false ? '' : mailFrom.address
  return { from, to: rcptTo.map(({ address }) => address), text, secure, user: String(user ?? '') }
}
