/**
 * How long a process is kept busy in one go. Machines differ, and a busy one differs from minute to minute, so the limit is a
 * multiple of work whose size is known (decision 0065): what may be parsed in one go at most.
 */

const referenceBytes = 512 * 1024

/** Time of this process alone, ms: neighbours on a busy machine take none of it. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** The least of a few runs: what the collector of garbage takes, or the machine beside, is not meant. */
export function least(run: () => number, times = 3): number {
  let result = Number.POSITIVE_INFINITY
  for (let at = 0; at < times; at += 1) result = Math.min(result, run())
  return result
}

/** A list of objects whose keys never repeat, the dearest JSON there is to parse. */
export function distinctKeys(bytes: number): string {
  const items: string[] = []
  for (let length = 0; length < bytes; length += items.at(-1)!.length + 1) {
    items.push(`{"k${items.length}":1}`)
  }
  return `[${items.join(',')}]`
}

/** The most one turn may take here, ms of the processor: 50 where the machine is fast, and more in proportion where it is slow. */
export function turnMsMax(): number {
  const text = distinctKeys(referenceBytes)
  const referenceMs = least(() => {
    const before = cpuMs()
    JSON.parse(text)
    return cpuMs() - before
  }, 7)
  return Math.max(50, 3 * referenceMs)
}

/** Watches the turns of this process. The function it returns ends that, and returns the longest one, ms of the processor. */
export function watchTurns(): () => number {
  let longest = 0
  let on = true
  let last = cpuMs()
  const look = () => {
    const now = cpuMs()
    longest = Math.max(longest, now - last)
    last = now
  }
  const tick = () => {
    look()
    if (on) setImmediate(tick)
  }
  tick()
  return () => {
    on = false
    look()
    return longest
  }
}
