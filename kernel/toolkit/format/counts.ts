/** Counts of tokens, as formats take them apart and put them together. */

/**
 * A total that shares are taken out of, in order; a share never exceeds what its total leaves. Without a total, or where
 * either is no number, shares stand as reported, for the gateway to make sane and to flag (M21).
 */
export class Total {
  constructor(public left: number | undefined) {}

  take(share: number | undefined): number | undefined {
    if (share === undefined || this.left === undefined || !Number.isFinite(this.left)) return share
    if (!Number.isFinite(share)) return share
    const fitting = Math.min(share, Math.max(this.left, 0))
    this.left -= Math.max(fitting, 0)
    return fitting
  }
}

/** What counts come to for a client, which is shown nothing absurd. */
export function shownSum(...counts: readonly (number | undefined)[]): number {
  let sum = 0
  for (const count of counts) {
    if (count !== undefined && count > 0 && Number.isFinite(count)) sum += count
  }
  return sum
}
