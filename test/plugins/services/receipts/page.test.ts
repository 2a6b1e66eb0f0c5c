/** The page: text of any language and of any length, on as many pages as it takes. */
import t from 'tap'
import { documentOf, type ReceiptDocument } from '../../../../plugins/services/receipts/document.js'
import type { Receipt } from '../../../../plugins/services/receipts/index.js'
import { createFonts } from '../../../../plugins/services/receipts/pdf/fonts.js'
import { makeReceipt } from '../../../../plugins/services/receipts/pdf/make.js'
import { shownText } from '../../../../plugins/services/receipts/pdf/shown-text.js'
import { pagesOf, readPdf } from './receipts-fixture.js'

const fonts = createFonts()

const receipt: Receipt = {
  ...{ series: 'paid', number: 1n, label: 'R-000001', orderNo: 'a1'.repeat(16), userId: 7 },
  ...{ issuedAt: new Date(0), paidAt: new Date(0), paidBy: 'Acme Pay', amountMinor: 7000n },
  ...{ currency: 'USD', taxNote: '' },
  lines: [{ title: 'Ten units', detail: '', amountMinor: 7000n }],
  seller: { name: 'Acme', address: '', taxId: '', contact: '', note: '' },
  buyer: { name: '', address: '', taxId: '', account: 'ada' },
}

async function pages(over: Partial<Receipt>): Promise<readonly string[]> {
  return pagesOf(await makeReceipt(documentOf({ ...receipt, ...over }, []), fonts))
}

const buyerNamed = async (name: string) => {
  const [page = ''] = await pages({ buyer: { ...receipt.buyer, name } })
  return /Received from\n([\s\S]*)\nAccount/.exec(page)?.[1]
}

const names: Readonly<Record<string, string>> = {
  Latin: 'Zoë Őrsi-Łukasiewicz & Søn “A/S” – №1',
  Vietnamese: 'Nguyễn Thị Hồng',
  Cyrillic: 'ООО «Ромашка» Ёжиков',
  Greek: 'Ελληνική Εταιρεία',
  'simplified Chinese': '北京某某科技有限公司（耥胲）',
  'rare Chinese': '王䶮喆㛃',
  'traditional Chinese': '臺灣積體電路製造股份有限公司',
  Japanese: '株式会社サンプル・ひらがな',
  'languages side by side': 'Acme 北京 Ромашка Ελλάς',
  'letters that are composed': 'Ångström',
}

for (const [language, name] of Object.entries(names)) {
  t.test(`a name is shown as it is: ${language}`, async (t) => {
    t.equal(await buyerNamed(name), name.normalize('NFC'))
  })
}

t.test('what no font holds is shown by a sign in its place', async (t) => {
  t.equal(await buyerNamed('Ada 😀 x'), 'Ada \ufffd x')
  t.equal(await buyerNamed('a\u{10fffd}b'), 'a\ufffdb')
  t.match(await buyerNamed('שלום 한국 سلام'), /^\ufffd{4} \ufffd{2} \ufffd{4}$/)
})

t.test('nothing that is not seen reaches the page', async (t) => {
  const rows = [
    ['a\u0000b\u0007c', 'a b c'],
    ['a\u202eb\u2066c\u200fd', 'abcd'],
    ['a\u200b\ufeff\u00ad\u2060b', 'ab'],
    ['a\r\nb\rc\u2028d', 'a\nb\nc\nd'],
    ['a\ud800b', 'a\ufffdb'],
    ['e\u0301', 'é'],
    ['❤\ufe0f', '❤'],
    ['क्\u200dष', 'क्\u200dष'],
  ] as const
  for (const [at, [given, shown]] of rows.entries()) t.equal(shownText(given), shown, `row ${at}`)
  t.equal(await buyerNamed('(Ada) \\ % <</JS>> endobj\u0000'), '(Ada) \\ % <</JS>> endobj')
})

t.test('a text is no part of how the file is written', async (t) => {
  const name = ') /JS (x) >> endobj'
  const made = await makeReceipt(
    documentOf({ ...receipt, seller: { ...receipt.seller, name } }, []),
    fonts,
  )
  const pdf = await readPdf(made)
  t.match((await pdf.getMetadata()).info, { Author: name })
  t.equal(await pdf.getJSActions(), null)
})

t.test('very long words and names are broken, none of it is lost', async (t) => {
  const name = `${'W'.repeat(59)} ${'漢'.repeat(60)}`
  t.equal((await buyerNamed(name))?.replace(/\s/g, ''), name.replace(/\s/g, ''))
  const line = 'W'.repeat(100)
  const address = Array(8).fill(line).join('\n')
  const seller = { name: line, address, taxId: 'T', contact: 'C'.repeat(200), note: '' }
  const buyer = { name: line, address, taxId: 'T', account: 'ada' }
  const lines = [{ title: 'W'.repeat(125), detail: 'Automatic payment', amountMinor: 7000n }]
  const all = (await pages({ seller, buyer, lines })).join('\n')
  t.equal([...all.matchAll(/W/g)].length, 100 * 18 + 125 + 0)
  t.match(all, 'Total paid 70.00 USD')
})

t.test('a long note goes on over the pages, each with its number', async (t) => {
  const rows = Array.from({ length: 60 }, (_, at) => `Row ${at}: ${'as said before, '.repeat(20)}`)
  const made = await pages({ seller: { ...receipt.seller, note: rows.join('\n') } })
  t.ok(made.length > 2)
  for (const [at, page] of made.entries()) {
    t.ok(page.endsWith(`Receipt R-000001 · Acme Page ${at + 1} of ${made.length}`), page.slice(-80))
  }
  const all = made.join('\n')
  for (const at of rows.keys()) t.ok(all.includes(`Row ${at}: `))
})

t.test('the word stands across every page of a test', async (t) => {
  const note = 'Again.\n'.repeat(60)
  const made = await pages({ series: 'test', seller: { ...receipt.seller, note } })
  t.ok(made.length > 1)
  for (const page of made) t.match(page, /^TEST$/m)
})

t.test('a page does not depend on those that were made before', async (t) => {
  const make = (name: string, own = createFonts()) =>
    makeReceipt(documentOf({ ...receipt, buyer: { ...receipt.buyer, name } }, []), own)
  const own = createFonts()
  // Glyphs that are parts of others.
  for (const name of ['ÉÀÖÎ', 'Ạ̊ỊỆ', '京北']) await make(name, own)
  const made = await make('EAOI 北京', own)
  t.ok(made.equals(await make('EAOI 北京')))
  t.match(await pagesOf(made), [/^EAOI 北京$/m])
})

t.test('the same receipt is the same file', async (t) => {
  const document: ReceiptDocument = documentOf(receipt, [])
  const [one, other] = [await makeReceipt(document, fonts), await makeReceipt(document, fonts)]
  t.ok(one.equals(other))
})
