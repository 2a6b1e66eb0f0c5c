/** The audit log: who did what, in rows that are added and never touched again. */
import type { Kit, Life } from '../../../kernel/contract/kit.js'
import type { Audit, AuditLine } from './audit.js'
import { auditStore } from './audit-store.js'
import { LateLines } from './late-lines.js'
import { lineOf } from './line.js'
import { auditPage } from './page.js'
import { verifyDay } from './verify.js'

export type * from './audit.js'

const retryMs = 5000

export default function create({
  services,
  clock,
  log,
}: Kit<'database' | 'schedule'>): Audit & Life {
  const { database, schedule } = services
  const store = auditStore(database)
  const late = new LateLines(log)
  let turn: Promise<void> = Promise.resolve()
  let retrying = { stop() {} }

  /** One at a time, so that many writes at once do not take every connection to wait for one lock. */
  function append(line: AuditLine): Promise<void> {
    const appended = turn.then(() => store.append(line))
    turn = appended.catch(() => {})
    return appended
  }

  return {
    async record(entry) {
      const line = lineOf(entry, clock.now())
      await append(line).catch((error) => late.add(line, error))
    },
    page: (query) => auditPage(database, query),
    verify: (day) => verifyDay(store, day),
    start() {
      retrying = schedule.every('audit lines that came late', retryMs, () => late.retry(append))
    },
    async stop() {
      retrying.stop()
      await turn
      await late.retry(append)
    },
  }
}
