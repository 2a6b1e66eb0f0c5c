/**
 * The one way out that guards, OAuth providers, notifiers and payment gateways get: whole answers, small and soon, from
 * hosts their manifest names and nowhere else (kernel/README.md section 4, X1).
 */
import type { Clock, OutgoingKit, OutgoingRequest, Settings } from '../contract/kit.js'
import type { Manifest } from '../contract/manifest.js'
import type { Cancel, Egress, EgressReply } from '../contract/services/egress.js'
import { readAll, readHead } from '../toolkit/body/read-body.js'
import { addressRefused, timedOut } from '../toolkit/errors/egress-error.js'
import { mayReach } from '../toolkit/service/reach.js'
import type { NamedBy } from './address-policy.js'
import { egressLimits } from './limits.js'
import { type ListedHosts, listedHosts } from './listed-hosts.js'

export interface OutgoingDependencies {
  readonly manifest: Pick<Manifest, 'hosts'> & Partial<Pick<Manifest, 'settings'>>
  readonly settings: Settings
  /** Asked for with the first call. */
  egress(): Egress
  readonly clock: Clock
}

type Outgoing = Pick<OutgoingKit, 'fetch' | 'dial'>

export function createOutgoing(dependencies: OutgoingDependencies): Outgoing {
  const { manifest, egress, clock } = dependencies

  async function fetch(url: string | URL, init: OutgoingRequest = {}): Promise<Response> {
    const address = String(url)
    const namedBy = whoNamed(address, dependencies)
    const cancel: Cancel = {}
    let reply: EgressReply | undefined
    let stop = () => {}
    const late = new Promise<never>((_, reject) => {
      stop = clock.after(init.timeoutMs ?? egressLimits.outgoingMsDefault, () => {
        reject(timedOut())
        cancel.abort?.()
        reply?.body.abort()
      })
    })
    const call = async () => {
      const request = requestOf(address, namedBy, cancel, init)
      const listed = namedBy === 'user' ? listedIn(dependencies) : undefined
      reply = await egress().open({ ...request, ...(listed && { listed }) })
      const read = init.cut ? readHead : readAll
      const body = await read(reply.body, init.bytesMax ?? egressLimits.outgoingBytesMaxDefault)
      const { status, headers } = reply
      return new Response(bodiless.has(status) ? null : new Uint8Array(body), { status, headers })
    }
    try {
      return await Promise.race([call(), late])
    } finally {
      stop()
    }
  }

  function dial(host: string, port: number) {
    const names = settingsNamedBy(manifest.hosts)
    const named = names.some((name) => dependencies.settings.string(name) === host)
    // A setting that is empty names nobody, and an empty host would mean this machine.
    if (host === '' || !named)
      throw addressRefused(`the manifest does not let the plugin call ${host}`)
    return egress().dial(host, port)
  }

  return { fetch, dial: async (host, port) => dial(host, port) }
}

function requestOf(
  url: string,
  namedBy: NamedBy,
  cancel: Cancel,
  {
    method = 'GET',
    headers = {},
    body,
    timeoutMs = egressLimits.outgoingMsDefault,
  }: OutgoingRequest,
) {
  return {
    ...{ url, method, headers, body, namedBy, cancel },
    headersTimeoutMs: timeoutMs,
    idleTimeoutMs: timeoutMs,
  }
}

/** A host of the manifest is the author's, a setting's the admin's, any other a user's. Throws where none is allowed. */
function whoNamed(url: string, { manifest: { hosts }, settings }: OutgoingDependencies): NamedBy {
  const fixed = hosts.filter((host) => host !== 'user' && !host.startsWith('settings.'))
  if (mayReach(url, '', fixed)) return 'admin'
  for (const name of settingsNamedBy(hosts)) {
    if (sameOrigin(url, settings.string(name))) return 'admin'
  }
  if (hosts.includes('user')) return 'user'
  throw addressRefused('the manifest does not let the plugin call this host')
}

/** What an admin listed beside the public hosts users may name: settings of `hosts` that are lists. Undefined: nothing. */
function listedIn({ manifest, settings }: OutgoingDependencies): ListedHosts | undefined {
  const names = settingsNamedBy(manifest.hosts)
  const field = manifest.settings?.find(({ name, type }) => type === 'list' && names.includes(name))
  const text = field === undefined ? '[]' : settings.string(field.name)
  return text.trim() === '[]' || text === '' ? undefined : listedHosts(text)
}

function settingsNamedBy(hosts: readonly string[]): readonly string[] {
  return hosts.flatMap((host) => (host.startsWith('settings.') ? [host.slice(9)] : []))
}

function sameOrigin(url: string, other: string): boolean {
  return URL.canParse(url) && URL.canParse(other) && new URL(url).origin === new URL(other).origin
}

/** Statuses whose answer has no body by definition. */
const bodiless: ReadonlySet<number> = new Set([101, 204, 205, 304])
