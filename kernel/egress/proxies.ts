/**
 * Ways out through a proxy an admin named: one set of connections per proxy address, bounded. The proxy's own address
 * is checked like any other; names of upstreams are resolved by the proxy, addresses written as numbers were checked.
 */
import type { Agent as HttpAgent } from 'node:http'
import type { LookupFunction } from 'node:net'
import { HttpsProxyAgent } from 'https-proxy-agent'
import { LRUCache } from 'lru-cache'
import { SocksClient, type SocksProxy } from 'socks'
import { SocksProxyAgent } from 'socks-proxy-agent'
import { Agent, buildConnector, type Dispatcher, ProxyAgent } from 'undici'
import { addressRefused } from '../toolkit/errors/egress-error.js'
import { limits } from '../toolkit/limits/limits.js'
import { egressLimits } from './limits.js'

export interface Proxies {
  /** For HTTP calls. Throws an `EgressError` for an address that is no proxy's. */
  dispatcher(proxy: string): Dispatcher
  /** For WebSockets; connections are not kept. Throws as above. */
  agent(proxy: string): HttpAgent
  /** Connections are made anew, by the rule of now; calls that are under way end in their own time. */
  forget(): void
  close(): Promise<void>
}

export interface ProxyOptions {
  readonly lookup: LookupFunction
  /** Throws where the host, written as a number, may not be called. */
  check(host: string): void
}

export function createProxies(options: ProxyOptions): Proxies {
  const known = new LRUCache<string, Dispatcher>({
    max: egressLimits.proxiesMax,
    // Calls that are under way end in their own time.
    dispose: (way) => void way.close().catch(() => {}),
  })

  function checked(proxy: string): URL {
    const url = URL.canParse(proxy) ? new URL(proxy) : undefined
    if (url === undefined || !/^(?:https?|socks5h?):$/.test(url.protocol)) {
      throw addressRefused('the proxy has no http, https or socks5 address')
    }
    options.check(hostOf(url))
    return url
  }

  return {
    dispatcher(proxy) {
      const found = known.get(proxy)
      if (found !== undefined) return found
      const url = checked(proxy)
      const made = isSocks(url) ? throughSocks(url, options) : throughHttp(url, options)
      known.set(proxy, made)
      return made
    },
    agent(proxy) {
      const url = checked(proxy)
      const { lookup } = options
      const timeout = limits.connectMs
      return isSocks(url)
        ? new SocksProxyAgent(url.href.replace(/^socks5:/, 'socks5h:'), {
            timeout,
            socketOptions: { lookup },
          })
        : new HttpsProxyAgent(url.href, { lookup, timeout })
    },
    forget: () => known.clear(),
    async close() {
      const ways = [...known.values()]
      await Promise.all(ways.map((way) => way.destroy()))
      known.clear()
    },
  }
}

function throughHttp(url: URL, { lookup }: ProxyOptions): Dispatcher {
  const timeout = limits.connectMs
  return new ProxyAgent({
    uri: url.href,
    proxyTls: { lookup, timeout },
    requestTls: { timeout },
    pipelining: 1,
    maxHeaderSize: egressLimits.headerBytesMax,
  })
}

/** A connection that is already through the proxy is taken over, and secured where the upstream's address states so. */
function throughSocks(url: URL, { lookup }: ProxyOptions): Dispatcher {
  const proxy: SocksProxy = { host: hostOf(url), port: portOf(url), type: 5, ...loginOf(url) }
  const takeOver = buildConnector({ timeout: limits.connectMs })
  return new Agent({
    pipelining: 1,
    maxHeaderSize: egressLimits.headerBytesMax,
    connect(wanted, done) {
      const port = Number(wanted.port) || (wanted.protocol === 'https:' ? 443 : 80)
      SocksClient.createConnection({
        proxy,
        command: 'connect',
        destination: { host: wanted.hostname, port },
        timeout: limits.connectMs,
        socket_options: { lookup, host: proxy.host!, port: proxy.port },
      }).then(
        ({ socket }) => {
          if (wanted.protocol === 'https:') takeOver({ ...wanted, httpSocket: socket }, done)
          else done(null, socket.setNoDelay())
        },
        (error: Error) => done(error, null),
      )
    },
  })
}

function isSocks({ protocol }: URL): boolean {
  return protocol.startsWith('socks')
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '')
}

function portOf({ port }: URL): number {
  return Number(port) || 1080
}

function loginOf({ username, password }: URL): Pick<SocksProxy, 'userId' | 'password'> {
  if (username === '') return {}
  return { userId: decodeURIComponent(username), password: decodeURIComponent(password) }
}
