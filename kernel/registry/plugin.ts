/**
 * One plugin on its way: discovered, checked, created, ready, stopping, stopped; or failed, with the reason. What
 * goes wrong in it becomes its state and a log line, never an exception of the caller.
 */
import { pathToFileURL } from 'node:url'
import type { Clock, Life, Log, PureKit } from '../contract/kit.js'
import type { Manifest, PluginOrigin, PluginState, PluginStatus } from '../contract/manifest.js'
import type { Checked } from './checked.js'
import { importCreate } from './discovery.js'
import { Health } from './health.js'
import { createIsolated } from './isolated/isolated.js'
import { faultOfShape } from './shape.js'
import { timeLimits, within } from './verb.js'

/** What every plugin is surrounded by. */
export interface PluginDependencies {
  readonly clock: Clock
  /** `masked`, where it has one: a text with what is secret in it masked. */
  readonly log: Log & { masked?(text: string): string }
}

/** The plugins it is among. */
export interface Siblings {
  /** Names of the formats there are. */
  readonly formats: ReadonlySet<string>
}

export interface Plugin {
  readonly manifest: Manifest
  readonly state: PluginState
  readonly origin: PluginOrigin | undefined
  /** It comes from outside, and is not built in. */
  readonly isOutside: boolean
  readonly health: Health
  status(): PluginStatus
  /** What `create` answered, while the plugin is of use; undefined before, and once it failed. */
  created(): object | undefined
  checked(): void
  create(makeKit: () => object): Promise<void>
  /** What `create` answers for another kit; it has no state and no life of its own. Rejects with what is wrong. */
  make(makeKit: () => object): Promise<object & Life>
  start(): Promise<void>
  stop(): Promise<void>
  fail(reason: string, err?: unknown): void
  /** Logs what its author should look at and shows it with its status, each sentence once. */
  warn(sentence: string): void
  /** Shown as off, and of no use to anybody, until it is switched on. */
  switch(isOn: boolean): void
  /** As it was before it was created. Returns what had been created, which has not been stopped. */
  renew(by?: Pick<Checked, 'found' | 'manifest' | 'warnings'>): (object & Life) | undefined
}

export function createPlugin(
  { manifest, found, warnings }: Omit<Checked, 'fault'>,
  dependencies: PluginDependencies & Siblings,
): Plugin {
  let state: PluginState = 'discovered'
  let isOff = false
  let reason: string | undefined
  let created: (object & Life) | undefined
  const { clock, log } = dependencies
  const isOutside = found.origin !== undefined
  let health = new Health({ id: manifest.id, isOutside, clock, log })

  function fail(why: string, err?: unknown): void {
    state = 'failed'
    reason = why
    log.error({ plugin: manifest.id, reason: why, err }, 'a plugin failed')
  }

  /** Runs one step of the life; its failure is the plugin's. */
  async function step(next: PluginState, run: () => Promise<void>): Promise<void> {
    try {
      await run()
      if (state !== 'failed') state = next
    } catch (err) {
      fail(reasonOf(err), err)
    }
  }

  /** What a module does while it is imported may never end. */
  async function make(makeKit: () => object): Promise<object & Life> {
    const isIsolated = found.origin?.isolated === true
    // What `create` returned is judged as it is, so a promise is not awaited.
    const made = isIsolated
      ? await makeIsolated(makeKit())
      : callCreate(await imported(), makeKit())
    const fault = faultOfShape(manifest, made, dependencies.formats)
    if (fault === undefined) return made as object & Life
    if (isIsolated) await (made as Life).stop?.()
    throw new Error(fault)
  }

  function imported(): ReturnType<typeof importCreate> {
    return within(clock, limit('create'), () => importCreate(found, manifest))
  }

  async function makeIsolated(kit: object): Promise<object & Life> {
    const entry = new URL(manifest.entry, pathToFileURL(found.where)).href
    // One that was replaced may live on for a while, and is of no interest here.
    const onChange = (isServing: boolean) => {
      if (created === made) health.isStarting = !isServing
    }
    const surroundings = { manifest, entry, clock, log, onChange }
    const made: object & Life = await createIsolated({ ...surroundings, kit: kit as PureKit })
    return made
  }

  function warnOfManifest(): void {
    for (const warning of warnings) log.warn({ plugin: manifest.id }, warning)
  }

  function callCreate(create: (kit: object) => unknown, kit: object): unknown {
    const tally = health.tally('create', 'reported')
    const began = tally.began()
    try {
      return create(kit)
    } finally {
      tally.ended(began)
    }
  }

  warnOfManifest()
  return {
    get manifest() {
      return manifest
    },
    isOutside,
    get health() {
      return health
    },
    get state() {
      return isOff ? 'off' : state
    },
    get origin() {
      return found.origin
    },
    status() {
      const report = health.report()
      return {
        manifest,
        state: isOff ? 'off' : state,
        ...(found.origin !== undefined && { origin: found.origin }),
        ...(reason !== undefined && { reason }),
        ...(warnings.length > 0 && { warnings }),
        ...(report !== undefined && { health: report }),
      }
    },
    created: () => (isOff || state === 'failed' ? undefined : created),
    checked() {
      state = 'checked'
    },
    create: (makeKit) =>
      step('created', async () => {
        created = await make(makeKit)
      }),
    make,
    start: () =>
      step('ready', async () => {
        await within(clock, limit('start'), async () => created?.start?.())
      }),
    stop() {
      state = 'stopping'
      return step('stopped', async () => {
        await within(clock, limit('stop'), async () => created?.stop?.())
      })
    },
    fail,
    warn(sentence) {
      if (warnings.includes(sentence)) return
      warnings = [...warnings, sentence]
      dependencies.log.warn({ plugin: manifest.id }, sentence)
    },
    switch(isOn) {
      isOff = !isOn
    },
    renew(by) {
      const old = created
      created = undefined
      state = 'checked'
      reason = undefined
      health.isStarting = false
      if (by !== undefined) {
        ;({ manifest, found, warnings } = by)
        // What its older code did counts no more.
        health = new Health({ id: manifest.id, isOutside, clock, log })
        warnOfManifest()
      }
      return old
    },
  }
}

function limit(verb: 'create' | 'start' | 'stop') {
  return { verb, limitMs: timeLimits[verb] }
}

/** Whatever was thrown may throw once more when it is read. */
export function reasonOf(err: unknown): string {
  try {
    return err instanceof Error ? String(err.message) : String(err)
  } catch {
    return 'it threw a value that cannot be read'
  }
}
