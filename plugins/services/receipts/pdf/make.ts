/** Makes a receipt: bytes of a PDF, the same for the same receipt. */
import PDFDocument from 'pdfkit'
import type { ReceiptDocument } from '../document.js'
import { drawReceipt } from './draw.js'
import type { Fonts } from './fonts.js'
import { createPen } from './pen.js'

export function makeReceipt(receipt: ReceiptDocument, fonts: Fonts): Promise<Buffer> {
  const { title, author, subject, issuedAt } = receipt
  const doc = new PDFDocument({
    size: 'A4',
    // What is beyond a margin would begin a page by itself.
    margin: 0,
    // No font of the format itself: those hold no more than Latin 1.
    font: '',
    autoFirstPage: false,
    bufferPages: true,
    pdfVersion: '1.7',
    lang: 'en',
    tagged: true,
    displayTitle: true,
    info: {
      ...{ Title: title, Author: author, Subject: subject, Creator: 'Waybill' },
      CreationDate: new Date(issuedAt),
    },
  })
  const parts: Buffer[] = []
  doc.on('data', (part: Buffer) => parts.push(part))
  const made = new Promise<Buffer>((resolve, reject) => {
    doc.on('end', () => resolve(Buffer.concat(parts)))
    doc.on('error', reject)
  })
  drawReceipt(doc, createPen(doc, fonts), receipt)
  doc.end()
  return made
}
