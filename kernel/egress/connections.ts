/**
 * Connections to upstreams and to the proxies in between, and which addresses may be called over them. What was found under
 * another rule about private addresses, and connections made under it, serve no further call.
 */
import { isIP, type LookupFunction } from 'node:net'
import { Agent, type Dispatcher } from 'undici'
import { addressRefused } from '../toolkit/errors/egress-error.js'
import { limits } from '../toolkit/limits/limits.js'
import { type AddressPolicy, guardedLookup, type NamedBy, type Resolve } from './address-policy.js'
import { egressLimits } from './limits.js'
import { createProxies, type Proxies } from './proxies.js'
import { createTargets, type Target, type Targets } from './target.js'

export interface ConnectionDependencies {
  /** Whether addresses admins named may be private, as of now. */
  readonly allowsPrivate: () => boolean
  readonly policy: AddressPolicy
  /** Replaces the system's name resolution. */
  readonly resolve?: Resolve | undefined
}

export class Connections {
  private ruleInUse: boolean
  private targetOf: Targets
  // Apart, so that a user's request can never ride on a connection an admin's rule allowed.
  private readonly agents: Record<NamedBy, Agent>
  private readonly retired = new Set<Agent>()
  readonly proxies: Proxies

  constructor(private readonly dependencies: ConnectionDependencies) {
    this.ruleInUse = dependencies.allowsPrivate()
    this.targetOf = createTargets(dependencies.policy)
    this.agents = { admin: this.agentOf('admin'), user: this.agentOf('user') }
    this.proxies = createProxies({
      lookup: this.lookupOf('admin'),
      check: (host) => this.checkNumber(host, 'the address of the proxy may not be called'),
    })
  }

  /** Origin and path of an address that may be called, by the rule of now. Throws an `EgressError`. */
  target(url: string, namedBy: NamedBy): Target {
    this.followRule()
    return this.targetOf(url, namedBy)
  }

  /** @param proxy absent: straight. Throws an `EgressError` for an address that is no proxy's. */
  dispatcher(namedBy: NamedBy, proxy: string | undefined): Dispatcher {
    return proxy === undefined ? this.agents[namedBy] : this.proxies.dispatcher(proxy)
  }

  /** For one call by a rule of its own: no other rides on its connection, which ends with it. */
  once(namedBy: NamedBy, policy: AddressPolicy, send: (dispatcher: Dispatcher) => void): void {
    const agent = this.agentOf(namedBy, policy)
    send(agent)
    this.retire(agent)
  }

  /** Resolves names to addresses that may be called. */
  lookupOf(namedBy: NamedBy, policy: AddressPolicy = this.dependencies.policy): LookupFunction {
    return guardedLookup(policy, namedBy, this.dependencies.resolve)
  }

  /** A host written as a number is looked up by nobody, so it is checked here. Names are when they are resolved. */
  checkNumber(host: string, fault: string): void {
    if (isIP(host) !== 0 && !this.dependencies.policy(host, 'admin')) throw addressRefused(fault)
  }

  async close(): Promise<void> {
    const all = [this.agents.admin, this.agents.user, ...this.retired]
    await Promise.all([...all.map((agent) => agent.destroy()), this.proxies.close()])
  }

  private followRule(): void {
    const rule = this.dependencies.allowsPrivate()
    if (rule === this.ruleInUse) return
    this.ruleInUse = rule
    this.targetOf = createTargets(this.dependencies.policy)
    this.proxies.forget()
    const former = this.agents.admin
    this.agents.admin = this.agentOf('admin')
    this.retire(former)
  }

  /** Calls that are under way end in peace. */
  private retire(agent: Agent): void {
    this.retired.add(agent)
    void agent.close().then(() => this.retired.delete(agent))
  }

  /** No cap on connections: a stream holds one for minutes, and the number of requests is bounded elsewhere. */
  private agentOf(namedBy: NamedBy, policy?: AddressPolicy): Agent {
    return new Agent({
      pipelining: 1,
      connections: null,
      maxHeaderSize: egressLimits.headerBytesMax,
      keepAliveMaxTimeout: egressLimits.idleConnectionMsMax,
      connect: {
        timeout: limits.connectMs,
        autoSelectFamily: true,
        lookup: this.lookupOf(namedBy, policy),
      },
    })
  }
}
