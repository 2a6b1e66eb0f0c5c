/** The most common spans of time, in milliseconds as the date picker takes them. */
export function spanShortcuts(t: (key: string) => string): Record<string, () => [number, number]> {
  const until = (hours: number) => () => [Date.now() - hours * hourMs, Date.now()]
  const spans = { hour: until(1), day: until(24), week: until(168), month: until(720), today }
  return Object.fromEntries(
    Object.entries(spans).map(([name, span]) => [t(`shell.filters.spans.${name}`), span]),
  ) as Record<string, () => [number, number]>
}

const hourMs = 3_600_000

function today(): [number, number] {
  return [new Date().setHours(0, 0, 0, 0), Date.now()]
}
