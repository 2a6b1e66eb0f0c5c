/** With which codes the two sides of a relayed socket are left (RFC 6455 section 7.4). */

/** Whose doing an end is. */
export const closeCodes = {
  normal: 1000,
  goingAway: 1001,
  refused: 1008,
  broken: 1011,
} as const

/** The code sent to each side. */
export interface CloseCodes {
  readonly client: number
  readonly upstream: number
}

export function sameCode(code: number): CloseCodes {
  return { client: code, upstream: code }
}

/** The other side closed in order, as opposed to breaking off. */
export function isOrderly(code: number): boolean {
  return code === 1000 || code === 1001 || code === 1005 || code >= 3000
}

/** The code of an orderly end as it may be passed on: 1005 stands for "no code" and is never sent. */
export function relayedCode(code: number): number {
  return code === 1005 ? closeCodes.normal : code
}
