/** Measures text and writes it: which font holds which of its characters, and where its lines end (UAX 14). */

// @ts-expect-error: the package has no types.
import LineBreaker from 'linebreak'
import type { Face, Fonts, Weight } from './fonts.js'
import { replacement, shownText } from './shown-text.js'

export interface Style {
  readonly weight: Weight
  readonly size: number
  readonly color: string
}

/** Characters of one font side by side. */
interface Run {
  readonly face: Face
  readonly text: string
  readonly width: number
}

export type Line = readonly Run[]

export interface Pen {
  /** No line is wider, unless a single character is. */
  lines(text: string, style: Style, width: number): readonly Line[]
  /** From `x` on, on the base line `y`. */
  write(line: Line, style: Style, x: number, y: number): void
}

export function createPen(doc: PDFKit.PDFDocument, fonts: Fonts): Pen {
  const registered = new Set<string>()
  /** Of a text at size 1, by face. */
  const widths = new Map<string, number>()

  function take({ name, handle }: Face, size: number): void {
    if (!registered.has(name)) {
      doc.registerFont(name, handle)
      registered.add(name)
    }
    doc.font(name).fontSize(size)
  }

  function measured({ face, text }: Run, { size }: Style): Run {
    const key = `${face.name} ${text}`
    let width = widths.get(key)
    if (width === undefined) {
      take(face, size)
      width = doc.widthOfString(text, shaping) / size
      widths.set(key, width)
    }
    return { face, text, width: width * size }
  }

  function runsOf(text: string, style: Style): Line {
    return joined(unmeasured(text, style.weight, fonts)).map((run) => measured(run, style))
  }

  function wrapped(paragraph: string, style: Style, width: number): readonly Line[] {
    const lines: Run[][] = []
    let line: Run[] = []
    const place = (text: string): void => {
      const runs = runsOf(text, style)
      // Blanks may stand beyond the end of a line.
      const needed = widthOf(text === text.trimEnd() ? runs : runsOf(text.trimEnd(), style))
      if (line.length > 0 && widthOf(line) + needed > width) {
        lines.push(line)
        line = []
      }
      if (needed <= width || isOne(text)) line.push(...runs)
      else for (const { segment } of clusters.segment(text)) place(segment)
    }
    for (const word of wordsOf(paragraph)) place(word)
    return [...lines, line]
  }

  return {
    lines: (text, style, width) =>
      shownText(text)
        .split('\n')
        .flatMap((paragraph) => wrapped(paragraph, style, width)),
    write(line, style, x, y) {
      let at = x
      for (const { face, text, width } of joined(line)) {
        take(face, style.size)
        doc.fillColor(style.color).text(text, at, y, placing)
        at += width
      }
    },
  }
}

/** Characters stay whole: taken apart, as fonts do with some of Vietnamese, a reader of the file would not find them. */
const shaping = { features: { ccmp: false } as unknown as PDFKit.Mixins.OpenTypeFeatures[] }
const placing = { ...shaping, lineBreak: false, baseline: 'alphabetic' } as const

export function widthOf(line: Line): number {
  return line.reduce((sum, { width }) => sum + width, 0)
}

/** What people read as one character. */
const clusters = new Intl.Segmenter('en', { granularity: 'grapheme' })

function isOne(text: string): boolean {
  const [, second] = clusters.segment(text)
  return second === undefined
}

/** A cluster that no font holds as a whole is shown by its characters. */
function unmeasured(text: string, weight: Weight, fonts: Fonts): Line {
  const run = (characters: string): Run | undefined => {
    const face = fonts(characters, weight)
    return face && { face, text: characters, width: 0 }
  }
  return Array.from(clusters.segment(text)).flatMap(
    ({ segment }) => run(segment) ?? Array.from(segment, (one) => run(one) ?? run(replacement)!),
  )
}

function joined(runs: Line): Line {
  const all: Run[] = []
  for (const run of runs) {
    const last = all.at(-1)
    if (last?.face === run.face) {
      all.pop()
      all.push({ ...last, text: last.text + run.text, width: last.width + run.width })
    } else all.push(run)
  }
  return all
}

interface Breaker {
  /** Null: there is no other. */
  nextBreak(): { readonly position: number } | null
}

/** Each up to where a line may end behind it. */
function* wordsOf(paragraph: string): Iterable<string> {
  const breaker: Breaker = new LineBreaker(paragraph)
  let from = 0
  for (let next = breaker.nextBreak(); next !== null; next = breaker.nextBreak()) {
    yield paragraph.slice(from, next.position)
    from = next.position
  }
}
