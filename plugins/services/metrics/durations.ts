/** A histogram of seconds that costs a few additions to fill; prom-client's own costs half a microsecond. */

const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300] as const

export class Durations {
  private readonly counts: number[] = Array(bounds.length + 1).fill(0)
  private sum = 0

  add(ms: number): void {
    const seconds = ms / 1000
    this.sum += seconds
    let at = 0
    while (at < bounds.length && seconds > bounds[at]!) at += 1
    this.counts[at] = (this.counts[at] ?? 0) + 1
  }

  /** Lines of the exposition format. @param label as `kind="relay"`, or nothing */
  lines(name: string, label = ''): readonly string[] {
    let reached = 0
    const buckets = [...bounds, '+Inf'].map((bound, at) => {
      reached += this.counts[at] ?? 0
      return `${name}_bucket{${label === '' ? '' : `${label},`}le="${bound}"} ${reached}`
    })
    const braces = label === '' ? '' : `{${label}}`
    return [...buckets, `${name}_sum${braces} ${this.sum}`, `${name}_count${braces} ${reached}`]
  }
}
