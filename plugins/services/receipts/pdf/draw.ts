/** The page of a receipt: who sells and to whom, what was bought, the total, what was paid back since, a note. */
import type { FactText, LineText, PartyText, ReceiptDocument } from '../document.js'
import { type Pen, type Style, widthOf } from './pen.js'
import { type Box, createSheet, lineHeight, page, type Sheet } from './sheet.js'

const ink = '#1f2937'
const grey = '#6b7280'
const rule = '#d1d5db'
const tint = '#f3f4f6'
const alarm = '#b91c1c'

const plain: Style = { weight: 'regular', size: 9.5, color: ink }
const strong: Style = { ...plain, weight: 'bold' }
const quiet: Style = { ...plain, size: 8.5, color: grey }
const heading: Style = { weight: 'bold', size: 22, color: ink }
const name: Style = { weight: 'bold', size: 12, color: ink }
const total: Style = { weight: 'bold', size: 13, color: ink }
const warning: Style = { weight: 'bold', size: 10.5, color: alarm }

const whole: Box = { x: page.left, width: page.right - page.left }
const sellerBox: Box = { x: page.left, width: 240 }
const factLabels: Box = { x: 322, width: 50 }
const factValues: Box = { x: 372, width: page.right - 372 }
const lineTitles: Box = { x: page.left + 8, width: 350 }
const lineAmounts: Box = { x: 430, width: page.right - 8 - 430, align: 'end' }
const sumLabels: Box = { x: 252, width: 110 }
const sumValues: Box = { x: 352, width: page.right - 8 - 352, align: 'end' }

export function drawReceipt(doc: PDFKit.PDFDocument, pen: Pen, receipt: ReceiptDocument): void {
  const { stamp } = receipt
  const sheet = createSheet(doc, pen, (begun) => {
    if (stamp !== undefined) begun.ornament(() => drawStamp(doc, pen, stamp.word))
  })
  const line = () => {
    sheet.ornament(() => {
      doc.moveTo(page.left, sheet.y).lineTo(page.right, sheet.y).lineWidth(0.75).stroke(rule)
    })
  }
  if (stamp !== undefined) {
    sheet.flow({ tag: 'P', text: stamp.sentence, style: warning, box: whole })
    sheet.y += 10
  }
  drawHead(sheet, receipt)
  sheet.y += 14
  line()
  sheet.y += 14
  drawBuyer(sheet, receipt)
  sheet.y += 20
  drawLines(doc, sheet, receipt, line)
  sheet.y += 10
  drawSums(doc, sheet, receipt)
  drawNotes(sheet, receipt)
  drawFeet(doc, pen, sheet, receipt)
}

/** The facts to the right and the seller to the left, from the same height down. */
function drawHead(sheet: Sheet, { seller, facts }: ReceiptDocument): void {
  const top = sheet.y
  const title: Box = { x: factLabels.x, width: page.right - factLabels.x }
  sheet.flow({ tag: 'H1', text: 'Receipt', style: heading, box: title })
  sheet.y += 6
  for (const fact of facts) drawFact(sheet, fact)
  const bottom = sheet.y
  sheet.y = top + 6
  drawParty(sheet, seller, name, sellerBox)
  // A very long address goes on where the facts are not.
  if (sheet.pages === 1) sheet.y = Math.max(bottom, sheet.y)
}

function drawParty(sheet: Sheet, party: PartyText, style: Style, box: Box): void {
  const element = sheet.group('Div')
  sheet.flow({ tag: 'P', text: party.name, style, box }, element)
  sheet.y += 2
  for (const text of party.lines) sheet.flow({ tag: 'P', text, style: plain, box }, element)
}

function drawFact(sheet: Sheet, { label, value }: FactText): void {
  const style: Style = { ...quiet, color: ink }
  sheet.row(
    [
      { tag: 'P', text: label, style: quiet, box: factLabels },
      { tag: 'P', text: value, style, box: factValues },
    ],
    sheet.group('Div'),
  )
  sheet.y += 2
}

function drawBuyer(sheet: Sheet, { buyer }: ReceiptDocument): void {
  sheet.flow({ tag: 'H2', text: 'Received from', style: quiet, box: whole })
  sheet.y += 2
  drawParty(sheet, buyer, strong, whole)
}

function drawLines(
  doc: PDFKit.PDFDocument,
  sheet: Sheet,
  { lines, currency }: ReceiptDocument,
  line: () => void,
): void {
  const table = sheet.group('Table')
  sheet.room(60)
  sheet.ornament(() => tinted(doc, page.left, sheet.y, whole.width, 20))
  sheet.y += 4
  sheet.row(
    [
      { tag: 'TH', text: 'Description', style: quiet, box: lineTitles },
      { tag: 'TH', text: `Amount (${currency})`, style: quiet, box: lineAmounts },
    ],
    sheet.group('TR', table),
  )
  sheet.y += 12
  for (const one of lines) {
    drawLine(sheet, one, sheet.group('TR', table))
    sheet.y += 7
    line()
    sheet.y += 7
  }
}

/** For the longest title and detail there are, so that a line stands on one page. */
const lineSpace = 90

function drawLine(
  sheet: Sheet,
  { title, detail, amount }: LineText,
  row: PDFKit.PDFStructureElement,
): void {
  sheet.room(lineSpace)
  const cell = sheet.group('TD', row)
  const top = sheet.y
  sheet.flow({ tag: 'P', text: title, style: plain, box: lineTitles }, cell)
  if (detail !== '') sheet.flow({ tag: 'P', text: detail, style: quiet, box: lineTitles }, cell)
  const bottom = sheet.y
  sheet.y = top
  sheet.row([{ tag: 'TD', text: amount, style: plain, box: lineAmounts }], row)
  sheet.y = bottom
}

/** They stay together. */
function drawSums(doc: PDFKit.PDFDocument, sheet: Sheet, receipt: ReceiptDocument): void {
  const { total: sum, paidBack, left } = receipt
  sheet.room(34 + Math.min(paidBack.length, 20) * lineHeight(plain) + 30)
  sheet.ornament(() => {
    tinted(doc, sumLabels.x - 10, sheet.y, page.right - sumLabels.x + 10, 32)
  })
  sheet.y += 7
  drawSum(sheet, sum, total)
  sheet.y += 10
  if (left === undefined) return
  sheet.y += 4
  const box: Box = { x: page.left, width: page.right - 8 - page.left, align: 'end' }
  for (const text of paidBack) sheet.flow({ tag: 'P', text, style: plain, box })
  sheet.y += 4
  drawSum(sheet, left, strong)
}

function drawSum(sheet: Sheet, { label, value }: FactText, style: Style): void {
  sheet.row(
    [
      { tag: 'P', text: label, style, box: sumLabels },
      { tag: 'P', text: value, style, box: sumValues },
    ],
    sheet.group('Div'),
  )
}

function drawNotes(sheet: Sheet, { taxNote, note }: ReceiptDocument): void {
  if (taxNote !== '') {
    sheet.y += 18
    sheet.flow({ tag: 'P', text: taxNote, style: plain, box: whole })
  }
  if (note.length > 0) sheet.y += 18
  for (const text of note) sheet.flow({ tag: 'P', text, style: quiet, box: whole })
}

/** Once it is known how many pages there are. */
function drawFeet(
  doc: PDFKit.PDFDocument,
  pen: Pen,
  sheet: Sheet,
  { title, author }: ReceiptDocument,
): void {
  const { start, count } = doc.bufferedPageRange()
  const y = page.height - 40
  const named = pen.lines(`${title} · ${author}`, quiet, 380)
  const [left = []] = named.length === 1 ? named : pen.lines(title, quiet, 380)
  for (let number = 1; number <= count; number++) {
    doc.switchToPage(start + number - 1)
    sheet.ornament(() => {
      doc
        .moveTo(page.left, y - 14)
        .lineTo(page.right, y - 14)
        .lineWidth(0.75)
        .stroke(rule)
      pen.write(left, quiet, page.left, y)
      const [right = []] = pen.lines(`Page ${number} of ${count}`, quiet, 90)
      pen.write(right, quiet, page.right - widthOf(right), y)
    })
  }
}

/** Large and pale, from one corner to the other. */
function drawStamp(doc: PDFKit.PDFDocument, pen: Pen, word: string): void {
  const style: Style = { weight: 'bold', size: 190, color: alarm }
  const [x, y] = [page.width / 2, page.height / 2]
  doc
    .save()
    .rotate(-50, { origin: [x, y] })
    .fillOpacity(0.09)
  const [line = []] = pen.lines(word, style, page.height)
  // Capitals are 0.714 of the size high.
  pen.write(line, style, x - widthOf(line) / 2, y + style.size * 0.357)
  doc.restore()
}

function tinted(doc: PDFKit.PDFDocument, x: number, y: number, width: number, height: number) {
  doc.rect(x, y, width, height).fill(tint)
}
