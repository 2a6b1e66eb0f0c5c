/** The audit log: who did what, in rows that are added and never touched again. */
import { join } from 'node:path'
import type { Life } from '../../../kernel/contract/kit.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import type { AuditEntry } from '../../../kernel/contract/services/ports.js'
import type { Audit, AuditLine } from './audit.js'
import { auditStore } from './audit-store.js'
import { FailedAttempts } from './failed-attempts.js'
import { keptHeads } from './kept-heads.js'
import { keyedSince } from './keyed-since.js'
import { LateLines } from './late-lines.js'
import { lineOf } from './line.js'
import { namedObject } from './object-names.js'
import { auditPage } from './page.js'
import { verifyDay } from './verify.js'

export type * from './audit.js'

const retryMs = 5000
const failedMs = 60_000
const headsMs = 300_000

export default function create({
  services,
  clock,
  log,
}: Kit<'database' | 'schedule' | 'secrets' | 'system'>): Audit & Life {
  const { database, schedule, secrets, system } = services
  let key: Buffer | undefined
  const store = auditStore({
    database,
    key: () => (key ??= secrets.derive('audit chain')),
    since: keyedSince(secrets),
  })
  const heads = keptHeads(directoryIn(system.environment.dataDir), log)
  const failed = new FailedAttempts()
  const late = new LateLines(log)
  const watchers: ((entry: AuditEntry) => Promise<void>)[] = []
  const refusedWatchers: ((entry: AuditEntry) => void)[] = []
  let turn: Promise<void> = Promise.resolve()
  let jobs: readonly { stop(): void }[] = []

  /** One at a time, so that many writes at once do not take every connection to wait for one lock. */
  function append(line: AuditLine): Promise<void> {
    const appended = turn.then(async () => heads.note(await store.append(line)))
    turn = appended.catch(() => {})
    return appended
  }

  async function record(entry: AuditEntry): Promise<void> {
    const line = lineOf(entry, clock.now())
    await append(line).catch((error) => late.add(line, error))
  }

  async function tellFailed(): Promise<void> {
    for (const entry of failed.taken()) await record(entry)
  }

  return {
    async record(entry) {
      await record(entry)
      for (const watcher of watchers) {
        await watcher(entry).catch((err: unknown) =>
          log.error({ err }, 'a watcher of the audit log failed'),
        )
      }
    },
    watch: (watcher) => void watchers.push(watcher),
    watchRefused: (watcher) => void refusedWatchers.push(watcher),
    refused(entry) {
      failed.add(entry)
      for (const watcher of refusedWatchers) watcher(entry)
    },
    named: (action, object) => namedObject(database, action, object),
    page: (query) => auditPage(database, query),
    verify: (day) => verifyDay(store, heads, day),
    start() {
      jobs = [
        schedule.every('audit lines that came late', retryMs, () => late.retry(append)),
        schedule.every('failed sign-ins', failedMs, tellFailed),
        schedule.every('heads of the audit log', headsMs, heads.keep),
      ]
    },
    async stop() {
      for (const job of jobs) job.stop()
      await tellFailed()
      await turn
      await late.retry(append)
      await heads.keep()
    },
  }
}

/** Undefined: a database in memory has nothing beside it. */
function directoryIn(dataDir: string): string | undefined {
  return dataDir.startsWith('memory://') ? undefined : join(dataDir, 'audit-heads')
}
