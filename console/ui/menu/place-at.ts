/** Pixels between what belongs together, and to the edge of the window. */
const gap = 4
const edge = 8

/** Lays a box below its button, at the left edge of it; where there is no room, above it or at its right edge. */
export function placeAt(anchor: HTMLElement, box: HTMLElement): void {
  const { left, right, top, bottom } = anchor.getBoundingClientRect()
  const { width, height } = box.getBoundingClientRect()
  const x = left + width > innerWidth - edge ? right - width : left
  const y = bottom + gap + height > innerHeight - edge ? top - gap - height : bottom + gap
  box.style.left = `${Math.max(edge, x)}px`
  box.style.top = `${Math.max(edge, y)}px`
}
