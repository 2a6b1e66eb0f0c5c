/** Times as Alipay writes them: `2026-01-31 20:00:00`, in Beijing. */
const offsetMs = 8 * 3_600_000

/** `at`: Unix milliseconds. */
export function atBeijing(at: number): string {
  return new Date(at + offsetMs).toISOString().slice(0, 19).replace('T', ' ')
}

/** Unix milliseconds. Undefined: it is no time. */
export function fromBeijing(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text)) return undefined
  const at = Date.parse(`${text.replace(' ', 'T')}+08:00`)
  return Number.isNaN(at) ? undefined : at
}
