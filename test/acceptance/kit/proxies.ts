/** nginx and Caddy with the configurations this project ships, before a gateway of the test. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { freePort } from '../../kit/free-port.js'
import { selfSigned } from '../../kit/smtp.js'

export type ProxyName = 'nginx' | 'caddy'

export interface Proxy {
  /** Origin it listens at, by HTTPS. */
  readonly url: string
  /** Everything it wrote so far. */
  output(): string
}

/** False: it is here. Else why tests that need it are skipped. */
export function noProxy(name: ProxyName): string | false {
  const [program, flag] = name === 'nginx' ? [nginx, '-v'] : ['caddy', 'version']
  return spawnSync(program, [flag]).error === undefined
    ? false
    : `no ${name} on this machine; test/services.sh --proxies installs one`
}

/** Debian keeps it out of the path of those who are not root. */
const nginx = spawnSync('nginx', ['-v']).error === undefined ? 'nginx' : '/usr/sbin/nginx'

type Life = Pick<Test, 'teardown'>

/** By the shipped file; `edit` changes it further. `gateway`: origin of the gateway. */
export function shippedProxy(
  t: Life,
  name: ProxyName,
  gateway: string,
  edit: (text: string) => string = (text) => text,
): Promise<Proxy> {
  return name === 'nginx' ? shippedNginx(t, gateway, edit) : shippedCaddy(t, gateway, edit)
}

async function shippedNginx(t: Life, gateway: string, edit: (text: string) => string) {
  const [port, plainPort] = [await freePort(), await freePort()]
  const pair = certificateFiles(t)
  const site = edit(shipped('nginx.conf'))
    .replaceAll(/ +listen \[::\].*\n/g, '')
    .replace('listen 443', `listen 127.0.0.1:${port}`)
    .replace('listen 80', `listen 127.0.0.1:${plainPort}`)
    .replace('127.0.0.1:3000', new URL(gateway).host)
    .replace(/\/etc\S+fullchain\.pem/, pair.cert)
    .replace(/\/etc\S+privkey\.pem/, pair.key)
  return startNginx(t, site, port)
}

/** `site`: what stands in `http { }`; it listens at `port` of this machine. */
export async function startNginx(t: Life, site: string, port: number): Promise<Proxy> {
  const folder = folderOf(t)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  const file = join(folder, 'nginx.conf')
  const http = `http { access_log off; ${temporary.join(' ')}\n${site}\n}`
  const own = process.getuid?.() === 0 ? 'user root;' : ''
  writeFileSync(
    file,
    `daemon off; ${own} pid ${folder}/pid; error_log stderr warn; events {}\n${http}`,
  )
  const child = spawn(nginx, ['-p', folder, '-c', file], { stdio: ['ignore', 'pipe', 'pipe'] })
  return started(t, child, port)
}

async function shippedCaddy(t: Life, gateway: string, edit: (text: string) => string) {
  const port = await freePort()
  const pair = certificateFiles(t)
  const folder = folderOf(t)
  const file = join(folder, 'Caddyfile')
  const text = edit(shipped('Caddyfile'))
    .replace(
      /^\{\n/m,
      `{\n\tadmin off\n\tgrace_period 1ms\n\tauto_https disable_redirects\n\tdefault_bind 127.0.0.1\n`,
    )
    .replace('gateway.example {', `https://:${port} {\n\ttls ${pair.cert} ${pair.key}`)
    .replace('127.0.0.1:3000', new URL(gateway).host)
  writeFileSync(file, text)
  const flags = ['run', '--adapter', 'caddyfile', '--config', file]
  const { PATH = '' } = process.env
  const env = { PATH, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  return started(t, spawn('caddy', flags, { env, stdio: ['ignore', 'pipe', 'pipe'] }), port)
}

async function started(t: Life, child: ChildProcess, port: number): Promise<Proxy> {
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (piece) => (text += piece))
  t.teardown(async () => {
    if (child.exitCode !== null) return
    const gone = once(child, 'exit')
    // In order, but at once: the workers of nginx outlive a master that is killed.
    child.kill('SIGTERM')
    await gone
    for (const stream of [child.stdout, child.stderr]) stream?.destroy()
  })
  while (!(await takes(port))) {
    if (child.exitCode !== null) throw new Error(`the proxy did not start: ${text}`)
  }
  return { url: `https://localhost:${port}`, output: () => text }
}

function shipped(name: string): string {
  return readFileSync(new URL(`../../../../config/proxies/${name}`, import.meta.url), 'utf8')
}

function certificateFiles(t: Life) {
  const folder = folderOf(t)
  const { cert, key } = selfSigned()
  const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
  writeFileSync(files.cert, cert)
  writeFileSync(files.key, key)
  return files
}

function folderOf(t: Life): string {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-proxy-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function takes(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  const taken = await Promise.race([
    once(socket, 'connect').then(() => true),
    once(socket, 'error').then(() => false),
  ]).catch(() => false)
  socket.destroy()
  return taken
}
