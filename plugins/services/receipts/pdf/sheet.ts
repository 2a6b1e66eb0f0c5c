/**
 * Pages of A4 that are filled from above, with the structure readers of a screen go by: what is text belongs to an element,
 * what is ornament is marked as such.
 */
import type { Line, Pen, Style } from './pen.js'
import { widthOf } from './pen.js'

export const page = { width: 595.28, height: 841.89, left: 56, right: 539.28, top: 56, bottom: 770 }

/** Where text stands. `end`: at the right edge. */
export interface Box {
  readonly x: number
  readonly width: number
  readonly align?: 'start' | 'end'
}

/** PDF's names of elements: those that hold text, and those that hold others. */
type TextTag = 'H1' | 'H2' | 'P' | 'TH' | 'TD'
type GroupTag = 'Div' | 'Table' | 'TR' | 'TD'

interface Text {
  readonly tag: TextTag
  readonly text: string
  readonly style: Style
  readonly box: Box
}

export interface Sheet {
  /** How far down the page is full. */
  y: number
  /** Pages that were begun. */
  readonly pages: number
  /** Turns the page where there is less left than this. */
  room(height: number): void
  /** Writes a text line by line, on as many pages as it takes. */
  flow(text: Text, parent?: PDFKit.PDFStructureElement): void
  /** Writes texts side by side, each from the same height down; they are to fit into a page. */
  row(texts: readonly Text[], parent: PDFKit.PDFStructureElement): void
  /** An element that holds others; a part of the document where no other is named. */
  group(tag: GroupTag, parent?: PDFKit.PDFStructureElement): PDFKit.PDFStructureElement
  ornament(draw: () => void): void
}

const leading = 1.42

export function lineHeight({ size }: Style): number {
  return size * leading
}

/** `begin`: what every page has, drawn when it begins. */
export function createSheet(
  doc: PDFKit.PDFDocument,
  pen: Pen,
  begin: (sheet: Sheet) => void,
): Sheet {
  const whole = doc.struct('Document')
  doc.addStructure(whole)

  let pages = 0

  function turn(): void {
    doc.addPage()
    pages += 1
    sheet.y = page.top
    begin(sheet)
  }

  function write(line: Line, { style, box }: Text, top: number): void {
    const { x, width, align } = box
    const from = align === 'end' ? x + width - widthOf(line) : x
    // Ascenders of the fonts take about 1.07 of their size; the rest of the leading is below.
    pen.write(line, style, from, top + style.size * 1.07)
  }

  /** Elements may go on where a page ends; marks may not. */
  function marked(tag: string, draw: () => void): PDFKit.PDFStructureContent {
    const content = doc.markStructureContent(tag)
    draw()
    doc.endMarkedContent()
    return content
  }

  const sheet: Sheet = {
    y: page.top,
    get pages() {
      return pages
    },
    room(height) {
      if (sheet.y + height > page.bottom) turn()
    },
    flow(text, parent = whole) {
      const height = lineHeight(text.style)
      let left = pen.lines(text.text, text.style, text.box.width)
      const contents: PDFKit.PDFStructureContent[] = []
      while (left.length > 0) {
        sheet.room(height)
        const fitting = Math.max(1, Math.floor((page.bottom - sheet.y) / height))
        const part = left.slice(0, fitting)
        contents.push(
          marked(text.tag, () => {
            for (const [index, line] of part.entries()) write(line, text, sheet.y + index * height)
          }),
        )
        sheet.y += part.length * height
        left = left.slice(fitting)
      }
      parent.add(doc.struct(text.tag, {}, contents))
    },
    row(texts, parent) {
      const cells = texts.map((text) => ({
        text,
        lines: pen.lines(text.text, text.style, text.box.width),
        height: lineHeight(text.style),
      }))
      const height = Math.max(...cells.map((cell) => cell.lines.length * cell.height))
      sheet.room(height)
      for (const { text, lines, height } of cells) {
        const content = marked(text.tag, () => {
          for (const [index, line] of lines.entries()) write(line, text, sheet.y + index * height)
        })
        parent.add(doc.struct(text.tag, {}, [content]))
      }
      sheet.y += height
    },
    group(tag, parent = whole) {
      const element = doc.struct(tag)
      parent.add(element)
      return element
    },
    ornament(draw) {
      doc.markContent('Artifact', { type: 'Layout' })
      draw()
      doc.endMarkedContent()
    },
  }
  turn()
  return sheet
}
