/** TLS of the gateway's own, over real sockets and real files. */
import { once } from 'node:events'
import { renameSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { type AddressInfo, connect as connectTcp, type Socket } from 'node:net'
import { join } from 'node:path'
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls'
import t, { type Test } from 'tap'
import { WebSocket } from 'ws'
import type { Log } from '../../../kernel/contract/kit.js'
import { readCertificate } from '../../../kernel/http/certificate.js'
import { followCertificate } from '../../../kernel/http/certificate-renewal.js'
import { capConnections } from '../../../kernel/http/connection-cap.js'
import { createTlsListener } from '../../../kernel/http/listener.js'
import { FakeClock } from '../../kit/clock.js'
import { quietLog } from '../../kit/fakes.js'
import { bootGateway } from '../../kit/gateway.js'
import { root, setupCodeOf } from '../../kit/management.js'
import { type Certificate, selfSigned } from '../../kit/smtp.js'

const pair = selfSigned()
const another = selfSigned()

function files(t: Test, { cert, key }: Certificate = pair) {
  const folder = t.testdir({ 'cert.pem': cert, 'key.pem': key })
  return { certFile: join(folder, 'cert.pem'), keyFile: join(folder, 'key.pem') }
}

interface Heard {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly text: string
}

function ask(url: string, headers: Record<string, string> = {}, body?: object): Promise<Heard> {
  const method = body === undefined ? 'GET' : 'POST'
  const json = body === undefined ? {} : { 'content-type': 'application/json' }
  const options = { method, headers: { ...json, ...headers }, rejectUnauthorized: false }
  return new Promise((resolve, reject) => {
    const asking = request(url, { ...options, agent: false }, async (answer) => {
      let text = ''
      for await (const piece of answer) text += piece
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text })
    })
    asking.on('error', reject)
    asking.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

/** A TLS connection, or the code of why there is none. */
async function greeted(url: string, options: ConnectionOptions = {}): Promise<TLSSocket | string> {
  const port = Number(new URL(url).port)
  const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false, ...options })
  return new Promise((resolve) => {
    socket.once('secureConnect', () => resolve(socket))
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'none'))
  })
}

t.test('[AUTH-2] with a certificate the gateway speaks HTTPS by itself', async (t) => {
  const gateway = await bootGateway(t, { environment: { tls: files(t) } })
  const { address: url } = gateway
  t.match(url, /^https:/)
  const form = { ...root, confirmPassword: root.password, code: setupCodeOf(url) }
  t.equal((await ask(`${url}/api/setup`, {}, form)).status, 200)
  const { headers } = await ask(`${url}/api/user/login`, {}, root)
  t.match(headers['set-cookie']?.[0], /^__Host-session=.*; Secure$/)
  t.match(headers['strict-transport-security'], /max-age=\d+/)
  const cookie = headers['set-cookie']?.[0]?.split(';')[0] ?? ''
  t.equal((await ask(`${url}/api/user/self`, { cookie })).status, 200)
  const plain = cookie.replace('__Host-', '')
  t.equal((await ask(`${url}/api/user/self`, { cookie: plain })).status, 401)

  await t.test('what wants another protocol is answered as the request it is too', async (t) => {
    const offering = {
      connection: 'Upgrade, HTTP2-Settings',
      upgrade: 'h2c',
      'http2-settings': 'A',
    }
    t.equal((await ask(`${url}/health/live`, offering)).status, 200)
  })

  await t.test('a live socket is opened over it', async (t) => {
    const socket = new WebSocket(`${url.replace('https', 'wss')}/live`, {
      rejectUnauthorized: false,
      headers: { cookie, origin: url },
    })
    await once(socket, 'open')
    socket.terminate()
    await once(socket, 'close')
    t.pass()
  })

  await t.test('[AUTH-2] older versions and other protocols are not spoken', async (t) => {
    const old = {
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    } as const
    t.type(await greeted(url, old), 'string')
    for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
      const socket = await greeted(url, { minVersion: version, maxVersion: version })
      if (typeof socket === 'string') return t.fail(socket)
      t.equal(socket.getProtocol(), version)
      socket.destroy()
    }
    const socket = await greeted(url, { ALPNProtocols: ['h2', 'http/1.1'] })
    if (typeof socket === 'string') return t.fail(socket)
    t.equal(socket.alpnProtocol, 'http/1.1')
    socket.destroy()
  })

  await t.test('who speaks plain HTTP to it is cut at once', async (t) => {
    const socket = connectTcp(Number(new URL(url).port), '127.0.0.1')
    socket.on('error', () => {})
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    socket.resume()
    await once(socket, 'close')
    t.pass()
  })
})

t.test('a wrong file stops the start with a sentence that names the variable', async (t) => {
  const { certFile, keyFile } = files(t)
  const folder = t.testdir({
    'cert.pem': pair.cert,
    'key.pem': pair.key,
    'other.pem': another.key,
    'locked.pem':
      '-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n',
    empty: '',
    'cut.pem': pair.cert.slice(0, 200),
  })
  const at = (name: string) => join(folder, name)
  const rows: readonly [cert: string, key: string, RegExp][] = [
    [at('none.pem'), keyFile, /^TLS_CERT: \S+none.pem cannot be read \(ENOENT\)\.$/],
    [certFile, at('none.pem'), /^TLS_KEY: \S+none.pem cannot be read \(ENOENT\)\.$/],
    [folder, keyFile, /^TLS_CERT: .*EISDIR/],
    [at('empty'), keyFile, /^TLS_CERT: \S+ holds no certificate in PEM form\.$/],
    [at('cut.pem'), keyFile, /^TLS_CERT: \S+ holds no certificate in PEM form\.$/],
    [at('key.pem'), at('key.pem'), /^TLS_CERT: \S+ holds no certificate/],
    [at('cert.pem'), at('cert.pem'), /^TLS_KEY: \S+ holds no private key/],
    [at('cert.pem'), at('other.pem'), /^TLS_KEY: \S+ is not the key of the first certificate/],
    [at('cert.pem'), at('locked.pem'), /^TLS_KEY: \S+ is locked by a passphrase/],
  ]
  for (const [certFile, keyFile, message] of rows) {
    t.throws(() => readCertificate({ certFile, keyFile }), { message })
  }
  await t.rejects(bootGateway(t, { environment: { tls: { certFile: at('empty'), keyFile } } }), {
    message: /^TLS_CERT/,
  })
})

/** Lines as they come, and the next one with these words. */
function heardLog() {
  const lines: string[] = []
  const waiting: { words: string; found(): void }[] = []
  const take = (fields: object, message: string) => {
    lines.push(`${message} ${JSON.stringify(fields)}`)
    for (const { words, found } of waiting.splice(0)) {
      if (message.includes(words)) found()
      else waiting.push({ words, found })
    }
  }
  const log: Log = { ...quietLog, info: take, warn: take, error: take }
  const next = (words: string) => new Promise<void>((found) => waiting.push({ words, found }))
  return { log, lines, next }
}

function written(file: string, text: string): void {
  writeFileSync(`${file}.new`, text)
  renameSync(`${file}.new`, file)
}

t.test('a renewed pair is taken over, a wrong one is not, and connections stay', async (t) => {
  const heard = heardLog()
  const tls = files(t)
  const { url } = await gatewayOver(t, tls, heard.log)
  const shown = async () => {
    const socket = await greeted(url)
    if (typeof socket === 'string') throw new Error(socket)
    t.teardown(() => socket.destroy())
    return { socket, serial: socket.getPeerCertificate().serialNumber }
  }
  const before = await shown()
  const refused = heard.next('was not renewed')
  written(tls.certFile, another.cert)
  await refused
  t.equal(
    (await shown()).serial,
    before.serial,
    'the old pair stays while the new one is half there',
  )
  const renewed = heard.next('was renewed')
  written(tls.keyFile, another.key)
  await renewed
  t.not((await shown()).serial, before.serial)
  t.equal((await ask(`${url}/health/live`)).status, 200)
  before.socket.write('GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n')
  t.match(String(await once(before.socket, 'data')), 'HTTP/1.1 200')
  const text = heard.lines.join('\n')
  t.notMatch(text, /PRIVATE KEY/)
  for (const line of pair.key.split('\n').slice(1, 3)) t.notOk(text.includes(line))
})

async function gatewayOver(t: Test, tls: ReturnType<typeof files>, log: Log) {
  const gateway = await bootGateway(t, { environment: { tls }, log })
  return { url: gateway.address }
}

t.test('the log warns before a certificate runs out, once a day', async (t) => {
  const heard = heardLog()
  const tls = files(t)
  const certificate = readCertificate(tls)
  const clock = new FakeClock(certificate.validFrom)
  const take = () => t.fail('nothing was renewed')
  const stop = followCertificate({ files: tls, certificate, clock, log: heard.log, take })
  const day = 24 * 3_600_000
  clock.advance(day)
  t.equal(heard.lines.length, 0, 'a certificate of two days has a third of them left')
  for (let hour = 0; hour < 12; hour += 1) clock.advance(3_600_000)
  t.equal(heard.lines.length, 1)
  t.match(heard.lines[0], 'runs out soon')
  for (let hour = 0; hour < 25; hour += 1) clock.advance(3_600_000)
  t.equal(heard.lines.length, 2)
  t.match(heard.lines[1], 'has run out')
  stop()
  for (let hour = 0; hour < 48; hour += 1) clock.advance(3_600_000)
  t.equal(heard.lines.length, 2)
})

t.test('connections are counted before they have greeted, and freed after', async (t) => {
  const server = createTlsListener(readCertificate(files(t)))
  capConnections(server, () => false, 3)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo
  const silent: Socket[] = []
  for (let n = 0; n < 3; n += 1) {
    const socket = connectTcp(port, '127.0.0.1')
    await once(server, 'connection')
    silent.push(socket)
  }
  const url = `https://127.0.0.1:${port}`
  t.type(await greeted(url), 'string', 'there is no room for a fourth')
  const [first] = silent
  const freed = once(server, 'tlsClientError')
  first?.destroy()
  await freed
  const socket = await greeted(url)
  t.not(typeof socket, 'string')
  if (typeof socket !== 'string') socket.destroy()
  for (const one of silent) one.destroy()
})
