/**
 * Holds a process to a fixed share of one core, by the control groups of Linux (version 2, else 1): so that on a machine of few cores one
 * process more is really one more, and what the load, the upstream and the database use is not taken from it.
 */
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface CpuShare {
  release(): void
}

/** The kernel hands time out by 5 ms: a share of a shorter period would not be kept. */
const periodUs = 100_000
const root2 = '/sys/fs/cgroup'
const root1 = '/sys/fs/cgroup/cpu'

/** @param share of one core, as 0.2. Throws where this account may not make groups. */
export function holdTo(pid: number, share: number): CpuShare {
  const quotaUs = Math.round(periodUs * share)
  const is2 = existsSync(join(root2, 'cgroup.controllers'))
  const folder = join(is2 ? root2 : root1, `waybill-bench-${pid}`)
  mkdirSync(folder)
  if (is2) writeFileSync(join(folder, 'cpu.max'), `${quotaUs} ${periodUs}`)
  else {
    writeFileSync(join(folder, 'cpu.cfs_period_us'), String(periodUs))
    writeFileSync(join(folder, 'cpu.cfs_quota_us'), String(quotaUs))
  }
  writeFileSync(join(folder, 'cgroup.procs'), String(pid))
  return {
    release() {
      try {
        rmdirSync(folder)
      } catch {
        // It still has a process; the group goes with the machine.
      }
    },
  }
}
