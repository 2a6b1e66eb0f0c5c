/** Where each part of the line stands in its picture: what runs once, the loop over channels, what always ends it. */
import type { LineStage } from '../../../api/plugins.js'

interface Box extends LineStage {
  /** Middle of the box. */
  readonly x: number
  readonly y: number
}

export interface LineShape {
  readonly boxes: readonly Box[]
  /** Arrows from box to box, as paths. */
  readonly arrows: readonly string[]
  /** The stages that run again for each channel. Absent: this console does not know the order. */
  readonly loop?: { readonly left: number; readonly right: number; readonly back: string }
}

export const size = { width: 1000, height: 244, boxWidth: 96, boxHeight: 44 } as const
/** Drawn beside the stages: where requests come in, and where the answer goes out. */
export const endpoint = 'endpoint'
export const deliver = 'deliver'

const loopBegins = 'channel-pick'
const loopEnds = 'upstream'
const upper = 54
const lower = 208
const edge = size.boxWidth / 2

export function shapeOf(line: readonly LineStage[]): LineShape {
  const from = line.findIndex(({ stage }) => stage === loopBegins)
  const to = line.findIndex(({ stage }) => stage === loopEnds)
  const known = from >= 0 && to >= from
  const first = [bare(endpoint), ...(known ? line.slice(0, to + 1) : line)]
  const slot = size.width / first.length
  const above = first.map((stage, at) => ({ ...stage, x: slot * (at + 0.5), y: upper }))
  const along = above.slice(1).map((box, at) => arrow(above[at]!.x + edge, box.x - edge, upper))
  if (!known) return { boxes: above, arrows: along }

  const [begin, end] = [above[from + 1]!, above.at(-1)!]
  const last = [bare(deliver), ...line.slice(to + 1)]
  const below = last.map((stage, at) => ({ ...stage, x: end.x - slot * at * 1.25, y: lower }))
  const home = below.slice(1).map((box, at) => arrow(below[at]!.x - edge, box.x + edge, lower))
  const foot = upper + size.boxHeight / 2
  const down = `M${end.x + 20} ${foot} V${lower - size.boxHeight / 2 - 4}`
  return {
    boxes: [...above, ...below],
    arrows: [...along, ...home, down],
    loop: {
      left: begin.x - edge - 14,
      right: end.x + edge + 14,
      back: `M${end.x - 20} ${foot} V${backAt} H${begin.x} V${foot + 4}`,
    },
  }
}

/** Height of the way back to the next channel. */
export const backAt = 112

function bare(stage: string): LineStage {
  return { stage, before: [], after: [] }
}

/** The head of an arrow takes its last four pixels. */
function arrow(from: number, to: number, y: number): string {
  return `M${from} ${y} H${from < to ? to - 4 : to + 4}`
}
