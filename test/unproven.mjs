/**
 * What a run left out for want of something on this machine, gathered from its output: the end of a run says which rules
 * were not proved and why, so that a green line is not read as more than it is.
 */
const skipped = /^\s*ok \d+ - (.*?) # SKIP\b\s*(.*?)\s*$/
const idsMax = 12

export function unproven() {
  /** Reason → titles. */
  const titles = new Map()
  return {
    take(line) {
      const [, title, reason] = skipped.exec(line) ?? []
      if (title === undefined) return
      const known = reason || 'for no reason that was given'
      titles.set(known, [...(titles.get(known) ?? []), title])
    },
    /** @param named the environment: which servers the run was given */
    lines({ DATABASE_URL, REDIS_URL } = {}) {
      const missing = [
        ...(DATABASE_URL
          ? []
          : ['PostgreSQL: DATABASE_URL is not set; everything ran on the embedded database']),
        ...(REDIS_URL ? [] : ['Redis: REDIS_URL is not set']),
      ]
      const left = [...titles].map(
        ([reason, all]) => `${all.length} skipped, ${reason}: ${namesOf(all)}`,
      )
      return [...missing, ...left]
    },
  }
}

/** The requirements they name, else their titles. */
function namesOf(titles) {
  const names = titles.flatMap((title) => {
    const ids = [...title.matchAll(/\[([A-Z]+-\d+)\]/g)].map(([, id]) => id)
    return ids.length > 0 ? ids : [`"${title}"`]
  })
  const each = [...new Set(names)].sort()
  const rest = each.length - idsMax
  return each.slice(0, idsMax).join(', ') + (rest > 0 ? ` and ${rest} more` : '')
}
