/**
 * How the verbs of one plugin fare: faults, calls that block the process, and the circuit they open. A plugin from outside that
 * keeps failing is set aside for a while that grows; what is built in is only reported. A call without a fault adds to a
 * number and allocates nothing.
 */
import type { Clock, Log } from '../contract/kit.js'
import type { PluginHealth } from '../contract/manifest.js'
import { PluginFault } from '../toolkit/errors/plugin-fault.js'
import { safeText } from '../toolkit/errors/safe-text.js'

const healthLimits = {
  /** Milliseconds within which faults count together. */
  windowMs: 60_000,
  /** Faults of one verb that set a plugin aside, and as many of a plugin that is tried again. */
  faultsMax: 10,
  faultsMaxOnTrial: 3,
  /** The least share of its calls that failed, among those from the first of these faults to the last, percent. */
  sharePercentMin: 80,
  /** A call that keeps the process busy for longer than this is reported, in milliseconds. */
  slowMs: 50,
  /** One of this length and more counts; so much in all sets a plugin aside, less a sixth of the time that passes. */
  blockedMs: 1_000,
  blockedMsMax: 10_000,
  blockedMsMaxOnTrial: 3_000,
  /** What one call counts for at most: a machine that stood still proves nothing. */
  blockedMsOfCall: 5_000,
  /** How long a plugin is set aside at first; twice as long each time it fails again. */
  asideMsMin: 10_000,
  asideMsMax: 300_000,
  /** A verb that is slow, or keeps failing where nobody else logs it, has a line of the log this often, in milliseconds. */
  noteEveryMs: 60_000,
} as const

/** Characters of the last fault that are shown. */
const wordsMax = 300

export interface HealthOptions {
  /** Id of the plugin. */
  readonly id: string
  /** False: it is built in. */
  readonly isOutside: boolean
  readonly clock: Clock
  /** `masked`: a text with what is secret in it masked. */
  readonly log: Log & { masked?(text: string): string }
}

export class Health {
  readonly id: string
  readonly isOutside: boolean
  readonly clock: Clock
  readonly log: Log
  private readonly tallies = new Map<string, Tally>()
  private faults = 0
  private slowCalls = 0
  private lastFault: PluginHealth['lastFault']
  private slowest: PluginHealth['slowest']
  /** Monotonic; 0: it is not set aside. */
  private asideUntil = 0
  private asideMs = 0
  /** Monotonic: until then fewer faults set it aside again. */
  private trialUntil = 0
  private blockedMs = 0
  private blockedAt = 0

  constructor(private readonly options: HealthOptions) {
    this.id = options.id
    this.isOutside = options.isOutside
    this.clock = options.clock
    this.log = options.log
  }

  /**
   * The count of one verb, the same for the same name. `reported`: its faults set nothing aside, because strangers can
   * bring them about, or because only admins call it.
   */
  tally(verb: string, kind: 'counted' | 'reported' = 'counted'): Tally {
    const tally = this.tallies.get(verb) ?? new Tally(this, verb, kind === 'counted')
    this.tallies.set(verb, tally)
    return tally
  }

  /** Its thread ended and is being started again: it serves nobody until then. */
  isStarting = false

  /** It is set aside now. The first look behind the end of that time puts it on trial. */
  get isAside(): boolean {
    return this.asideUntil !== 0 && this.isStillAside()
  }

  /** Unix milliseconds until which it is set aside. Undefined: it is not. */
  get setAsideUntil(): number | undefined {
    if (!this.isAside) return undefined
    return Math.ceil(this.clock.now() + this.asideUntil - this.clock.monotonic())
  }

  /** Throws where the plugin is set aside. */
  assertServes(verb: string): void {
    const until = this.setAsideUntil
    if (until !== undefined) throw new PluginFault(this.id, verb, new Error(asideWords(until)))
  }

  /** For the list of plugins. Undefined: there is nothing to report. */
  report(): PluginHealth | undefined {
    if (this.faults === 0 && this.slowCalls === 0) return undefined
    let calls = 0
    for (const tally of this.tallies.values()) calls += tally.calls
    const { faults, slowCalls, lastFault, slowest, setAsideUntil } = this
    return {
      ...{ calls, faults, slowCalls },
      ...(lastFault !== undefined && { lastFault }),
      ...(slowest !== undefined && { slowest }),
      ...(setAsideUntil !== undefined && { setAsideUntil }),
    }
  }

  noteFault(tally: Tally, error: unknown): void {
    this.faults += 1
    this.lastFault = { verb: tally.verb, message: this.wordsOf(error), at: this.clock.now() }
    if (!this.counts(tally)) return
    const { faultsMax, faultsMaxOnTrial } = healthLimits
    const most = this.isOnTrial() ? faultsMaxOnTrial : faultsMax
    if (tally.failsTooOften(most)) this.setAside(`${tally.verb} failed again and again`)
  }

  noteSlow(tally: Tally, ms: number): void {
    this.slowCalls += 1
    const now = this.clock.monotonic()
    if (this.slowest === undefined || ms > this.slowest.ms) {
      this.slowest = { verb: tally.verb, ms: Math.round(ms), at: this.clock.now() }
    }
    const isLong = ms >= healthLimits.blockedMs
    if (tally.mayNote(now)) {
      const fields = { plugin: this.id, verb: tally.verb, ms: Math.round(ms) }
      this.log[isLong ? 'warn' : 'info'](fields, 'a plugin kept the whole process busy')
    }
    if (!isLong || !this.counts(tally)) return
    const left = Math.max(0, this.blockedMs - (now - this.blockedAt) / 6)
    this.blockedMs = left + Math.min(ms, healthLimits.blockedMsOfCall)
    this.blockedAt = now
    const { blockedMsMax, blockedMsMaxOnTrial } = healthLimits
    const most = this.isOnTrial() ? blockedMsMaxOnTrial : blockedMsMax
    if (this.blockedMs >= most) this.setAside(`${tally.verb} blocked the whole process`)
  }

  /** For people who may not read keys. */
  private wordsOf(error: unknown): string {
    const text = error instanceof Error ? error.message : `it threw a value of type ${typeof error}`
    return safeText(this.options.log.masked?.(text) ?? text, wordsMax)
  }

  private counts(tally: Tally): boolean {
    return tally.isCounted && this.isOutside && this.asideUntil === 0
  }

  private isOnTrial(): boolean {
    return this.clock.monotonic() < this.trialUntil
  }

  private setAside(reason: string): void {
    const { asideMsMin, asideMsMax, windowMs } = healthLimits
    this.asideMs = this.isOnTrial() ? Math.min(this.asideMs * 2, asideMsMax) : asideMsMin
    this.asideUntil = this.clock.monotonic() + this.asideMs
    this.trialUntil = this.asideUntil + Math.max(this.asideMs, windowMs)
    this.blockedMs = 0
    for (const tally of this.tallies.values()) tally.forget()
    const fields = { plugin: this.id, reason, seconds: this.asideMs / 1000 }
    this.log.error(fields, 'a plugin is set aside')
  }

  private isStillAside(): boolean {
    if (this.clock.monotonic() < this.asideUntil) return true
    this.asideUntil = 0
    this.log.warn({ plugin: this.id }, 'a plugin that was set aside is tried again')
    return false
  }
}

/** Calls of one verb, and when the latest of them failed. */
export class Tally {
  calls = 0
  /** Of the latest faults, in a ring: when they were, and how many calls there had been. */
  private readonly at = new Float64Array(healthLimits.faultsMax)
  private readonly callsAt = new Float64Array(healthLimits.faultsMax)
  private faults = 0
  private notedAt = -Infinity

  constructor(
    readonly health: Health,
    readonly verb: string,
    readonly isCounted: boolean,
  ) {}

  /** Counts a call. Returns when it begins, for `ended`. Looking at the clock twice costs some 100 ns. */
  began(): number {
    this.calls += 1
    return this.health.clock.monotonic()
  }

  /** The same for what is called many times a request, which is timed only of plugins from outside. */
  beganOften(): number {
    this.calls += 1
    return this.beganPiece()
  }

  /** The same for one piece of a call that was counted before. */
  beganPiece(): number {
    return this.health.isOutside ? this.health.clock.monotonic() : untimed
  }

  /** The process was the plugin's since then. */
  ended(began: number): void {
    if (began === untimed) return
    const ms = this.health.clock.monotonic() - began
    if (ms > healthLimits.slowMs) this.health.noteSlow(this, ms)
  }

  failed(error: unknown): void {
    const index = this.faults % healthLimits.faultsMax
    this.at[index] = this.health.clock.monotonic()
    this.callsAt[index] = this.calls
    this.faults += 1
    this.health.noteFault(this, error)
  }

  /** The latest `most` faults came soon after each other, and hardly a call between them went well. */
  failsTooOften(most: number): boolean {
    if (this.faults < most) return false
    const { faultsMax, windowMs, sharePercentMin } = healthLimits
    const last = (this.faults - 1) % faultsMax
    const first = (this.faults - most) % faultsMax
    if (this.at[last]! - this.at[first]! > windowMs) return false
    const calls = this.callsAt[last]! - this.callsAt[first]! + 1
    return most * 100 >= calls * sharePercentMin
  }

  forget(): void {
    this.faults = 0
  }

  /** True at most once a minute. */
  mayNote(now: number): boolean {
    if (now - this.notedAt < healthLimits.noteEveryMs) return false
    this.notedAt = now
    return true
  }
}

/** In place of the time a call began. */
const untimed = -1

function asideWords(until: number): string {
  return `it failed again and again and is set aside until ${new Date(until).toISOString()}`
}
