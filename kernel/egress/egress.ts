/**
 * The only way out of the process: every outgoing call goes through here (X1). Addresses are checked when
 * they are written and again when they are resolved; redirects are answers, never followed; nothing is decompressed.
 */
import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { Agent } from 'undici'
import type { WebSocket } from 'ws'
import type { Clock, Log } from '../contract/kit.js'
import type {
  Egress,
  EgressReply,
  EgressRequest,
  EgressSocketReply,
  EgressSocketRequest,
} from '../contract/services/egress.js'
import { outgoingHeaders } from '../toolkit/endpoint/header-hygiene.js'
import { addressRefused, egressError } from '../toolkit/errors/egress-error.js'
import { limits } from '../toolkit/limits/limits.js'
import {
  type AddressPolicy,
  addressPolicy,
  guardedLookup,
  type NamedBy,
  type Resolve,
} from './address-policy.js'
import { ContentWatch } from './content-watch.js'
import { egressLimits } from './limits.js'
import { createProxies } from './proxies.js'
import { connectSocket, httpUrl } from './socket.js'
import { createTargets } from './target.js'
import { UpstreamCall } from './upstream-call.js'

export interface EgressDependencies {
  /** Whether addresses admins named may be private; a function is asked at each look. */
  readonly allowPrivateUpstreams: boolean | (() => boolean)
  readonly clock: Clock
  readonly log: Log
  /** Replaces the rule by which addresses may be called. Absent: that of `addressPolicy`. */
  readonly policy?: AddressPolicy
  /** Replaces the system's name resolution. */
  readonly resolve?: Resolve
}

export interface OwnedEgress extends Egress {
  /** Destroys every connection; calls still open fail. */
  close(): Promise<void>
}

export function createEgress(dependencies: EgressDependencies): OwnedEgress {
  const { clock, log } = dependencies
  const { allowPrivateUpstreams: allow } = dependencies
  const allowed = typeof allow === 'function' ? allow : () => allow
  const policy = dependencies.policy ?? addressPolicy(allowed)
  let heeded = allowed()
  let targetOf = createTargets(policy)
  // Apart, so that a user's request can never ride on a connection an admin's rule allowed.
  const agents = {
    admin: connections('admin', policy, dependencies.resolve),
    user: connections('user', policy, dependencies.resolve),
  }

  /** A host written as a number is looked up by nobody, so it is checked here. Names are when they are resolved. */
  function checkNumber(host: string, fault: string): void {
    if (isIP(host) !== 0 && !policy(host, 'admin')) throw addressRefused(fault)
  }

  const proxies = createProxies({
    lookup: guardedLookup(policy, 'admin', dependencies.resolve),
    check: (host) => checkNumber(host, 'the address of the proxy may not be called'),
  })

  const retired = new Set<Agent>()

  /** What was found under another rule, and connections made under it, serve no further call. */
  function heedRule(): void {
    if (allowed() === heeded) return
    heeded = allowed()
    targetOf = createTargets(policy)
    proxies.forget()
    const former = agents.admin
    agents.admin = connections('admin', policy, dependencies.resolve)
    retired.add(former)
    void former.close().then(() => retired.delete(former))
  }

  function open(request: EgressRequest): Promise<EgressReply> {
    heedRule()
    const { namedBy, cancel, proxy } = request
    return new Promise((resolve, reject) => {
      const { origin, path } = targetOf(request.url, namedBy)
      const way = proxy === undefined ? agents[namedBy] : proxies.dispatcher(proxy)
      const answered = (reply: EgressReply) => resolve(contentWatched(reply, request))
      const call = new UpstreamCall({ clock, log, resolve: answered, reject })
      if (cancel !== undefined) cancel.abort = () => call.abort()
      way.dispatch(
        {
          origin,
          path,
          method: request.method,
          headers: outgoingHeaders(request.headers),
          body: request.body,
          headersTimeout: request.headersTimeoutMs,
          bodyTimeout: request.idleTimeoutMs,
        },
        call,
      )
    })
  }

  function contentWatched(reply: EgressReply, { idleTimeoutMs: silenceMs }: EgressRequest) {
    const contentType = reply.headers['content-type']
    return { ...reply, body: new ContentWatch(reply.body, { clock, silenceMs, contentType }) }
  }

  const sockets = new Set<WebSocket>()

  async function connect(request: EgressSocketRequest): Promise<EgressSocketReply> {
    heedRule()
    const { namedBy, proxy } = request
    const target = targetOf(httpUrl(request.url), namedBy)
    const lookup = guardedLookup(policy, namedBy, dependencies.resolve)
    const agent = proxy === undefined ? undefined : proxies.agent(proxy)
    const parts = { clock, log, lookup, agent, open: sockets }
    return connectSocket(target, request, parts)
  }

  const dialled = new Set<Socket>()

  function dial(host: string, port: number): Promise<Socket> {
    return new Promise((resolve, reject) => {
      checkNumber(host, 'this address may not be called')
      const lookup = guardedLookup(policy, 'admin', dependencies.resolve)
      const socket = connectTcp({ host, port, lookup, autoSelectFamily: true })
      dialled.add(socket)
      // Whoever dialled may listen too; without any listener a connection that breaks would end the process.
      socket.on('error', () => {})
      const fail = (error: Error) => reject(egressError(error, 'connecting'))
      const cancel = clock.after(limits.connectMs, () => socket.destroy(new Error('no connection')))
      socket.once('close', () => {
        cancel()
        dialled.delete(socket)
      })
      socket.once('error', fail)
      socket.once('connect', () => {
        cancel()
        socket.off('error', fail)
        resolve(socket)
      })
    })
  }

  return {
    open,
    connect,
    dial,
    async close() {
      for (const socket of sockets) socket.terminate()
      for (const socket of dialled) socket.destroy()
      const all = [agents.admin, agents.user, ...retired]
      await Promise.all([...all.map((agent) => agent.destroy()), proxies.close()])
    },
  }
}

/** No cap on connections: a stream holds one for minutes, and the number of requests is bounded elsewhere. */
function connections(namedBy: NamedBy, policy: AddressPolicy, resolve?: Resolve): Agent {
  return new Agent({
    pipelining: 1,
    connections: null,
    maxHeaderSize: egressLimits.headerBytesMax,
    keepAliveMaxTimeout: egressLimits.idleConnectionMsMax,
    connect: {
      timeout: limits.connectMs,
      autoSelectFamily: true,
      lookup: guardedLookup(policy, namedBy, resolve),
    },
  })
}
