/** Where something opens that belongs to a button: below it, at its left edge. */
export interface Place {
  readonly x: number
  readonly y: number
}

export function placeBelow({ currentTarget }: MouseEvent): Place | undefined {
  if (!(currentTarget instanceof Element)) return undefined
  const { left, bottom } = currentTarget.getBoundingClientRect()
  return { x: left, y: bottom + 4 }
}
