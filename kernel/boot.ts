/**
 * Puts a gateway together and takes it apart again: database, secrets, plugins, line, HTTP, in this order; stopping
 * goes the other way, and no charge is lost on it (kernel/README.md section 7).
 */

import type { Clock, Log } from './contract/kit.js'
import type { Stages } from './contract/line/stages.js'
import type { StageName } from './contract/names.js'
import type { Services } from './contract/service.js'
import type { Probe } from './contract/services/probe.js'
import type { SecretBox } from './contract/services/secrets.js'
import type { Environment, System } from './contract/services/system.js'
import { createEgress } from './egress/egress.js'
import { privateUpstreams } from './egress/private-upstreams.js'
import { readCertificate } from './http/certificate.js'
import { namesOrigins, type PageOrigins, pageOrigins } from './http/pages/page-origins.js'
import { type PageFolder, readPageFolder } from './http/pages/pages.js'
import { createServer, type HttpServer } from './http/server.js'
import { createSpool, type Spool } from './http/spool/spool.js'
import { createTraffic } from './http/traffic.js'
import { publishChangeEvents } from './live/change-events.js'
import { liveLimits } from './live/limits.js'
import { createLive } from './live/live.js'
import type { GatewayLog } from './log/log.js'
import { ByteBudget, defaultBudgetBytes } from './memory/byte-budget.js'
import { type GatewayPeers, noPeers } from './peers.js'
import { createAnswers } from './pipeline/answers.js'
import { bind, type GuardMap } from './pipeline/bind.js'
import { createDeliver } from './pipeline/deliver.js'
import { createDisconnectPolicy } from './pipeline/disconnect-policy.js'
import { createProbe } from './pipeline/probe.js'
import { receivedOf } from './pipeline/received.js'
import { createRelay } from './pipeline/relay.js'
import type { CorePlugins, Ports } from './ports.js'
import type { startedServices } from './registry/kernel-services.js'
import { createRegistry, findPlugins, type Registry } from './registry/registry.js'
import { createLeases } from './schedule/leases.js'
import { createSchedule } from './schedule/schedule.js'
import { systemClock } from './schedule/system-clock.js'
import { type OpenDatabase, openDatabase } from './store/database.js'
import type { Embedded } from './store/embedded.js'
import { openSecretBox } from './store/open-secret-box.js'
import { startResealing } from './store/reseal.js'
import type { LineOrder } from './toolkit/stage/line.js'
import { stageOrder } from './toolkit/stage/line.js'

export interface BootOptions {
  readonly environment: Environment
  /** As `v1.0.5-preview.4` (OPS-1). */
  readonly version: string
  /** Folders of the built-in plugins. */
  readonly roots: readonly URL[]
  readonly order: LineOrder
  readonly core: CorePlugins
  /** `secret`, where it has one, is given every secret that is opened, so that it can mask it. */
  readonly log: Log & Partial<Pick<GatewayLog, 'secret' | 'masked' | 'dropped'>>
  /** Absent: the system's. */
  readonly clock?: Clock
  /** An open database to use, closed by its owner. Absent: one is opened by the environment, and closed. */
  readonly database?: OpenDatabase
  /** The embedded database, where it is being opened already; closed with the gateway. */
  readonly embedded?: Promise<Embedded>
  /** Folder of the console as it was built. Absent: no pages are served. */
  readonly pages?: URL
  /** The other processes that share the address. Absent: there are none. */
  readonly peers?: GatewayPeers
}

export interface Gateway {
  /** Origin it listens at. */
  readonly address: string
  /** Any service by name, as plugins get it. */
  service<Name extends keyof Services>(name: Name): Services[Name]
  /** Resolves when no request is under way and every relay has settled. */
  idle(): Promise<void>
  stop(): Promise<void>
}

/** Rejects with a sentence for the operator where something the gateway cannot do without is missing or wrong. */
export async function boot(options: BootOptions): Promise<Gateway> {
  const undo: (() => Promise<void> | void)[] = []
  try {
    return await assemble(options, undo)
  } catch (error) {
    for (const step of undo.reverse()) await step()
    throw error
  }
}

/** `undo` gets a step for everything that has been opened so far. */
async function assemble(
  options: BootOptions,
  undo: (() => Promise<void> | void)[],
): Promise<Gateway> {
  const { environment, log, embedded, clock = systemClock, peers = noPeers } = options
  if (embedded !== undefined) undo.push(() => closeEmbedded(embedded))
  // Reported before anything is opened.
  if (environment.tls !== undefined) readCertificate(environment.tls)
  // The database opens on another thread; this one can read the plugins meanwhile.
  const finding = findPlugins(options.roots, environment.plugins)
  // Reported below, unless something else goes wrong first.
  finding.catch(() => {})
  const foundation = await openFoundation({ ...options, clock, peers }, undo)
  const { database, secrets, rotation, upstreams, egress, schedule } = foundation
  const disconnects = createDisconnectPolicy(clock)
  const answers = createAnswers(clock, peers)
  const traffic = createTraffic(log)
  const budget = new ByteBudget(environment.bytesInFlightMax ?? defaultBudgetBytes(peers.count))
  const room = () => budget.share()
  const live = createLive({ clock, peers })
  let server: HttpServer | undefined
  const system = systemOf(options, clock, () => server?.accepting() ?? false)
  // What it probes with is made of plugins, which are made with it at hand.
  let probe: Probe | undefined

  const registry = await createRegistry({
    ...(await finding),
    kernelServices: {
      database,
      changes: database.changes,
      egress,
      secrets,
      schedule,
      disconnects,
      answers,
      probe: { run: (request) => probe!.run(request) },
      system,
      traffic,
      live,
      memory: { room },
      peers,
    } satisfies Pick<Services, (typeof startedServices)[number]>,
    core: options.core.required,
    line: stageOrder(options.order),
    settingsSource: options.core.settingsSource,
    clock,
    log,
  })
  const ports = options.core.ports(registry.service)
  const deliver = createDeliver({ disconnects, answers, clock, log })
  const stages = boundStages(options, registry)
  probe = createProbe({ ...registry, clock, log, stages, deliver, room })
  upstreams.follow(registry.catalog, ports.settings)
  await registry.start()
  undo.push(() => registry.stop())

  const relay = createRelay({ order: options.order, stages, deliver, log, clock, traffic })
  const spool = openSpool({ environment, clock, log }, undo)
  server = createServer({
    environment,
    log,
    clock,
    endpoints: registry.endpoints(),
    management: registry.managements(),
    formats: registry.formats,
    ...ports,
    traffic,
    budget,
    spool,
    pages: await pagesOf(options),
    pageOrigins: pageOriginsOf(registry, ports),
    live: async (dependencies) => {
      const connections = await live.open(dependencies)
      const { checkSoon: usersChanged } = connections
      const { changes } = database
      publishChangeEvents({ live, changes, traffic, clock, usersChanged })
      const check = () => {
        live.announce()
        return connections.check()
      }
      schedule.every('sessions of live sockets', liveLimits.sessionCheckMs, check)
      return connections.take
    },
    relay: (start) => relay(receivedOf(start, registry)),
  })
  undo.push(() => live.stop())
  peers.join()
  await server.start()
  const http = server
  undo.push(async () => {
    const goodbyes = live.stop()
    await http.stop({ abort: () => disconnects.endAll() })
    await goodbyes
  })
  if (rotation !== undefined) undo.push(startResealing({ rotation, database, schedule, log }))
  return {
    address: http.address,
    service: registry.service,
    idle: http.idle,
    async stop() {
      for (const step of undo.splice(0).reverse()) await step()
    },
  }
}

/** What everything else stands on: the database, what is sealed in it, the way out, and timed jobs. */
async function openFoundation(
  {
    environment,
    log,
    clock,
    peers,
    ...options
  }: BootOptions & { readonly clock: Clock; readonly peers: GatewayPeers },
  undo: (() => Promise<void> | void)[],
) {
  const database =
    options.database ?? (await openDatabase({ ...environment, ...options, log, clock, peers }))
  if (options.database === undefined) undo.push(() => database.close())
  const { secrets: box, rotation } = await openSecretBox({ ...environment, database })
  const secrets = loggedSecrets(box, log)
  const upstreams = privateUpstreams(environment)
  const egress = createEgress({ allowPrivateUpstreams: upstreams.allowed, clock, log })
  undo.push(() => egress.close())
  const schedule = createSchedule(clock, log, createLeases(database, environment.nodeName, peers))
  undo.push(() => schedule.stop())
  return { database, secrets, rotation, upstreams, egress, schedule }
}

/** What is closed already stays as it is. */
async function closeEmbedded(embedded: Promise<Embedded>): Promise<void> {
  const opened = await embedded.catch(() => undefined)
  await opened?.lite.close()
  await opened?.release()
}

/** Undefined: uploads are in memory while they arrive. */
function openSpool(
  {
    environment: { uploadSpool },
    clock,
    log,
  }: Pick<BootOptions, 'environment' | 'log'> & { readonly clock: Clock },
  undo: (() => Promise<void> | void)[],
): Spool | undefined {
  if (uploadSpool === undefined) return undefined
  const spool = createSpool({ ...uploadSpool, clock, log })
  undo.push(() => spool.close())
  return spool
}

async function pagesOf({ pages, log }: BootOptions): Promise<PageFolder | undefined> {
  const folder = pages && (await readPageFolder(pages))
  if (pages !== undefined && folder === undefined) {
    log.warn({}, 'the console was not built; the gateway serves its API alone')
  }
  return folder
}

function pageOriginsOf({ catalog }: Registry, { settings }: Ports): () => PageOrigins {
  const manifests = catalog.list().flatMap(({ manifest, state }) => {
    return state !== 'failed' && namesOrigins(manifest) ? manifest : []
  })
  return pageOrigins(manifests.map((manifest) => ({ manifest, settings: settings.of(manifest) })))
}

function loggedSecrets(box: SecretBox, log: BootOptions['log']): SecretBox {
  return {
    ...box,
    open(place, sealed) {
      const secret = box.open(place, sealed)
      log.secret?.(secret)
      return secret
    },
  }
}

function systemOf(
  { environment, version, log }: BootOptions,
  clock: Clock,
  accepting: () => boolean,
): System {
  return {
    version,
    startedAt: clock.now(),
    nodeName: environment.nodeName,
    environment,
    accepting,
    droppedLogLines: () => log.dropped?.() ?? 0,
  }
}

function boundStages({ order, log }: BootOptions, registry: Registry): Stages {
  const guards: GuardMap = Object.fromEntries(
    stageOrder(order).flatMap((name: StageName) => {
      const before = registry.guards(name, 'before')
      const after = registry.guards(name, 'after')
      return before.length + after.length === 0 ? [] : [[name, { before, after }]]
    }),
  )
  // `createRegistry` has refused to come this far without every stage of the line.
  return bind(registry.stages() as Stages, guards, { settle: order.settle, log })
}
