/**
 * The only way out of the process: every outgoing call goes through here (X1). Addresses are checked when
 * they are written and again when they are resolved; redirects are answers, never followed; nothing is decompressed.
 */
import type { Socket } from 'node:net'
import type { Dispatcher } from 'undici'
import type { WebSocket } from 'ws'
import type { Clock, Log } from '../contract/kit.js'
import type { Egress, EgressReply, EgressRequest } from '../contract/services/egress.js'
import { outgoingHeaders } from '../toolkit/endpoint/header-hygiene.js'
import { type AddressPolicy, addressPolicy, listedPolicy, type Resolve } from './address-policy.js'
import { Connections } from './connections.js'
import { ContentWatch } from './content-watch.js'
import { dial } from './dial.js'
import type { ListedHosts } from './listed-hosts.js'
import { connectSocket, httpUrl } from './socket.js'
import { createTargets, type Target } from './target.js'
import { UpstreamCall } from './upstream-call.js'

export interface EgressDependencies {
  /** Whether addresses admins named may be private; a function is called at each look. */
  readonly allowPrivateUpstreams: boolean | (() => boolean)
  readonly clock: Clock
  readonly log: Log
  /** Replaces the rule by which addresses may be called. Absent: that of `addressPolicy`. */
  readonly policy?: AddressPolicy
  /** Replaces the system's name resolution. */
  readonly resolve?: Resolve
}

/** A call to an address a user named, which may lead to what an operator listed besides. */
interface ListedRequest extends EgressRequest {
  readonly listed?: ListedHosts
}

export interface OwnedEgress extends Egress {
  open(request: ListedRequest): Promise<EgressReply>
  /** Destroys every connection; calls still open fail. */
  close(): Promise<void>
}

export function createEgress(dependencies: EgressDependencies): OwnedEgress {
  const { clock, log, allowPrivateUpstreams: allow } = dependencies
  const allowsPrivate = typeof allow === 'function' ? allow : () => allow
  const policy = dependencies.policy ?? addressPolicy(allowsPrivate)
  const connections = new Connections({ allowsPrivate, policy, resolve: dependencies.resolve })
  const sockets = new Set<WebSocket>()
  const dialled = new Set<Socket>()

  function open(request: ListedRequest): Promise<EgressReply> {
    const { url, namedBy, cancel, proxy, listed } = request
    return new Promise((resolve, reject) => {
      const answered = (reply: EgressReply) => resolve(contentWatched(reply, request))
      const call = new UpstreamCall({ clock, log, resolve: answered, reject })
      const send = (dispatcher: Dispatcher, target: Target) => {
        if (cancel !== undefined) cancel.abort = () => call.abort()
        dispatcher.dispatch(sentOf(request, target), call)
      }
      if (listed === undefined) {
        const target = connections.target(url, namedBy)
        return send(connections.dispatcher(namedBy, proxy), target)
      }
      const own = listedPolicy(policy, listed, hostOf(url))
      const target = createTargets(own)(url, namedBy)
      connections.once(namedBy, own, (dispatcher) => send(dispatcher, target))
    })
  }

  function contentWatched(reply: EgressReply, { idleTimeoutMs: silenceMs }: EgressRequest) {
    const contentType = reply.headers['content-type']
    return { ...reply, body: new ContentWatch(reply.body, { clock, silenceMs, contentType }) }
  }

  return {
    open,
    async connect(request) {
      const { namedBy, proxy } = request
      const target = connections.target(httpUrl(request.url), namedBy)
      const lookup = connections.lookupOf(namedBy)
      const agent = proxy === undefined ? undefined : connections.proxies.agent(proxy)
      return connectSocket(target, request, { clock, log, lookup, agent, open: sockets })
    },
    async dial(host, port) {
      connections.checkNumber(host, 'this address may not be called')
      return dial(host, port, { clock, lookup: connections.lookupOf('admin'), open: dialled })
    },
    async close() {
      for (const socket of sockets) socket.terminate()
      for (const socket of dialled) socket.destroy()
      await connections.close()
    },
  }
}

function sentOf(request: EgressRequest, { origin, path }: Target): Dispatcher.DispatchOptions {
  return {
    origin,
    path,
    method: request.method as Dispatcher.HttpMethod,
    headers: outgoingHeaders(request.headers),
    body: request.body,
    headersTimeout: request.headersTimeoutMs,
    bodyTimeout: request.idleTimeoutMs,
  }
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : ''
}
